import { expect, test } from 'vitest'
import { drawsNote } from '../../src/report/notes.ts'
import type { ComparisonSummary } from '../../src/results/summary.ts'

test('too few draws are told where p is multiplied, and only there', () => {
  const note = (correction: string, rows: number, draws: number) =>
    drawsNote({ correction, rows: Array(rows).fill({}), draws, level: 0.05 } as unknown as ComparisonSummary)
  expect(note('holm', 501, 10_000)).toBe(
    '10,000 draws are too few for any finding here: the smallest p times 501 comparisons is above 0.05. `correction: max-t` does not multiply.',
  )
  expect(note('bonferroni', 6, 100)).toContain('100 draws are too few')
  for (const fine of [note('holm', 500, 10_000), note('max-t', 999, 100), note('none', 999, 100)])
    expect(fine).toBe('')
})
