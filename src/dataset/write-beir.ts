import { existsSync, mkdirSync, readdirSync, rmdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { UserError } from '../errors.ts'
import { writeRenamed } from '../store/write.ts'
import { compareIds } from '../text/order.ts'
import type { Dataset } from './types.ts'

/**
 * Writes a data set as a BEIR folder that reads back as the same one (equal hash): `corpus.jsonl`, `queries.jsonl` with
 * category, answers and answerability in the metadata, `qrels/test.tsv` with OR-groups as its fourth column,
 * `qrels/spans.tsv` where spans are judged. Written to a temporary name and renamed; an existing folder with content is
 * refused.
 */
export function writeBeir(dataset: Dataset, folder: string): void {
  const isThere = existsSync(folder)
  const fail = (what: string) => new UserError({ file: folder, message: `${what}; name a new folder` })
  if (isThere && !statSync(folder).isDirectory()) throw fail('is a file')
  if (isThere && readdirSync(folder).length > 0) throw fail('is there and not empty')
  writeRenamed(folder, (fresh) => {
    mkdirSync(join(fresh, 'qrels'), { recursive: true })
    writeFileSync(join(fresh, 'corpus.jsonl'), corpusLines(dataset))
    writeFileSync(join(fresh, 'queries.jsonl'), queryLines(dataset))
    const judgements = judgementLines(dataset)
    if (judgements !== '' || dataset.judgedUnit !== 'span')
      writeFileSync(join(fresh, 'qrels', 'test.tsv'), judgements)
    if (dataset.judgedUnit === 'span') writeFileSync(join(fresh, 'qrels', 'spans.tsv'), spanLines(dataset))
    // Refused by the system where something has been put there meanwhile.
    if (isThere) rmdirSync(folder)
  })
}

function corpusLines({ documents }: Dataset): string {
  return documents
    .map(({ id, title, text, metadata }) => {
      const extra = Object.keys(metadata).length > 0 ? { metadata } : {}
      return `${JSON.stringify({ _id: id, title, text, ...extra })}\n`
    })
    .join('')
}

function queryLines({ queries }: Dataset): string {
  return queries
    .map(({ id, text, metadata, category, answers, answerable }) => {
      const own = {
        ...metadata,
        ...(category === null ? {} : { category }),
        ...(answers.length > 0 ? { answers } : {}),
        ...(answerable ? {} : { answerable }),
      }
      return `${JSON.stringify({ _id: id, text, ...(Object.keys(own).length > 0 ? { metadata: own } : {}) })}\n`
    })
    .join('')
}

function judgementLines({ queries, qrels, groups }: Dataset): string {
  const grouped = groups.size > 0
  const lines: string[] = []
  for (const { id } of queries) {
    const groupOf = new Map(
      (groups.get(id) ?? []).flatMap((ids, index) => ids.map((one) => [one, `g${index + 1}`])),
    )
    for (const [judged, grade] of [...(qrels.get(id) ?? [])].sort(([a], [b]) => compareIds(a, b)))
      lines.push(
        [id, judged, String(grade), ...(grouped ? [groupOf.get(judged) ?? ''] : [])].map(cell).join('\t'),
      )
  }
  if (lines.length === 0) return ''
  return `${['query-id', 'corpus-id', 'score', ...(grouped ? ['group'] : [])].join('\t')}\n${lines.join('\n')}\n`
}

function spanLines({ queries, spans }: Dataset): string {
  const lines = queries.flatMap(({ id }) =>
    (spans.get(id) ?? []).map(({ documentId, start, end }) =>
      [id, documentId, String(start), String(end)].map(cell).join('\t'),
    ),
  )
  return `query-id\tcorpus-id\tstart\tend\n${lines.join('\n')}\n`
}

function cell(text: string): string {
  if (!/[\t\r\n]/.test(text) && text === text.trim()) return text
  throw new UserError(
    `BEIR's judgements are separated by tabs and cannot hold the id ${JSON.stringify(text)}`,
  )
}
