import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readResults } from '../../src/results/read.ts'
import { RESULT_TABLES } from '../../src/results/tables.ts'
import { readTable } from '../../src/tables/parquet.ts'
import { callsIn } from '../cli/calls.ts'
import { temporaryFolder } from '../temporary.ts'
import { writeTowns } from './experiments.ts'

const CONFIG = `dataset: towns
prepare:
  chunk: {sentences: {size: 16}}
  embedder: lsa
  graph: [rules, titles]
  communities: leiden
  reports: extractive
  tree: extractive
trials:
  - naive
  - bm25: {grid: {k1: [0.9, 1.2]}}
  - hybrid: {grid: {fusion: [weighted, rrf]}}
  - graphrag-local: {}
  - graphrag-global: {}
  - drift: {}
  - lazy-graphrag: {}
  - lightrag: {}
  - pathrag: {}
  - hipporag: {}
  - linearrag: {}
  - title-ppr: {}
  - traversal: {}
  - multi-hop: {}
  - raptor: {}
  - rm3: {}
  - random: {}
  - whole-corpus: {}
  - fuse: {of: [naive, bm25 k1=1.2]}
  - name: routed
    router: {rules: fitted, arms: {words: bm25 k1=1.2, walk: title-ppr}}
  - name: transformed
    hybrid: {}
    before: [normalize-keywords]
    after: [{graph-boost: {}}, {rerank: {}}, {diversify: {}}, {merge-adjacent: {}}, {min-score: {least: 0.01}}]
measures: [recall@5, full_recall@5, mrr@10, ndcg@10, map, precision@3, recall@100tok, answer_in_context@3, entity_recall@5]
folds: 3
compare: {by: recall@5, baseline: naive, family: all, draws: 400}
context: {top: 3}
answer: extractive
`

const digest = (text: string | Buffer) => createHash('sha256').update(text).digest('hex').slice(0, 10)

/** Digest of a JSON value; doubles count with nine digits. */
const ofValue = (value: unknown) =>
  digest(
    JSON.stringify(value, (_, part) => {
      if (typeof part === 'bigint') return String(part)
      return typeof part === 'number' && !Number.isInteger(part) ? part.toPrecision(9) : part
    }),
  )

/** Digests of a table's columns, so that a change names its column. */
async function ofTable(path: string): Promise<Record<string, string>> {
  const table = await readTable(path)
  return Object.fromEntries(table.columns.map((name) => [name, ofValue(table.values(name))]))
}

async function ofResults(folder: string): Promise<unknown> {
  const tables = RESULT_TABLES.filter(({ file }) => existsSync(join(folder, file)))
  const { graphs, summary } = await readResults(folder)
  return {
    ...Object.fromEntries(
      await Promise.all(tables.map(async ({ file }) => [file, await ofTable(join(folder, file))] as const)),
    ),
    graphs: ofValue(graphs),
    ...Object.fromEntries(Object.entries(summary).map(([key, value]) => [`summary.${key}`, ofValue(value)])),
  }
}

/** Digests of all files of all artifacts in a store. */
async function ofStore(folder: string): Promise<readonly string[]> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()
  const lines = files
    .filter((file) => /\.(json|parquet|safetensors)$/.test(file) && !file.endsWith('artifact.json'))
    .map(async (file) => {
      const path = join(folder, file)
      const content = file.endsWith('parquet') ? ofValue(await ofTable(path)) : digest(readFileSync(path))
      return `${file.replace(/\/[0-9a-f]{32}/g, '')} ${content}`
    })
  return (await Promise.all(lines)).sort()
}

test('an experiment with most strategies has the artifacts and results that it had', async () => {
  const folder = temporaryFolder({ 'a.yaml': CONFIG })
  writeTowns(join(folder, 'towns'), { towns: 18 })
  const { run } = callsIn(folder)
  expect(await run('out')).toMatchObject({ code: 0, err: '' })
  expect(await ofStore(join(folder, '.touchstone'))).toMatchSnapshot()
  expect(await ofResults(join(folder, 'out'))).toMatchSnapshot()
})
