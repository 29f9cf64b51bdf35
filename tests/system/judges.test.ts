import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { CallsEstimate } from '../../src/experiment/plan/estimates/calls.ts'
import type { AnswersSummary } from '../../src/results/summary.ts'
import { callsInTowns } from '../cli/calls.ts'
import { fakeModel, modelAt, replayOf } from '../cli/fake-model.ts'

/** Says every answer is correct that names a town of the reference, and likes nothing else. */
function verdictOn(prompt: string): unknown {
  if (prompt.includes('kind="reference answers"')) {
    const part = (kind: string) => new RegExp(`kind="${kind}">\n([^]*?)\n</passage>`).exec(prompt)?.[1] ?? ''
    const wanted = part('reference answers')
      .split('\n')
      .map((line) => line.replace(/^- /, ''))
    return { reasoning: 'as asked', correct: wanted.some((answer) => part('answer').includes(answer)) }
  }
  if (prompt.includes('kind="statements"')) return { verdicts: { 1: { reasoning: '', follows: false } } }
  return { statements: ['It is so.'] }
}

async function setUp(judge: string, more = '', files: Record<string, string> = {}) {
  const server = await fakeModel((prompt) => JSON.stringify(verdictOn(prompt)))
  const calls = callsInTowns(
    `dataset: towns
models:
  tiny: ${modelAt(server.baseUrl, 'model: tiny, maxTokens: 50, price: {input: 1, output: 10}')}
trials: [bm25, naive]
measures: [recall@5]
answer: {extractive: {grid: {top: [1, 3]}}}
judge: ${judge}
prepare: {embedder: {lsa: {dims: 4}}}
compare: {draws: 200}
${more}`,
    files,
  )
  onTestFinished(() => void vi.unstubAllEnvs())
  const answers = (out: string): AnswersSummary => calls.summaryOf(out).answers as AnswersSummary
  return { ...server, ...calls, answers }
}

const ALL =
  '[{correctness: {model: tiny, labels: labels.jsonl}}, {faithfulness: {model: tiny}}, answer_similarity]'
const LABELS = {
  'labels.jsonl': [
    { question: 'Where?', answer: 'In Rome.', references: ['Rome'], label: 1 },
    { question: 'Where?', answer: 'In Bern.', references: ['Rome'], label: 0 },
    { question: 'Where?', answer: 'At the capital.', references: ['Rome'], label: 1 },
  ]
    .map((line) => JSON.stringify(line))
    .join('\n'),
}

test('every judge judges every answer; nothing is asked twice, and all of it replays', async () => {
  const { asked, run, answers, folder, resultOf, rowsOf } = await setUp(ALL, '', LABELS)
  expect(await run('a')).toMatchObject({ code: 0 })
  const { measures, rows, judges, primary } = answers('a')
  expect(measures.slice(0, 3).map(({ name }) => name)).toEqual([
    'correctness',
    'faithfulness',
    'answer_similarity',
  ])
  expect(primary).toBe('answer_f1')
  const [bm25] = rows
  expect(bm25.measures.correctness.mean).toBeGreaterThan(0)
  expect(bm25.measures.faithfulness.mean).toBe(0)
  expect(bm25.measures.answer_similarity.mean).toBeGreaterThan(0)

  const [correctness] = judges ?? []
  expect(correctness.agreement).toMatchObject({ n: 3, share: { n: 3 } })
  expect(correctness.agreement?.share.mean).toBeCloseTo(2 / 3, 12)
  // Two of three agree; by chance (1/3 * 2/3 + 2/3 * 1/3).
  expect(correctness.agreement?.kappa).toBeCloseTo((2 / 3 - 4 / 9) / (1 - 4 / 9), 12)

  expect((await rowsOf('a/answers.parquet'))[0]).toHaveProperty('correctness')
  // A reason for each verdict of a model, and none for those without a model.
  const reasons = await rowsOf('a/reasons.parquet')
  expect(new Set(reasons.map(({ judge }) => judge))).toEqual(new Set(['correctness', 'faithfulness']))

  const prompts = new Set(asked.map(({ body }) => JSON.stringify(body.messages)))
  expect(asked).toHaveLength(prompts.size)
  const before = asked.length
  expect(await run('again', '--shard-size', '3')).toMatchObject({ code: 0 })
  expect(await run('replayed', ...replayOf('a'))).toMatchObject({ code: 0 })
  expect(asked).toHaveLength(before)
  expect([resultOf('again'), resultOf('replayed')]).toEqual([resultOf('a'), resultOf('a')])
  const report = readFileSync(join(folder, 'a.html'), 'utf8')
  expect(report).toContain('agrees with labels')
  expect(report).not.toContain('&lt;code>')
})

const judgesOf = (out: string): CallsEstimate =>
  JSON.parse(out).toAsk.calls.find(({ role }: CallsEstimate) => role === 'judges')

test('a plan bounds what judging asks, and the budget holds for it', async () => {
  const { asked, run, call } = await setUp(
    '[{correctness: {model: tiny}}, {faithfulness: {model: tiny}}, answer_similarity]',
  )
  const judging = judgesOf((await call('plan', 'a.yaml', '--json')).out)
  // Four rows of 13 questions: one call of correctness, two of faithfulness.
  expect(judging).toMatchObject({ model: 'tiny', calls: 4 * 13 * 3, spareCalls: 4 * 13 * 3 })
  expect((await call('plan', 'a.yaml')).out).toContain(
    'calls for judges: tiny: at most 156 and up to 156 repeats, at most ',
  )
  expect(asked).toEqual([])

  // 100 read and 10 written: $0.0002 a verdict.
  const stopped = await run('a', '--set', 'budget.dollars=0.001')
  expect(stopped.code).toBe(2)
  expect(stopped.err).toMatch(/left undone: \d+ of 156 verdicts on answers/)
  const paid = asked.length
  expect(paid).toBeLessThan(5 + 8)
  expect(await run('a')).toMatchObject({ code: 0 })
  const prompts = new Set(asked.map(({ body }) => JSON.stringify(body.messages)))
  expect(asked).toHaveLength(prompts.size)
  expect(asked.length * 0.0002).toBeLessThanOrEqual(Number(judging.dollars))
})
