import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { callsInTowns } from '../cli/calls.ts'
import { completion, modelAt, replayOf } from '../cli/fake-model.ts'
import { type Behaviour, fakeServer } from '../models/fake-server.ts'

/** A model's extraction from a town's passage. */
function extracted(messages: readonly { readonly content: string }[]): string {
  if (messages.length > 1) return '<|COMPLETE|>'
  const [, town, craft, other] =
    /(Town\w+) lives by (\w+)\. Its road leads to (Town\w+),/.exec(messages[0].content) ?? []
  return `("entity"<|>${town}<|>place<|>${town} is a town)
("entity"<|>${craft}<|>thing<|>a craft)
("entity"<|>${other}<|>place<|>the road leads there)
("relationship"<|>${town}<|>${other}<|>the road of ${town} leads to ${other}<|>7)
("relationship"<|>${town}<|>${craft}<|>${town} lives by ${craft}<|>9)
<|COMPLETE|>`
}

const TOWNS = 12
/** The extraction, and what was missed. */
const CALLS = 2 * TOWNS

async function setUp(
  behave: (n: number, messages: readonly { readonly content: string }[]) => Behaviour = (_, messages) =>
    completion(extracted(messages)),
  more = '',
) {
  const server = await fakeServer((n, { body }) => behave(n, body.messages))
  const calls = callsInTowns(
    `dataset: towns
prepare: {graph: {llm-graphrag: {model: tiny}}}
models:
  tiny: ${modelAt(server.baseUrl, 'model: tiny, maxTokens: 40, concurrency: 2, price: {input: 1, output: 10}')}
trials: [bm25, {lightrag: {}}]
compare: {draws: 200}
${more}`,
    {},
    TOWNS,
  )
  return { ...server, ...calls }
}

test('a run asks each question once, and replays from its own answers to the same bytes', async () => {
  const { asked, run, call, folder, resultOf } = await setUp()
  const planned = async () => JSON.parse((await call('plan', 'a.yaml', '--json')).out)
  const before = await planned()
  expect(asked).toHaveLength(0)
  expect(before.toAsk.calls).toMatchObject([
    { role: 'corpus', model: 'tiny', calls: TOWNS, outputTokens: 40 * TOWNS },
  ])
  expect(before.toAsk.later).toEqual([{ step: 'llm-graphrag', queries: null }])
  // The content of its graph is not known yet.
  expect(before.toEmbed).toEqual({ chunks: TOWNS, queries: TOWNS + 1 })

  expect((await run('first')).code).toBe(0)
  expect(asked).toHaveLength(CALLS)
  expect(readFileSync(join(folder, 'first', 'summary.json'), 'utf8')).not.toContain('"about":"Not read"')
  const after = await planned()
  expect(after.toAsk).toMatchObject({ calls: [{ calls: 0, stored: { completions: CALLS } }], later: [] })
  expect(after.toEmbed).toMatchObject({ entities: 0, relationships: 0 })

  expect((await run('replayed', ...replayOf('first'))).code).toBe(0)
  expect(asked).toHaveLength(CALLS)
  expect(resultOf('replayed')).toBe(resultOf('first'))
  const lines = readFileSync(join(folder, 'first', 'answers.jsonl'), 'utf8')
    .trim()
    .split('\n')
  expect(lines).toHaveLength(CALLS)
  writeFileSync(join(folder, 'few.jsonl'), lines.slice(1).join('\n'))
  const lacking = await run(
    'lacking',
    '--set',
    'models.tiny={recorded: {path: few.jsonl, price: {input: 1, output: 10}}}',
    '--store',
    'third',
  )
  expect([lacking.code, lacking.err]).toEqual([2, expect.stringContaining('few.jsonl: holds no completion')])
})

test('a store that was filled from other answers is refused, not mixed', async () => {
  const { run } = await setUp()
  await run('first')
  const other = await setUp((_, messages) => completion(extracted(messages).replaceAll('a craft', 'a trade')))
  await other.run('first')
  const answers = join(other.folder, 'first', 'answers.jsonl')
  const mixed = await run(
    'mixed',
    '--set',
    `models.tiny={recorded: {path: ${answers}, price: {input: 1, output: 10}}}`,
  )
  expect([mixed.code, mixed.err]).toEqual([
    2,
    expect.stringContaining(
      '.touchstone: holds what llm-graphrag made of other completions than those of this run',
    ),
  ])
  expect(
    (
      await run(
        'apart',
        '--set',
        `models.tiny={recorded: {path: ${answers}, price: {input: 1, output: 10}}}`,
        '--store',
        'another',
      )
    ).code,
  ).toBe(0)
})

test('prepare asks within the budget, and what is kept counts', async () => {
  const { asked, run, call } = await setUp(undefined, 'budget: {tokens: 1090}')
  const stopped = await call('prepare', 'a.yaml')
  expect([stopped.code, stopped.err]).toEqual([2, expect.stringContaining('the budget of 1,090 tokens')])
  expect(stopped.err).toMatch(
    /left undone: \d+ completions of `tiny`, further calls of llm-graphrag about the corpus/,
  )
  // No more than what was under way.
  expect(asked.length).toBeGreaterThanOrEqual(10)
  expect(asked.length).toBeLessThanOrEqual(11)
  const paid = asked.length
  expect((await run('a')).err).toContain('is used up')
  expect(asked).toHaveLength(paid)
  expect((await call('prepare', 'a.yaml', '--set', 'budget.tokens=100000')).code).toBe(0)
  expect(asked).toHaveLength(CALLS)
  expect((await run('a', '--set', 'budget.tokens=100000')).code).toBe(0)
  expect(asked).toHaveLength(CALLS)
})
