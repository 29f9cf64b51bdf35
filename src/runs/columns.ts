import { didYouMean } from '../text/nearest.ts'

/** What columns of runs and qrels are called, by us and by others; the first name is the one we write. */
export const QUERY = ['query_id', 'query-id', 'qid', 'query', 'q_id']
export const DOCUMENT = [
  'document_id',
  'doc_id',
  'docid',
  'docno',
  'corpus-id',
  'corpus_id',
  'document',
  'id',
]
export const SCORE = ['score', 'sim', 'similarity']
export const GRADE = ['grade', 'relevance', 'rel', 'score', 'label']
export const GROUP = ['group']
export const NAME = ['run', 'tag', 'run_id']

/** The index of a column by any of its names, letters' case apart; -1 where there is none. */
export function columnIndex(header: readonly string[], names: readonly string[]): number {
  const lower = header.map((name) => name.trim().toLowerCase())
  for (const name of names) if (lower.includes(name)) return lower.indexOf(name)
  return -1
}

/** What to say of a column that is not there. */
export function missingColumn(header: readonly string[], names: readonly string[]): string {
  const near = header.map((name) => didYouMean(name, names)).find((hint) => hint !== '') ?? ''
  return `has no column \`${names[0]}\`${near}; its columns are ${header.map((name) => `\`${name}\``).join(', ')}`
}
