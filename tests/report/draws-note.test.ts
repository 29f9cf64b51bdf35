import { expect, test } from 'vitest'
import { drawsNote } from '../../src/report/notes.ts'
import type { ComparisonSummary } from '../../src/results/summary.ts'

test('a warning names too few draws if p is multiplied, and only then', () => {
  const note = (correction: string, rows: number, draws: number) =>
    drawsNote({ correction, rows: Array(rows).fill({}), draws, level: 0.05 } as unknown as ComparisonSummary)
  expect(note('holm', 501, 10_000)).toBe(
    '10,000 draws are too few for a significant result: the smallest possible p times 501 comparisons exceeds 0.05. Use more draws or `correction: max-t`.',
  )
  expect(note('bonferroni', 6, 100)).toContain('100 draws are too few')
  for (const fine of [note('holm', 500, 10_000), note('max-t', 999, 100), note('none', 999, 100)])
    expect(fine).toBe('')
})
