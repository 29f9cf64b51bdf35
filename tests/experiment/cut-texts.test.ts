import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { callsIn } from '../cli/calls.ts'
import { describeSharedModels, shared } from '../shared.ts'
import { temporaryFolder } from '../temporary.ts'

const lines = (...items: unknown[]) => items.map((item) => `${JSON.stringify(item)}\n`).join('')
const LONG = 'The council met and spoke of drains, roads and the price of bread. '
const FILES = {
  'data/corpus.jsonl': lines(
    { _id: 'a', text: `${LONG.repeat(30)}The ferry sank off Vesk.` },
    { _id: 'b', text: `${LONG.repeat(25)}The comet was seen at Orr.` },
    { _id: 'c', text: 'The lighthouse stands at Lomm.' },
  ),
  'data/queries.jsonl': lines(
    { _id: 'q1', text: 'Where did the old ferry sink in autumn?' },
    { _id: 'q2', text: 'Orr?' },
  ),
  'data/qrels/test.tsv': 'q1\ta\t1\nq2\tb\t1\n',
}
const config = (trials: string, embedder = '') => `dataset: data
prepare: {chunk: passages, embedder: {transformers: {model: ${shared('models', 'all-MiniLM-L6-v2')}${embedder}}}}
trials: ${trials}
measures: [recall@1]
compare: {draws: 100}
`
const CHUNKS =
  /2 of 3 chunks are longer than the 256 tokens that all-MiniLM-L6-v2 [^ ]+ [^ ]+ reads; \d\d % of their \d+ tokens are not read\. Use smaller chunks/

describeSharedModels('chunks that a model cuts', () => {
  test('are counted by plan, check, prepare, run, the summary and the report; kept vectors change nothing', async () => {
    const folder = temporaryFolder({ ...FILES, 'a.yaml': config('[naive, bm25]') })
    const { call, run } = callsIn(folder)
    expect((await call('check', 'a.yaml')).out).toContain('`touchstone plan` counts the chunks')
    expect((await call('plan', 'a.yaml')).err.replaceAll(',', '')).toMatch(CHUNKS)
    expect((await call('check', 'a.yaml')).out.replaceAll(',', '')).toMatch(CHUNKS)
    expect((await call('prepare', 'a.yaml')).err.replaceAll(',', '')).toMatch(CHUNKS)
    const { err } = await run('out')
    expect(err.replaceAll(',', '')).toMatch(CHUNKS)
    const report = readFileSync(join(folder, 'out.html'), 'utf8')
    expect(report.slice(report.indexOf('id="limits"'))).toContain('2 of 3 chunks are longer')
    const summary = readFileSync(join(folder, 'out', 'summary.json'), 'utf8')
    expect(summary.replaceAll(',', '')).toMatch(CHUNKS)
    rmSync(join(folder, 'out'), { recursive: true })
    await run('out')
    expect(readFileSync(join(folder, 'out', 'summary.json'), 'utf8')).toBe(summary)
  })
})
