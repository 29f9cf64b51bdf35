import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parquetReadObjects } from 'hyparquet'
import { expect, test } from 'vitest'
import type { AnswersSummary } from '../../src/results/answers.ts'
import { countTokens } from '../../src/text/tokens.ts'
import { setUp } from './set-up.ts'

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
  const { folder, call } = setUp(CONFIG, { 'theirs.jsonl': `${theirs.join('\n')}\n` })
  const done = await call('run', 'a.yaml', '-o', 'out', '--workers', '1')
  expect(done.code).toBe(0)
  const { answers }: { answers: AnswersSummary } = JSON.parse(
    readFileSync(join(folder, 'out/summary.json'), 'utf8'),
  )
  expect(answers.rows.map(({ trial, answerer }) => [trial?.name ?? null, answerer])).toEqual([
    [null, 'recorded(path=theirs.jsonl)'],
    ['bm25', 'extractive'],
  ])
  const bytes = readFileSync(join(folder, 'out/answers.parquet'))
  const rows = await parquetReadObjects({
    file: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer,
  })
  const own = rows.filter(({ answerer }) => String(answerer).startsWith('recorded'))
  const at = (answer: string) => own.find((row) => row.answer === answer) as Record<string, unknown>
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
  const failed = own.filter(({ failure }) => String(failure) !== '')
  expect(failed).toHaveLength(own.length - 4)
  expect(failed[0].failure).toMatch(/theirs\.jsonl holds no answer to this question/)
})

test('a file of other lines is refused with their numbers', async () => {
  const lines = `${line(0, 'a')}\n${line(0, 'b')}\n{"question": "c"}\nno json\n${'{}\n'.repeat(9)}`
  const { call } = setUp(CONFIG, { 'theirs.jsonl': lines })
  const refused = await call('check', 'a.yaml')
  expect(refused.code).toBe(2)
  expect(refused.err).toMatch(/theirs\.jsonl:2: repeats a query above/)
  expect(refused.err).toMatch(/theirs\.jsonl:3: is not \{"query"/)
  expect(refused.err).toMatch(/theirs\.jsonl:4: /)
  expect(refused.err).toMatch(/theirs\.jsonl: 5 more like these/)
})
