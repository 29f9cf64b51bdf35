import { describe, expect, test } from 'vitest'
import { isCount, measured, measureScale, pairedScale, signOf } from '../../src/report/measured.ts'
import {
  countVerdicts,
  lossesOf,
  lossInWords,
  type Rival,
  rankOf,
  tiedWith,
  verdictMark,
  verdictWord,
} from '../../src/report/outcome.ts'

const signs = (wins: number, ties: number, losses: number) => ({ wins, ties, losses })

describe('a compared row', () => {
  test.each([
    ['better', 1, 0, '▲', 'better'],
    ['worse', 0, 1, '▼', 'worse'],
    ['equivalent', 1, 1, '■', 'equivalent'],
    ['cannot tell', 2, 1, '○', 'cannot tell'],
    ['cannot tell', 0, 0, '=', 'identical'],
  ] as const)('%s with %i wins and %i losses is %s %s', (verdict, wins, losses, mark, word) => {
    const row = { ...signs(wins, 3, losses), verdict }
    expect([verdictMark(row), verdictWord(row), countVerdicts(row)]).toEqual([mark, word, wins + 3 + losses])
  })
})

const estimate = (mean: number, low: number | null = null, high: number | null = null, n = 10) => ({
  mean,
  low,
  high,
  n,
})
const rival = (name: string, whole: Rival['whole'], groups: Rival['groups'] = {}): Rival => ({
  name,
  whole,
  groups,
})

describe('rows by their mean', () => {
  test('equal means share the first of their ranks', () => {
    const means = [0.5, 0.4, 0.4 + 5e-13, undefined, 0.4 - 2e-12]
    expect(means.map((_, index) => rankOf(index, means))).toEqual([1, 2, 2, 4, 5])
  })

  test('others may tie with the first', () => {
    const rows = [
      rival('a', estimate(0.5, 0.4, 0.6)),
      ...[0.5 + 5e-13, 0.6, 0.5 + 2e-12].map((mean) => rival(String(mean), estimate(mean))),
    ]
    expect(tiedWith(rows).map(({ whole }) => whole.mean)).toEqual([0.5 + 5e-13])
  })
})

describe('groups in which another row is far above the first', () => {
  const first = rival('first', estimate(0.5), {
    least: estimate(0.4, 0.3, 0.5, 10),
    wide: estimate(0.2, 0.1, 0.3, 12),
    small: estimate(0.1, 0, 0.2, 9),
    close: estimate(0.3, 0.2, 0.5),
    lone: estimate(0.4, 0.3, 0.5),
    open: estimate(0.1),
    absent: undefined,
  })
  const others = [
    rival('near', estimate(0), { wide: estimate(0.6, 0.31, 0.9), close: estimate(0.7, 0.5, 0.9) }),
    rival('best', estimate(0), {
      wide: estimate(0.8, 0.7, 0.9),
      small: estimate(0.9, 0.8, 1),
      least: estimate(0.6, 0.51, 0.7),
      open: estimate(0.9, 0.8, 1),
      absent: estimate(0.9, 0.8, 1),
      lone: estimate(0.9),
    }),
  ]

  test('the widest gap comes first, with the best of the others', () => {
    const losses = lossesOf([first, ...others], 1)
    expect(losses).toEqual([
      { group: 'wide', n: 12, mean: 0.2, other: 'best', otherMean: 0.8 },
      { group: 'least', n: 10, mean: 0.4, other: 'best', otherMean: 0.6 },
    ])
    expect(lossInWords(losses[0])).toBe('wide (n = 12): 20.0, best 80.0')
  })

  test('of a measure that is better low, those below', () => {
    const low = rival('low', estimate(0), { wide: estimate(0.05, 0, 0.09), least: estimate(0.2, 0.1, 0.3) })
    const lower = rival('lower', estimate(0), { wide: estimate(0.01, 0, 0.02) })
    expect(lossesOf([first, low, lower], -1)).toEqual([
      { group: 'wide', n: 12, mean: 0.2, other: 'lower', otherMean: 0.01 },
    ])
  })
})

describe('measures', () => {
  const summary = { scales: { dollars: { better: 'lower', bounded: false } }, primary: 'dollars' } as never
  test('a share is shown in percent, a count as it is', () => {
    expect([isCount(summary, 'dollars'), isCount(summary, 'recall@5')]).toEqual([true, false])
    expect([measured(summary, 'dollars', 1204), measured(summary, 'recall@5', 0.6321)]).toEqual([
      '1,204',
      '63.2',
    ])
    expect([measured(summary, 'recall@5', 0.6321, 2), measured(summary, 'dollars', undefined)]).toEqual([
      '63.21',
      '–',
    ])
  })

  test('the scale is that of the experiment, or of the measure', () => {
    expect(measureScale(summary, 'dollars')).toEqual({ better: 'lower', bounded: false })
    expect(measureScale({}, 'recall@5')).toMatchObject({ better: 'higher', bounded: true })
    expect(pairedScale(summary, 'recall@5').better).toBe('higher')
    expect(pairedScale(summary, 'dollars').better).toBe('lower')
    expect([signOf(summary), signOf({ primary: 'recall@5' } as never)]).toEqual([-1, 1])
  })
})
