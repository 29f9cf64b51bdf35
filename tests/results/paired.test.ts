import { describe, expect, test } from 'vitest'
import { comparePaired, countedIn, type OpenRows, pairedMeans, pairedRows } from '../../src/results/paired.ts'

const NONE = Number.NaN
const measures = ['recall@5', 'mrr@10']

function rowsOf(
  folder: string,
  ids: readonly string[],
  values: Readonly<Record<string, readonly number[]>>,
  more: Partial<OpenRows> = {},
): OpenRows {
  return {
    folder,
    ids,
    clusters: undefined,
    summary: { measures, trials: [] },
    manifest: { dataset: 'x' },
    names: new Map(Object.keys(values).map((name, row) => [name, `id ${row}`])),
    values: (name: string) => Float64Array.from(values[name]),
    ...more,
  } as unknown as OpenRows
}
const now = rowsOf('new', ['q1', 'q2', 'q3'], { alpha: [0.1, 0.2, 0.3], beta: [1, NONE, 0.5] })
const before = rowsOf('old', ['q3', 'q1', 'q4'], { alpha: [0.6, 0.7, 0.8], gamma: [0.9, 0.4, 0] })

describe('rows of two experiments', () => {
  test('are paired by name and by query', () => {
    const paired = pairedRows(now, before, 'recall@5', [])
    expect(paired).toEqual({
      measure: 'recall@5',
      summary: now.summary,
      sameData: true,
      clusters: undefined,
      queries: ['q1', 'q3'],
      rows: [{ name: 'alpha', now: Float64Array.of(0.1, 0.3), before: Float64Array.of(0.7, 0.6) }],
      alone: { now: { rows: ['beta'], queries: 1 }, before: { rows: ['gamma'], queries: 1 } },
    })
    expect(pairedRows(now, before, 'recall@5', [{ before: 'gamma', now: 'alpha' }]).rows).toEqual([
      { name: 'gamma -> alpha', now: Float64Array.of(0.1, 0.3), before: Float64Array.of(0.4, 0.9) },
    ])
    const clustered = { ...now, clusters: Int32Array.of(7, 8, 9) }
    const other = rowsOf('old', before.ids, { alpha: [0, 0, 0] }, { manifest: { dataset: 'y' } as never })
    const { clusters, sameData } = pairedRows(clustered, other, 'recall@5', [])
    expect([clusters, sameData]).toEqual([Int32Array.of(7, 9), false])
  })

  const errors = (...args: Parameters<typeof pairedRows>) => {
    try {
      pairedRows(...args)
    } catch (error) {
      return (error as { diagnostics: unknown }).diagnostics
    }
    return undefined
  }

  test('share a row and a query', () => {
    expect(errors(now, rowsOf('old', ['q1'], { gamma: [1] }), 'recall@5', [])).toEqual([
      {
        file: 'new',
        message:
          'has no row with the same name as a row of old: `alpha`, `beta` here, `gamma` there; rows are paired by name, so give equal trials equal names',
      },
    ])
    expect(errors(now, rowsOf('old', ['q9'], { alpha: [1] }), 'recall@5', [])).toEqual([
      {
        file: 'new',
        message:
          'has no query id in common with old; queries are paired by id, so compare experiments over the same questions',
      },
    ])
  })
})

describe('a comparison of paired rows', () => {
  const row = (name: string, before: number[], now: number[]) => ({
    name,
    before: Float64Array.from(before),
    now: Float64Array.from(now),
  })
  const high = [1, 1, 1, 0.5, 1, 1, 1, 1, 0.5, 1]
  const low = high.map((value, query) => (query % 2 === 0 ? value - 0.5 : value))
  const better = row('better', [...low, NONE, 0], [...high, 1, 0])
  const same = row('same', [...low, 1, 0.5], [...low, 1, NONE])
  const fitted = row('fitted', [...low.map(() => NONE), 1, 0], [...low, 0.5, 0.5])
  const lost = row('lost', [...low.map(() => NONE), NONE, NONE], [...low, 0.5, 0.5])
  const rows = [better, same, fitted, lost]

  test('is over the queries that count in all', () => {
    expect(countedIn([better])).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11])
    expect(countedIn([better, same])).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
    expect(countedIn([])).toEqual([])
    expect(pairedMeans({ rows, measure: 'm' } as never).map(({ n }) => n)).toEqual([11, 11, 2, 0])
    expect(pairedMeans({ rows: [fitted], measure: 'm' } as never)).toEqual([
      { name: 'fitted', measure: 'm', n: 2, before: 0.5, now: 0.5 },
    ])
  })

  test('tests rows together, and leaves out untested ones and those without a query', () => {
    const scale = { better: 'higher', range: { least: 0, most: 1 } } as never
    const tested = comparePaired({ rows, measure: 'm', clusters: undefined }, scale, new Set(['fitted']))
    expect(tested.map(({ name, n, test }) => [name, n, test === null])).toEqual([
      ['better', 10, false],
      ['same', 10, false],
      ['fitted', 2, true],
      ['lost', 0, true],
    ])
    expect(tested[0].test).toMatchObject({ difference: 0.25, wins: 5, ties: 5, losses: 0 })
    expect(tested[1].test).toMatchObject({ difference: 0, wins: 0, ties: 10, losses: 0 })
    expect([tested[0].before, tested[0].now]).toEqual([0.65, 0.9].map((mean) => expect.closeTo(mean, 12)))
    const none = comparePaired({ rows: [lost], measure: 'm', clusters: undefined }, scale, new Set())
    expect(none[0].test).toBeNull()
  })
})
