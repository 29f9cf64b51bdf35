import { expect, test } from 'vitest'
import { measured } from '../../../src/experiment/finish/answer-rows.ts'
import { summarizeAnswers } from '../../../src/experiment/finish/summarize-answers.ts'

const session = (compare: object = {}) =>
  ({
    trials: [
      { id: 't1', name: 'first', strategy: 'bm25' },
      { id: 't2', name: 'second', strategy: 'naive' },
    ],
    queries: ['q1', 'q2', 'q3', 'q4'].map((id) => ({ id })),
    plan: { experiment: { compare: { level: 0.05, baseline: 't1', ...compare } } },
  }) as never

const answer = (more: object = {}) => ({
  references: ['salt'],
  answerable: true,
  text: 'salt',
  written: 'salt [1]',
  refused: false,
  cited: [1],
  wrong: 0,
  gold: [true],
  passages: ['Salt.'],
  chunks: ['c'],
  failure: null,
  sent: 0,
  modelCalls: 0,
  inputTokens: 0,
  outputTokens: 0,
  dollars: 0,
  estimated: false,
  cut: 0,
  ...more,
})
const rowOf = (name: string, trial: number | null, answers: object[]) =>
  measured({ answering: { name }, trial, answers } as never)
const summary = (rows: object[], judges: object[] = [], of = session()) =>
  summarizeAnswers(of, rows as never, judges as never)

test('a row has the means of its answers, and quotes its first failures', () => {
  const failed = { text: '', written: '', cited: [], failure: 'no luck' }
  const row = rowOf('llm', 0, [
    answer({
      ...failed,
      sent: 10,
      modelCalls: 1,
      inputTokens: 100,
      outputTokens: 8,
      dollars: 0.5,
      seconds: 3,
    }),
    answer({ ...failed, sent: 20, modelCalls: 2, cut: 2, estimated: true, dollars: 0.25 }),
    answer({ ...failed, sent: 30, outputTokens: 4, cut: 1, seconds: 6 }),
    answer({ ...failed, inputTokens: 20 }),
  ])
  const { rows, comparisons, primary, judges } = summary([row])
  expect(rows[0]).toMatchObject({
    id: 't1 llm',
    trial: { id: 't1', name: 'first' },
    answerer: 'llm',
    perQuery: { sent: 15, modelCalls: 0.75, inputTokens: 30, outputTokens: 3 },
    dollars: 0.1875,
    seconds: 4.5,
    estimated: 1,
    cut: 3,
    failed: 4,
    failures: ['q1', 'q2', 'q3'].map((query) => ({ query, message: 'no luck' })),
  })
  // Nothing to compare the only row with.
  expect([comparisons, primary, judges]).toEqual([{ llm: null }, 'answer_f1', undefined])
})

test('a measure counts the answers that have it; the primary one is said even without any', () => {
  const row = rowOf('llm', 1, [
    answer(),
    answer({ text: 'ships' }),
    answer({ text: 'salt ships' }),
    answer({ references: [] }),
  ])
  const { measures, primary, rows } = summary([row])
  expect(primary).toBe('answer_f1')
  expect(measures[0].better).toBe('higher')
  // 1, 0 and 2/3.
  const { answer_f1: f1 } = rows[0].measures
  expect([f1.mean, f1.n]).toEqual([expect.closeTo(5 / 9, 12), 3])
  expect((f1.low ?? 9) < f1.mean && f1.mean < (f1.high ?? 0)).toBe(true)
  const none = summary([rowOf('llm', 0, [answer({ references: [] })])])
  expect(none.primary).toBe('answer_grounded')
  const answers = summary([row], [], session({ answers: 'correct' }))
  expect(answers.primary).toBe('correct')
  expect(answers.measures.at(-1)).toEqual({ name: 'correct', better: 'higher' })
  expect(answers.rows[0].measures.correct).toEqual({ mean: 0, low: null, high: null, n: 0 })
})
