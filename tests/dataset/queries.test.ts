import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { clusterQueries, fieldOf, sharedGold } from '../../src/dataset/clusters.ts'
import { compareSpans, parseSpanId, relevantSpans, spanId } from '../../src/dataset/collapse.ts'
import { sampleQueries } from '../../src/dataset/sample.ts'
import type { Dataset } from '../../src/dataset/types.ts'
import { writeBeir } from '../../src/dataset/write-beir.ts'
import type { JudgedQuery } from '../../src/types.ts'
import { temporaryFolder } from '../temporary.ts'

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

const span = (documentId: string, start: number, end: number, grade?: number) => ({
  documentId,
  start,
  end,
  ...(grade !== undefined && { grade }),
})

test('spans have names, an order and grades', () => {
  expect([
    spanId(span('a:1-2', 3, 4)),
    parseSpanId('a:1-2:3-4'),
    parseSpanId('a'),
    parseSpanId(':0-1'),
  ]).toEqual(['a:1-2:3-4', span('a:1-2', 3, 4), undefined, span('', 0, 1)])
  const spans = [span('b', 0, 1), span('a', 2, 3), span('a', 1, 9), span('a', 1, 2)]
  expect([...spans].sort(compareSpans).map(spanId)).toEqual(['a:1-2', 'a:1-9', 'a:2-3', 'b:0-1'])
  expect(
    relevantSpans([span('a', 0, 1), span('b', 0, 1, 0), span('c', 0, 1, 1), span('d', 0, 1, 2)]).map(
      ({ documentId }) => documentId,
    ),
  ).toEqual(['a', 'c', 'd'])
  expect(relevantSpans(undefined)).toEqual([])
})

test('spans are written with their groups and grades', () => {
  const written = (more: object) => {
    const folder = join(temporaryFolder(), 'new')
    writeBeir(dataset(more), folder)
    return readFileSync(join(folder, 'qrels/spans.tsv'), 'utf8')
  }
  const queries = [query('q'), query('r')]
  const gold = { documentId: 'a', start: 1, end: 2 }
  const plain = { queries, judgedUnit: 'span', spans: new Map([['q', [gold]]]) }
  expect(written(plain)).toBe('query-id\tcorpus-id\tstart\tend\nq\ta\t1\t2\n')
  const spans = new Map([['q', [gold, { ...gold, start: 0, grade: 2 }]]])
  expect(written({ ...plain, spans, groups: new Map([['q', [['a:0-2']]]]) })).toBe(
    'query-id\tcorpus-id\tstart\tend\tgroup\tgrade\nq\ta\t1\t2\t\t\nq\ta\t0\t2\tg1\t2\n',
  )
})
