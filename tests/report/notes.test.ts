import { describe, expect, test } from 'vitest'
import { latencyNotes } from '../../src/report/latency-notes.ts'
import { baselineName, comparedName, differencesTo } from '../../src/report/notes.ts'

const comparison = (more: object = {}) => ({
  draws: 10_000,
  baseline: 't1',
  family: 'all',
  correction: 'max-t',
  level: 0.05,
  rows: [{ verdict: 'better' }],
  ...more,
})
const board = (more: object = {}) =>
  ({
    ranked: [{ id: 't1', name: 'bm25', kind: 'trial' }],
    seen: [{ id: 't2', name: 'naive' }],
    comparison: comparison(),
    tuning: { kind: 'none' },
    missing: [],
    level: 0.05,

    datasets: [
      { name: 'a', judged: 1000 },
      { name: 'b', judged: 1190 },
    ],
    ...more,
  }) as never

describe('notes below a leaderboard', () => {
  test('name the rows that are compared', () => {
    expect(baselineName(board())).toBe('bm25')
    expect(baselineName(board({ comparison: comparison({ baseline: 'tuned:hybrid' }) }))).toBe('tuned:hybrid')
    const row = { id: 't2', baseline: 't1' } as never
    expect(comparedName(board())(row)).toBe('naive')
    const pairs = board({ comparison: comparison({ family: 'pairs' }) })
    expect([comparedName(pairs)(row), differencesTo(pairs)]).toEqual([
      'naive − bm25',
      'the second row of the pair',
    ])
    expect(comparedName(pairs, new Map())({ id: 'x', baseline: 'y' } as never)).toBe('x − y')
    expect(differencesTo(board())).toBe('bm25')
  })
})

describe('notes on times', () => {
  const trial = (name: string, more: object = {}) => ({
    name,
    queries: 20,
    repeats: 1,
    p50: { value: 10 },
    p95: { value: 20, high: 30 },
    byRepeat: { p50: [10, 20], p95: [10, 20] },
    ...more,
  })
  const notes = (trials: object[], load: object = {}) =>
    latencyNotes({ load: { before: 0.5, highest: 2, cores: 2, ...load }, trials } as never)
  const TIMES =
    'Times: 20 queries × 1 repeat per trial, load 0.5 before and at most 2.0 while timing, on 2 cores.'

  test('say how these were measured', () => {
    expect(notes([trial('a')])).toEqual([TIMES])
    expect(notes([])).toEqual([])
  })
})
