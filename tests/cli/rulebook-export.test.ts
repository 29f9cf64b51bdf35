import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readTable } from '../../src/tables/parquet.ts'
import { runConfig, runOptions } from '../experiment/experiments.ts'
import { temporaryFolder } from '../temporary.ts'
import { callsIn } from './calls.ts'

const lines = (records: readonly object[]) => records.map((one) => `${JSON.stringify(one)}\n`).join('')

const CHUNKS = [
  ['Combat', 'Grabbed', 'A grabbed creature stays where it is.'],
  ['Combat', 'Escaping', 'To get away, roll against your foe.'],
  ['Travel', 'Swimming', 'A creature that swims stays wet.'],
].map(([chapter, heading, text], n) => ({
  chunk_id: `c${n}`,
  ruleset_id: 'sf',
  book_id: 'core',
  run_id: 'r1',
  text,
  section_path: [chapter, heading],
}))
const QUESTIONS = [
  { query_id: 'q1', query: 'Which creature stays grabbed?', expected_chunk_ids: ['c0'] },
  { query_id: 'q2', query: 'How do I get away?', expected_chunk_ids: ['c1'] },
]

test('chunks of an export stand below their headings, by which chapters are chosen; `check` names the run', async () => {
  const folder = temporaryFolder({
    'export/enriched_chunks.json': lines(CHUNKS),
    'export/questions.json': lines(QUESTIONS),
    'export/traversal_indexes.json': lines([{ ruleset_id: 'sf', book_id: 'core', run_id: 'r1' }]),
    'a.yaml': `dataset: {mongoexport: {path: export}}
prepare: {chunk: passages}
trials: [bm25, {name: chapter, bm25: {}, after: [{chapter-routing: {top: 1, by: heading}}]}]
compare: {draws: 200}
`,
  })
  const { call } = callsIn(folder, {})
  expect((await call('check', 'a.yaml')).out).toContain('note: built as run r1 of sf, core\n')
  const asked = async (trial: string) =>
    (await call('ask', 'a.yaml', 'Which creature stays grabbed?', '--trial', trial)).out
  const plain = await asked('bm25')
  expect(plain).toContain('1. Combat > Grabbed  (c0, score ')
  expect(plain).toContain('2. Travel > Swimming  (c2, score ')
  const routed = await asked('chapter')
  expect(routed).toContain('1. Combat > Grabbed  (c0, score ')
  expect(routed).not.toContain('Travel')
  // The report shows these names.
  await runConfig(join(folder, 'a.yaml'), join(folder, 'store'), runOptions(join(folder, 'out')))
  expect((await readTable(join(folder, 'out/texts.parquet'))).strings('title')).toEqual([
    'Combat > Grabbed',
    'Combat > Escaping',
    'Travel > Swimming',
  ])
})
