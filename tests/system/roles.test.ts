import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readTable } from '../../src/tables/parquet.ts'
import { callsIn } from '../cli/calls.ts'
import { fakeModel, modelAt, replayOf } from '../cli/fake-model.ts'
import { writeTowns } from '../experiment/experiments.ts'
import { temporaryFolder } from '../temporary.ts'

/** A server that says to each prompt what `say` does; `say` gets the question too. */
async function setUp(trials: string, say: (content: string, question: string) => string, more = '') {
  const server = await fakeModel((prompt) =>
    say(prompt, [...prompt.matchAll(/^Question: (.*)$/gm)].at(-1)?.[1] ?? ''),
  )
  const folder = temporaryFolder({
    'a.yaml': `dataset: towns
prepare: {embedder: lsa, graph: [rules, titles]${more && `, ${more}`}}
models: {tiny: ${modelAt(server.baseUrl, 'model: tiny, price: {input: 1, output: 10}')}}
trials: ${trials}
measures: [recall@5]
compare: {draws: 200}
`,
  })
  writeTowns(join(folder, 'towns'), { towns: 12 })
  const calls = callsIn(folder)
  const trialsOf = (out: string) =>
    JSON.parse(readFileSync(join(folder, out, 'summary.json'), 'utf8')).trials as {
      name: string
      failed: number
      failures: { message: string }[]
      fallbacks: { when: string }[]
      perQuery: Record<string, number>
      measures: Record<string, { mean: number }>
    }[]
  const recallOf = (out: string) => trialsOf(out).map(({ measures }) => measures['recall@5'].mean)
  /** Runs, then runs again from the recording: the same bytes, and nothing more is asked. */
  async function runAndReplay() {
    expect(await calls.run('a')).toMatchObject({ code: 0 })
    const before = server.asked.length
    expect(await calls.run('b', ...replayOf('a'), '--shard-size', '3')).toMatchObject({ code: 0 })
    expect(server.asked).toHaveLength(before)
    expect(calls.resultOf('b')).toBe(calls.resultOf('a'))
  }
  return { ...server, ...calls, trialsOf, recallOf, runAndReplay }
}

test('rag-fusion: each query is searched for once, and the rankings are fused', async () => {
  const { runAndReplay, recallOf, trialsOf, asked, folder } = await setUp(
    `[bm25,
      {name: none, rag-fusion: {of: bm25, model: tiny, queries: 2}},
      {name: parts, rag-fusion: {of: bm25, by: parts, model: tiny, queries: 2}}]`,
    (content, question) =>
      content.startsWith('Break') ? JSON.stringify({ queries: ['zzz', 'zzz', question] }) : '{"queries": []}',
  )
  await runAndReplay()
  const [plain, none, parts] = recallOf('a')
  // No other query keeps the ranking; one that finds nothing takes nothing away.
  expect([none, parts]).toEqual([plain, plain])
  expect(trialsOf('a')[1].perQuery).toMatchObject({ modelCalls: 1, inputTokens: 100 })
  expect(asked).toHaveLength(2 * 13)
  // 100 tokens at $1 and 10 at $10 a million, by query.
  const table = await readTable(join(folder, 'a/diagnostics.parquet'), ['trial', 'name', 'value'])
  const names = table.strings('name')
  const costs = [...names.keys()].filter((row) => names[row] === 'cost_usd')
  expect(costs.map((row) => table.numbers('trial')[row])).toEqual([
    ...Array(13).fill(1),
    ...Array(13).fill(2),
  ])
  for (const row of costs) expect(table.numbers('value')[row]).toBeCloseTo(0.0002, 12)
  const values = (name: string) =>
    [...names.keys()].flatMap((row) => (names[row] === name ? [table.numbers('value')[row]] : []))
  expect(values('modelCalls')).toEqual(Array(26).fill(1))
  expect([values('inputTokens'), values('outputTokens')]).toEqual([Array(26).fill(100), Array(26).fill(10)])
})

test('JSON that is none is asked for once more, then its query fails and no other', async () => {
  let bad: string | undefined
  const { run, trialsOf, asked } = await setUp('[{lightrag: {model: tiny}}]', (_, question) => {
    bad ??= question
    if (question === bad) return 'Sure! Here are your keywords.'
    return '{"high_level_keywords": ["roads"], "low_level_keywords": []}'
  })
  const { code, err } = await run('a')
  expect(code).toBe(0)
  expect(trialsOf('a')[0].failed).toBe(1)
  expect(err).toContain('the model gave no JSON of the form asked for, twice')
  const repaired = asked.filter(({ body }) => body.messages.length === 3)
  expect(repaired).toHaveLength(1)
  expect(repaired[0].body.messages[2].content).toContain('not the JSON asked for')
})
