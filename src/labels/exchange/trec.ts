import { type Diagnostic, fewOfEachKind, UserError } from '../../errors.ts'
import { readGrade } from '../../text/numbers.ts'
import type { ForeignLabel } from './rows.ts'

/** TREC qrels: query, iteration, id and grade, between white space. A document has the highest grade of its passages. */
export function trecLines(
  labels: readonly { readonly query: string; readonly id: string; readonly grade: number }[],
): string {
  const wrong = labels.find(({ query, id }) => /\s/.test(query) || /\s/.test(id))
  if (wrong)
    throw new UserError(
      `TREC qrels are separated by white space and cannot hold the id ${JSON.stringify(/\s/.test(wrong.query) ? wrong.query : wrong.id)}; export CSV`,
    )
  const grades = new Map<string, number>()
  for (const { query, id, grade } of labels) {
    const pair = `${query} 0 ${id}`
    grades.set(pair, Math.max(grade, grades.get(pair) ?? 0))
  }
  return [...grades].map(([pair, grade]) => `${pair} ${grade}\n`).join('')
}

/** Labels of a pool without those of a place whose text was labelled again since: the pool has the current text first. */
export function newestOfPlaces<
  L extends {
    readonly query: string
    readonly document: string
    readonly start: number
    readonly end: number
  },
>(labels: readonly L[]): L[] {
  const placeOf = ({ query, document, start, end }: L) => JSON.stringify([query, document, start, end])
  const places = new Set<string>()
  return labels.filter((label) => !places.has(placeOf(label)) && places.add(placeOf(label)))
}

/** BEIR's qrels have other columns. */
const NO_QREL =
  'is not query, iteration, id and grade; write another table as CSV, with a header: query, document, grade'

export function readTrec(text: string, file: string): ForeignLabel[] {
  const diagnostics: Diagnostic[] = []
  const labels = text.split(/\r?\n/).flatMap((line, index): ForeignLabel[] => {
    if (line.trim() === '') return []
    const fields = line.trim().split(/\s+/)
    const grade = readGrade(fields[3])
    if (fields.length !== 4 || grade === undefined) {
      diagnostics.push({ file, line: index + 1, message: NO_QREL })
      return []
    }
    const [query, , passage] = fields
    return [{ query, passage, labeller: '', grade, line: index + 1 }]
  })
  if (diagnostics.length > 0) throw new UserError(fewOfEachKind(diagnostics))
  return labels
}
