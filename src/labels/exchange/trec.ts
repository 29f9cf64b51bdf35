import { UserError } from '../../errors.ts'
import type { ForeignLabel } from './rows.ts'

/** TREC qrels: query, iteration, id and grade, between white space. */
export function trecLines(
  labels: readonly { readonly query: string; readonly id: string; readonly grade: number }[],
): string {
  const wrong = labels.find(({ query, id }) => /\s/.test(query) || /\s/.test(id))
  if (wrong)
    throw new UserError(
      `TREC qrels are separated by white space and cannot hold the id ${JSON.stringify(/\s/.test(wrong.query) ? wrong.query : wrong.id)}; export CSV`,
    )
  return labels.map(({ query, id, grade }) => `${query} 0 ${id} ${grade}\n`).join('')
}

export function readTrec(text: string, file: string): ForeignLabel[] {
  return text.split(/\r?\n/).flatMap((line, index): ForeignLabel[] => {
    if (line.trim() === '') return []
    const fields = line.trim().split(/\s+/)
    if (fields.length !== 4 || !/^-?\d+$/.test(fields[3]))
      throw new UserError({ file, line: index + 1, message: 'is not query, iteration, id and grade' })
    const [query, , passage, grade] = fields
    const place = { place: `line ${index + 1}`, line: index + 1 }
    return [{ query, passage, labeller: '', grade: Number(grade), ...place }]
  })
}
