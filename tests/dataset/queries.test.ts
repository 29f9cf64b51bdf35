import { describe, expect, test } from 'vitest'
import { clusterQueries, fieldOf, sharedGold } from '../../src/dataset/clusters.ts'
import { sampleQueries } from '../../src/dataset/sample.ts'
import type { Dataset } from '../../src/dataset/types.ts'
import type { JudgedQuery } from '../../src/types.ts'

const query = (id: string, more: Partial<JudgedQuery> = {}): JudgedQuery => ({
  id,
  text: `text of ${id}`,
  metadata: {},
  category: null,
  answers: [],
  answerable: true,
  ...more,
})
const dataset = (more: object): Dataset =>
  ({
    documents: [],
    queries: [],
    qrels: new Map(),
    spans: new Map(),
    groups: new Map(),
    judgedUnit: 'document',
    ...more,
  }) as unknown as Dataset

describe('queries', () => {
  const queries = ['a', 'b', 'c', 'd'].map((id, i) =>
    query(id, { metadata: i < 2 ? { topic: { x: 1 } } : {}, category: i > 1 ? 'c' : null }),
  )
  const qrels = new Map([
    [
      'a',
      new Map([
        ['d1', 1],
        ['d2', 1],
      ]),
    ],
    ['b', new Map([['d2', 2]])],
    [
      'c',
      new Map([
        ['d2', 0],
        ['d3', 1],
      ]),
    ],
  ])
  const judged = { queries, qrels, spans: new Map(), judgedUnit: 'document' } as never as Parameters<
    typeof clusterQueries
  >[1]

  test('that share relevant gold, a document or a field are a cluster', () => {
    expect([...clusterQueries('gold', judged)]).toEqual([0, 0, 2, 3])
    const documentsOf = (chunk: string) => [chunk === 'd1' ? 'x' : 'y']
    expect([...clusterQueries('document', judged, documentsOf)]).toEqual([0, 0, 0, 3])
    expect([...clusterQueries('document', judged)]).toEqual([0, 0, 2, 3])
    expect([...clusterQueries('topic', judged)]).toEqual([0, 0, 1, 2])
    expect([...clusterQueries('category', judged)]).toEqual([0, 1, 2, 2])
    const spans = new Map([
      ['a', [{ documentId: 'd', start: 0, end: 1 }]],
      ['b', [{ documentId: 'd', start: 5, end: 6 }]],
    ])
    const spanned = { ...judged, spans, judgedUnit: 'span' } as typeof judged
    expect([...clusterQueries('gold', spanned)]).toEqual([0, 1, 2, 3])
    expect([...clusterQueries('document', spanned)]).toEqual([0, 0, 2, 3])
    expect([
      fieldOf(queries[0], 'topic'),
      fieldOf(queries[2], 'topic'),
      fieldOf(query('q', { metadata: { n: null } }), 'n'),
    ]).toEqual(['{"x":1}', null, null])
    expect(sharedGold(judged)).toEqual({ by: 'gold', queries: 2, groups: 1, largest: 2 })
    expect(sharedGold(spanned)).toEqual({ by: 'document', queries: 2, groups: 1, largest: 2 })
    const more = (count: number) => ({
      ...judged,
      queries: [...queries, ...Array.from({ length: count }, (_, i) => query(`x${i}`))],
    })
    expect([
      sharedGold(more(16))?.queries,
      sharedGold(more(17)),
      sharedGold({ ...judged, qrels: new Map() }),
    ]).toEqual([2, null, null])
  })

  test('of a sample are drawn; labels of the others leave', () => {
    const whole = dataset({ ...judged, documentsHash: 'h', hash: 'x' })
    const few = sampleQueries(whole, { queries: 2, seed: 0 })
    expect([few.sample, few.hash]).toEqual([{ queries: 2, seed: 0, of: 4 }, expect.not.stringMatching(/^x$/)])
    const ids = few.queries.map(({ id }) => id)
    expect([...few.qrels.keys()].every((id) => ids.includes(id))).toBe(true)
    const drawn = (seed: number, count = 2) =>
      sampleQueries(whole, { queries: count, seed }).queries.map(({ id }) => id)
    expect([drawn(0).length, drawn(0, 4), drawn(0, 9)]).toEqual([
      2,
      ['a', 'b', 'c', 'd'],
      ['a', 'b', 'c', 'd'],
    ])
    expect(new Set([0, 1, 2, 3, 4, 5].map((seed) => drawn(seed).join())).size).toBeGreaterThan(1)
  })
})
