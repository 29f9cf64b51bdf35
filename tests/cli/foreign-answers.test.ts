import { expect, test } from 'vitest'
import { countTokens } from '../../src/text/tokens.ts'
import { callsInTowns } from './calls.ts'

const CONFIG = `dataset: towns
trials: [bm25]
measures: [recall@5]
answer: [extractive, {recorded: {path: theirs.jsonl}}]
`

const CRAFTS = ['weaving', 'glass', 'salt', 'ships', 'clocks', 'honey']
const town = (number: number) => `Town${String.fromCharCode(65 + number)}${number}`
const line = (number: number, answer: string, contexts?: string[]) =>
  JSON.stringify({ query: `What does ${town(number)} live by?`, answer, contexts })

test('answers of another system are a row beside ours, with the same measures', async () => {
  // Of 12 questions of the towns the file answers 4: two exactly, one in a sentence, one wrongly.
  const theirs = [
    line(0, CRAFTS[0], ['TownA0 lives by weaving.']),
    line(2, CRAFTS[2]),
    line(4, `It lives by ${CRAFTS[4]} [1]`, ['clocks, clocks']),
    line(6, 'tin'),
  ]
  const { call, summaryOf, rowsOf } = callsInTowns(CONFIG, { 'theirs.jsonl': `${theirs.join('\n')}\n` })
  const done = await call('run', 'a.yaml', '-o', 'out', '--workers', '1')
  expect(done.code).toBe(0)
  // The leaderboard ranks retrieval; rows of answers are elsewhere.
  expect(done.out).toContain('\nMeasures of the answers: the leaderboard of the report\n')
  expect(
    summaryOf('out').answers?.rows.map(({ trial, answerer }) => [trial?.name ?? null, answerer]),
  ).toEqual([
    [null, 'recorded(path=theirs.jsonl)'],
    ['bm25', 'extractive'],
  ])
  const rows = await rowsOf('out/answers.parquet')
  const recordedRows = rows.filter(({ answerer }) => String(answerer).startsWith('recorded'))
  const at = (answer: string) => recordedRows.find((row) => row.answer === answer) as Record<string, unknown>
  expect([at('weaving').answer_em, at('weaving').answer_f1, at('tin').answer_f1]).toEqual([1, 1, 0])
  // Citations are no words of the answer: 1 of 4 words is right.
  const sentence = at('It lives by clocks [1]')
  expect([sentence.answer_em, Number(sentence.answer_f1).toFixed(3), sentence.cited]).toEqual([
    0,
    '0.400',
    '1',
  ])
  // Tokens of the contexts that the file holds.
  expect([at('weaving').sent, at('salt').sent]).toEqual([countTokens('TownA0 lives by weaving.'), 0])
  // A question without an answer counts as a failure.
  const failed = recordedRows.filter(({ failure }) => String(failure) !== '')
  expect(failed).toHaveLength(recordedRows.length - 4)
  // Results have the same bytes wherever the file is.
  expect(failed[0].failure).toBe('theirs.jsonl holds no answer to this question')
})

const chunk = (at: number) =>
  `${town(at)} lives by ${CRAFTS[at % 6]}. Its road leads to ${town((at + 5) % 12)}, and its fair is held in week ${at}.`

test('costs that another system recorded are in its row, and its passages count for citations', async () => {
  const theirs = [
    {
      query: `What does ${town(0)} live by?`,
      answer: `${CRAFTS[0]} [2]`,
      contexts: ['glacier', chunk(0)],
      tokens: { input: 900, output: 24 },
      calls: 2,
      cost: 0.25,
      latency: 1.5,
      model: 'theirs',
    },
    { query: 'Who sells tundra?', answer: 'nobody' },
  ]
  const { call, summaryOf } = callsInTowns(CONFIG, { 'theirs.jsonl': JSON.stringify(theirs) })
  expect((await call('check', 'a.yaml')).code).toBe(0)
  expect((await call('run', 'a.yaml', '-o', 'out', '--workers', '1')).code).toBe(0)
  const [recorded, ours] = summaryOf('out').answers?.rows ?? []
  expect([recorded.dollars, recorded.seconds, ours.dollars, ours.seconds]).toEqual([
    0.25 / 13,
    1.5,
    0,
    undefined,
  ])
  expect(recorded.perQuery.modelCalls * 13).toBe(2)
  expect([recorded.perQuery.inputTokens * 13, recorded.perQuery.outputTokens * 13]).toEqual([900, 24])
  expect([recorded.measures.citation_precision, recorded.measures.citation_recall]).toMatchObject([
    { mean: 1, n: 1 },
    { mean: 1, n: 1 },
  ])
})
