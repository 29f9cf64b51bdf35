import { expect, test } from 'vitest'
import { rendered } from '../../src/report/markup.ts'
import { judgesTable } from '../../src/report/sections/answers.tsx'
import type { JudgeSummary } from '../../src/results/summary.ts'

const judge = (n: number, mean: number): JudgeSummary => ({
  name: 'correctness',
  modelCalls: 0,
  inputTokens: 0,
  outputTokens: 0,
  estimated: 0,
  cut: 0,
  failed: 0,
  failures: [],
  agreement: { n, share: { mean, low: null, high: null, n }, kappa: null },
})

const cellsOf = (judge: JudgeSummary) => {
  const view = judgesTable([judge])
  return [...rendered(view).matchAll(/<td>(.*?)<\/td>/gs)].map(([, cell]) =>
    cell.replace(/<[^>]*>/g, '').trim(),
  )
}

test('a judge that gave no verdict on a labelled answer agrees in no share, not in 0', () => {
  expect(cellsOf(judge(2, 0)).slice(0, 3)).toEqual(['0.0', '–', '2'])
  expect(cellsOf(judge(0, 0)).slice(0, 3)).toEqual(['–', '–', '0'])
})
