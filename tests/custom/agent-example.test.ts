import { copyFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { callsIn } from '../cli/calls.ts'
import { fakeModel, modelAt, replayOf } from '../cli/fake-model.ts'
import { temporaryFolder } from '../temporary.ts'

const AGENT = fileURLToPath(new URL('../../docs/examples/agent.mjs', import.meta.url))

const TEXTS = [
  'The ferry crosses the strait at noon.',
  'Salt was taxed.',
  'A bronze bell hangs above the harbour.',
]
const jsonLines = (values: readonly object[]) => values.map((value) => `${JSON.stringify(value)}\n`).join('')

/** The next line of a model for the searches so far. */
const LINES: Readonly<Record<string, readonly string[]>> = {
  'When does the ferry cross?': ['grep: ferry', 'bm25: bronze bell', 'DONE'],
  'What was taxed?': ['hybrid: what was taxed', 'hybrid: what was taxed'],
  'Where is the bell?': ['I do not know.'],
}

test('the agent of docs/examples searches until it is done, repeats itself or is not understood', async () => {
  const { baseUrl } = await fakeModel((prompt) => {
    const [, question = ''] = /Question: (.*)/.exec(prompt) ?? []
    const calls = prompt.slice(prompt.indexOf('Question:')).match(/^(?:grep|bm25|hybrid): /gm) ?? []
    return LINES[question][calls.length]
  })
  const folder = temporaryFolder({
    'data/corpus.jsonl': jsonLines(TEXTS.map((text, i) => ({ _id: `d${i}`, text }))),
    'data/queries.jsonl': jsonLines(Object.keys(LINES).map((text, i) => ({ _id: `q${i}`, text }))),
    'data/qrels/test.tsv': 'q0\td0\t1\nq0\td2\t1\nq1\td1\t1\nq2\td2\t1\n',
    'a.yaml': `dataset: data
prepare: {embedder: lsa}
models: {tiny: ${modelAt(baseUrl)}}
trials: [bm25, ./agent.mjs: {model: tiny, passages: 1}]
measures: [recall@5, calls_to_all_gold, wasted_calls]
`,
  })
  copyFileSync(AGENT, join(folder, 'agent.mjs'))
  const calls = callsIn(folder)
  const { code, err } = await calls.run('out')
  expect(code, err).toBe(0)
  const agentOf = (out: string) => {
    const { trials } = JSON.parse(readFileSync(join(folder, out, 'summary.json'), 'utf8'))
    return trials.find(({ strategy }: { strategy: string }) => strategy.includes('agent'))
  }
  const { measures, perQuery } = agentOf('out')
  expect(measures['recall@5'].mean).toBeCloseTo(2 / 3, 12)
  expect(measures['calls_to_all_gold@4000tok'].mean).toBeCloseTo((2 + 1 + 11) / 3, 12)
  expect(measures['wasted_calls@4000tok'].mean).toBe(0)
  // Three calls of tools, six of the model; one loop was stopped, one line was not understood.
  expect(perQuery).toMatchObject({ calls: 1, modelCalls: 2, loops: 1 / 3, unreadable: 1 / 3 })
  const replayed = await calls.run('again', ...replayOf('out'))
  expect(replayed.code, replayed.err).toBe(0)
  expect(agentOf('again').measures).toEqual(measures)
})
