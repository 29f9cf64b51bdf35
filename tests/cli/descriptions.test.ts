import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { writeTowns } from '../experiment/experiments.ts'
import { fakeServer } from '../models/fake-server.ts'
import { temporaryFolder } from '../temporary.ts'
import { callsIn } from './calls.ts'

const TOWNS = 12
/** Of 12 towns, 6 crafts are named by two towns each; of each town, its own passage and one other speak. */
const EXTRACT = '("entity"<|>'

async function setUp(summaryOf: (content: string) => string) {
  const server = await fakeServer((_, { body }) => {
    const { content } = body.messages[0]
    const text = content.includes(EXTRACT) ? extracted(content) : summaryOf(content)
    return {
      json: {
        ...{ id: 'c', object: 'chat.completion', created: 1, model: 'tiny' },
        choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }],
        usage: { prompt_tokens: 100, completion_tokens: 10 },
      },
    }
  })
  const folder = temporaryFolder({
    'a.yaml': `dataset: towns
prepare:
  graph: {llm-graphrag: {model: tiny, gleanings: 0}}
  descriptions: {grid: [joined, {llm: {model: tiny}}]}
models:
  tiny: {openai-compatible: {baseUrl: "${server.baseUrl}", model: tiny, maxTokens: 40, concurrency: 2, price: {input: 1, output: 10}}}
trials: [bm25, {lightrag: {}}, {hipporag: {}}]
compare: {draws: 200}
`,
  })
  writeTowns(join(folder, 'towns'), { towns: TOWNS })
  const asked = () =>
    server.asked.map(({ body }) => String(body.messages[0].content)).filter((it) => !it.includes(EXTRACT))
  return { ...callsIn(folder, {}), asked }
}

function extracted(content: string): string {
  const [, town, craft, other] = /(Town\w+) lives by (\w+)\. Its road leads to (Town\w+),/.exec(content) ?? []
  return `("entity"<|>${town}<|>place<|>${town} is a town of ${craft})
("entity"<|>${craft}<|>thing<|>${town} makes ${craft})
("entity"<|>${other}<|>place<|>the road of ${town} leads there)
("relationship"<|>${town}<|>${other}<|>the road<|>7)
("relationship"<|>${town}<|>${craft}<|>${town} lives by ${craft}<|>9)
<|COMPLETE|>`
}

test('what several passages say is summarised once, for the trials that read descriptions', async () => {
  const { call, run, asked, folder, resultOf } = await setUp((content) => {
    const [, names] = /kind="statements">\n(.+)\n/.exec(content) ?? []
    return `All that is known of ${names}.`
  })
  expect(await run('first')).toMatchObject({ code: 0 })
  // Towns and crafts have two descriptions each; no pair of them has.
  expect(asked()).toHaveLength(TOWNS + 6)
  expect(asked().find((content) => content.includes('>\nweaving\n'))).toContain(
    '<passage kind="statements">\nweaving\n- TownA0 makes weaving\n- TownG6 makes weaving\n</passage>',
  )
  const summary = JSON.parse(readFileSync(join(folder, 'first', 'summary.json'), 'utf8'))
  // HippoRAG reads no descriptions, nor does BM25: one trial each.
  expect(summary.trials.map(({ name }: { name: string }) => name)).toEqual([
    'bm25',
    'lightrag descriptions=joined',
    'lightrag descriptions=llm(model=tiny)',
    'hipporag',
  ])
  const [joined, told] = summary.indexes.map(({ counts }: { counts: object }) => counts)
  expect(joined).not.toHaveProperty('summarizedEntities')
  expect(told).toMatchObject({ summarizedEntities: TOWNS + 6, summarizedRelationships: 0 })
  expect(told).not.toHaveProperty('unreadDescriptions')

  const replay = ['--set', 'recording=first/answers.jsonl', '--store', 'other']
  expect((await run('replayed', ...replay)).code).toBe(0)
  expect(asked()).toHaveLength(TOWNS + 6)
  expect(resultOf('replayed')).toBe(resultOf('first'))
  // Asked from so many on that nothing is.
  const few = '--set=prepare.descriptions={llm: {model: tiny, minDescriptions: 3}}'
  expect((await call('prepare', 'a.yaml', few)).code).toBe(0)
  expect(asked()).toHaveLength(TOWNS + 6)
})

test('descriptions that no answer could be read of stay joined, and are counted', async () => {
  const { run, folder } = await setUp((content) => (content.includes('>\nweaving\n') ? '' : 'A summary.'))
  const { err, code } = await run('a')
  expect(code).toBe(0)
  expect(err).toContain(
    'warning: descriptions: llm: 1 of 18 descriptions stay joined: no completion for them could be read',
  )
  expect(readFileSync(join(folder, 'a', 'summary.json'), 'utf8')).toContain('"unreadDescriptions":1')
})

test('a plan bounds them once the graph is extracted; a prompt that lacks them is told', async () => {
  const { call, asked, folder } = await setUp(() => 'A summary.')
  const planned = async () => JSON.parse((await call('plan', 'a.yaml', '--json')).out).toAsk
  expect((await planned()).open.map(({ step }: { step: string }) => step)).toEqual([
    'llm-graphrag',
    'descriptions: llm',
  ])
  await call('prepare', 'a.yaml', '--set', 'prepare.descriptions=joined')
  expect(asked()).toHaveLength(0)
  expect((await planned()).models).toMatchObject([{ calls: TOWNS + 6 }])
  writeFileSync(join(folder, 'mine.md'), 'Summarise, please.\n')
  const mine = await call(
    'check',
    'a.yaml',
    '--set',
    'prepare.descriptions={llm: {model: tiny, prompt: mine.md}}',
  )
  expect(mine.err).toContain('mine.md: this prompt lacks `{{descriptions}}`')
})
