import { createHash } from 'node:crypto'
import { canonical } from '../store/hash.ts'
import { compareIds } from '../text/ids.ts'
import type { Document, Json, JudgedQuery } from '../types.ts'
import type { Dataset } from './types.ts'

/** Characters hashed at once: each call has a cost, and memory must not hold a large corpus twice. */
const PIECE = 2 ** 16

export function hashDocuments(documents: readonly Document[]): string {
  const hash = createHash('sha256')
  let piece = ''
  for (const { id, title, text, metadata } of documents) {
    piece += `${canonical([id, title, text, metadata])}\n`
    if (piece.length < PIECE) continue
    hash.update(piece)
    piece = ''
  }
  return hash.update(piece).digest('hex')
}

type Gold = Pick<Dataset, 'qrels' | 'spans' | 'groups' | 'judgedUnit'>

/** SHA-256 of everything that a score can depend on, whatever the order of lines in the files. */
export function hashDataset(documentsHash: string, queries: readonly JudgedQuery[], gold: Gold): string {
  const hash = createHash('sha256')
  hash.update(`${documentsHash}\n${gold.judgedUnit}\n`)
  for (const { id, text, metadata, category, answers, answerable, evidence } of queries) {
    const grades = [...(gold.qrels.get(id) ?? [])].sort(([a], [b]) => compareIds(a, b))
    const groups = (gold.groups.get(id) ?? []).map((group) => [...group].sort(compareIds))
    groups.sort((a, b) => compareIds(a[0] ?? '', b[0] ?? ''))
    const spans = (gold.spans.get(id) ?? []).map(
      ({ documentId, start, end, grade }): Json => [
        documentId,
        start,
        end,
        ...(grade === undefined ? [] : [grade]),
      ],
    )
    const fields: Json = [id, text, metadata, category, answers, answerable, grades, groups, spans]
    const line: Json = evidence ? [...fields, evidence] : fields
    hash.update(`${canonical(line)}\n`)
  }
  return hash.digest('hex')
}
