import { describe, expect, test } from 'vitest'
import { compareRows } from '../../../src/experiment/finish/compare-rows.ts'

const QUERIES = 16
const row = (id: string, values: readonly number[]) => ({
  id,
  name: id.toUpperCase(),
  strategy: id,
  values: Float64Array.from(values),
  quality: values.reduce((sum, value) => sum + value, 0) / values.length,
})
const low = row('a', new Array(QUERIES).fill(0))
const high = row(
  'b',
  Array.from({ length: QUERIES }, (_, query) => (query % 2 ? 1 : 0.5)),
)
const mixed = row(
  'c',
  Array.from({ length: QUERIES }, (_, query) => query % 2),
)
const rows = [low, high, mixed]

describe('a comparison of rows', () => {
  const compare = (more: object = {}) =>
    ({
      by: 'recall@5',
      level: 0.05,
      correction: 'none',
      family: 'all',
      draws: 200,
      seed: 1,
      ...more,
    }) as never

  test('has the tests of a family, and names the rows that are not tested', () => {
    const made = compareRows(rows, 'a', compare({ cluster: 'gold', margin: 0.1 }), 'higher', {
      untested: new Set(['c']),
    })
    expect(made).toMatchObject({
      measure: 'recall@5',
      baseline: 'a',
      level: 0.05,
      correction: 'none',
      family: 'all',
      draws: 200,
      margin: 0.1,
      untested: ['C'],
      cluster: 'gold',
      rows: [
        {
          id: 'b',
          name: 'B',
          baseline: 'a',
          difference: 0.75,
          wins: 16,
          ties: 0,
          losses: 0,
          verdict: 'better',
        },
      ],
    })
    expect(made?.rows[0]).not.toHaveProperty('strata')
    expect(made?.rows[0].datasets).toMatchObject([{ difference: 0.75, verdict: 'better' }])
    const plain = compareRows(rows, 'a', compare(), 'lower')
    expect(plain?.rows.map(({ id, verdict }) => [id, verdict])).toEqual([
      ['b', 'worse'],
      ['c', 'worse'],
    ])
    expect(plain).toMatchObject({ margin: null })
    expect(plain).not.toHaveProperty('untested')
    expect(plain).not.toHaveProperty('cluster')
  })

  test('over several datasets has differences of each, without verdicts of their own', () => {
    const made = compareRows([low, mixed], 'a', compare(), 'higher', { strata: [6, 10] })
    expect(made?.rows[0].datasets).toMatchObject([
      { difference: 0.5, verdict: null },
      { difference: 0.5, verdict: null },
    ])
  })

  test('is none without another row, or without the baseline', () => {
    expect(compareRows([low], 'a', compare(), 'higher')).toBeNull()
    expect(compareRows([high, mixed], 'a', compare(), 'higher')).toBeNull()
    expect(compareRows(rows, 'a', compare(), 'higher', { untested: new Set(['a']) })).toBeNull()
  })
})
