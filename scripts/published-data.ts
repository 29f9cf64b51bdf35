import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Files made of published ones, for commands of published/*.yaml. */

const SYSTEMS = {
  VectorDB: 'vdb-2wikimultihopqa_101.json',
  LightRAG: 'lightrag.json',
  'nano-GraphRAG': 'nano.json',
  'Fast-GraphRAG': 'graph-2wikimultihopqa_101.json',
}

const lines = (file: string): Record<string, string>[] =>
  readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))

/**
 * Writes TREC runs of the titles that fast-graphrag published, by system; no list has more than 8. A few are no title of the set
 * (LightRAG's `Gaby`) and are left out, a repeated title counts once. Throws an Error for a question that the set lacks.
 */
export function writePublishedRuns(shared: string, folder: string): void {
  const set = join(shared, 'data', '2wiki-101')
  const documents = new Map(lines(join(set, 'corpus.jsonl')).map(({ _id, title }) => [title, _id]))
  const queries = new Map(lines(join(set, 'queries.jsonl')).map(({ _id, text }) => [text, _id]))
  mkdirSync(folder, { recursive: true })
  for (const [system, file] of Object.entries(SYSTEMS)) {
    const records: { question: string; evidence: string[] }[] = JSON.parse(
      readFileSync(join(set, 'published-runs', file), 'utf8'),
    )
    const rows = records.flatMap(({ question, evidence }) =>
      [...new Set(evidence)].flatMap((title, rank) => {
        const [query, document] = [queries.get(question), documents.get(title)]
        if (!query) throw new Error(`${file}: ${question} is not in the set`)
        return document ? [`${query} Q0 ${document} ${rank + 1} ${evidence.length - rank} ${system}\n`] : []
      }),
    )
    writeFileSync(join(folder, `${system}.trec`), rows.join(''))
  }
}

/** Writes a copy of claude-docs-100 with the published summary at the end of each text. */
export function writeWithSummaries(shared: string, folder: string): void {
  const set = join(shared, 'data', 'claude-docs-100')
  const summaries = new Map(lines(join(set, 'summaries.jsonl')).map(({ _id, summary }) => [_id, summary]))
  const corpus = lines(join(set, 'corpus.jsonl')).map(
    (record) => `${JSON.stringify({ ...record, text: `${record.text}\n\n${summaries.get(record._id)}` })}\n`,
  )
  mkdirSync(join(folder, 'qrels'), { recursive: true })
  writeFileSync(join(folder, 'corpus.jsonl'), corpus.join(''))
  for (const file of ['queries.jsonl', join('qrels', 'test.tsv')])
    writeFileSync(join(folder, file), readFileSync(join(set, file)))
}
