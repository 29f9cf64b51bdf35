import { describe, expect, test } from 'vitest'
import { graphNames, graphRows } from '../../src/report/graph-rows.ts'
import { isCount, measured, measureScale, pairedScale, signOf } from '../../src/report/measured.ts'
import {
  countVerdicts,
  lossesOf,
  lossInWords,
  markLegend,
  type Rival,
  rankOf,
  tiedWith,
  verdictMark,
  verdictWord,
} from '../../src/report/outcome.ts'
import { sharedGoldInWords, sharedGoldNote } from '../../src/report/shared-gold.ts'

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

  test('the legend has the marks that occur, in one order', () => {
    const rows = [
      { ...signs(0, 9, 0), verdict: 'cannot tell' as const },
      { ...signs(0, 1, 8), verdict: 'worse' as const },
      { ...signs(5, 1, 0), verdict: 'better' as const },
    ]
    expect(markLegend(rows)).toBe('▲ better, ▼ worse, = identical')
    expect(markLegend([])).toBe('')
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

describe('queries that share gold', () => {
  const shared = { queries: 1200, groups: 1, largest: 3 }
  const WHAT =
    '1,200 of 2,000 queries share gold with another query, in 1 group of up to 3, so they are not independent. `compare.cluster: gold` resamples groups instead of queries.'

  test('are counted in words', () => {
    expect(sharedGoldInWords({ ...shared, by: 'gold' }, 2000)).toBe(WHAT)
    expect(sharedGoldInWords({ by: 'document', queries: 1, groups: 2, largest: 2 }, 1)).toBe(
      '1 of 1 query have gold in the same document as another query, in 2 groups of up to 2, so they are not independent. `compare.cluster: document` resamples groups instead of queries.',
    )
  })

  test('are a warning where each is resampled alone', () => {
    const one = { dataset: { shared: { ...shared, by: 'gold' }, queries: 2000 } }
    const note = (given: object) => sharedGoldNote(given as never)
    expect(note({ comparison: {}, one })).toBe(
      `${WHAT} Without it, intervals are too narrow and too many differences count as significant.`,
    )
    expect(note({ comparison: null, one })).toBe(note({ comparison: {}, one }))
    const none = [
      { comparison: { cluster: 'gold' }, one },
      { comparison: {}, one: null },
      { comparison: {}, one: { dataset: {} } },
    ]
    expect(none.map(note)).toEqual(['', '', ''])
  })
})

describe('a graph in words', () => {
  const graph = {
    statistics: {
      entities: 1200,
      relationships: 3400,
      components: 2,
      largestComponent: 1100,
      isolatedEntities: 3,
      isolatedChunks: 4,
      chunks: 500,
      entitiesPerChunk: 2.5,
    },
    shape: {
      degrees: [
        { from: 0, to: 0, entities: 3 },
        { from: 1, to: 1, entities: 20 },
        { from: 2, to: 3, entities: 1177 },
      ],
      neighborsPerChunk: 6.25,
      largest: [
        { name: 'Lomm', neighbors: 1300, chunks: 9 },
        { name: 'Orr', neighbors: 2, chunks: 1 },
      ],
      duplicates: Array.from({ length: 6 }, (_, i) => [`a${i}`, `A${i}`]),
    },
    reach: { queries: 0, linked: 0, byHops: [] },
  }
  const rows = (more: object) => graphRows({ ...graph, ...more } as never)
  const PLAIN = [
    ['entities', '1,200'],
    ['relationships', '3,400'],
    ['components', '2'],
    ['entities in the largest component', '1,100'],
    ['entities without a relationship', '3'],
    ['chunks', '500'],
    ['chunks without an entity', '4'],
    ['entities per chunk', '2.5'],
    ['chunks that relationships lead to from a chunk', '6.3'],
    ['entities with 0 neighbours', '3'],
    ['entities with 1 neighbour', '20'],
    ['entities with 2 to 3 neighbours', '1,177'],
    ['groups of entities whose names differ by signs or letter case', '6'],
  ]

  test('has a row a number', () => {
    expect(rows({})).toEqual(PLAIN)
    const byHops = [
      { hops: 1, gold: 0.5, chunks: 0.125 },
      { hops: 2, gold: 0.75, chunks: 0.5 },
    ]
    const cost = { calls: 1000, inputTokens: 5000, outputTokens: 20, dollars: 0.5 }
    expect(rows({ reach: { queries: 1, linked: 0.25, byHops }, cost, seconds: 0 })).toEqual([
      ...PLAIN,
      ['queries that name an entity', '25.0 %'],
      ['gold within 1 hop of named entities (chunks reached: 12.5 %)', '50.0 %'],
      ['gold within 2 hops of named entities (chunks reached: 50.0 %)', '75.0 %'],
      ['model calls to build', '1,000'],
      ['tokens to build, input and output', '5,000 + 20'],
      ['dollars to build', '$0.50'],
      ['seconds to build', '0'],
    ])
    expect(rows({ cost: { ...cost, dollars: null } }).map(([name]) => name)).not.toContain('dollars to build')
  })

  test('names its largest entities, and the first of those that are alike', () => {
    expect(graphNames(graph as never)).toEqual([
      'most neighbours: Lomm (1,300), Orr (2)',
      'alike: a0 = A0; a1 = A1; a2 = A2; a3 = A3; a4 = A4',
    ])
    expect(graphNames({ shape: { ...graph.shape, duplicates: [] } } as never)).toHaveLength(1)
  })
})
