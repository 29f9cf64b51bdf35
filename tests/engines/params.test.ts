import { describe, expect, test } from 'vitest'
import { chroma } from '../../src/engines/chroma.ts'
import { opensearch } from '../../src/engines/opensearch.ts'
import { pgvector } from '../../src/engines/pgvector.ts'
import { over } from './engine-contract.ts'

const kinds = { chroma, opensearch, pgvector }
type Kind = keyof typeof kinds
const parse = (kind: Kind, params: object) => kinds[kind].params.safeParse(params)

describe('params of engines', () => {
  test.each<[Kind, object]>([
    ['chroma', { m: 16, efSearch: 100 }],
    ['opensearch', { analyzer: 'standard', shards: 1, replicas: 0, index: 'hnsw', m: 16, efSearch: 100 }],
    ['pgvector', { index: 'hnsw', m: 16, efSearch: 40 }],
  ])('%s has these defaults', (kind, params) => {
    expect(parse(kind, {}).data).toEqual(params)
  })

  test.each<[Kind, string, number, number]>([
    ['chroma', 'm', 2, 100],
    ['chroma', 'efSearch', 1, 10_000],
    ['opensearch', 'shards', 1, 1024],
    ['opensearch', 'replicas', 0, 10],
    ['opensearch', 'm', 2, 100],
    ['opensearch', 'efSearch', 1, 10_000],
    ['pgvector', 'm', 2, 100],
    ['pgvector', 'efSearch', 1, 1000],
  ])('%s takes a `%s` from %i to %i', (kind, name, least, most) => {
    const takes = (value: number) => parse(kind, { [name]: value }).success
    expect([least - 1, least, most, most + 1].map(takes)).toEqual([false, true, true, false])
  })

  test('an HNSW index of pgvector gives 1000 results at most, and is given only the settings it has', () => {
    const dense = (params: object, depth: number) =>
      pgvector.dense(over({}), parse('pgvector', params).data ?? {}, depth)
    expect(dense({}, 1000).how).toBe(40)
    expect(() => dense({}, 1001)).toThrow('`pool` must be 1000 or less with `index: hnsw`')
    expect(dense({ index: 'ivfflat' }, 1001)).toMatchObject({ how: null, index: { params: { m: 16 } } })
  })

  test('an RRF of OpenSearch has a constant of 1 or more', () => {
    const bm25 = { k1: 0.9, b: 0.4 }
    const hybrid = (rrfK: number) =>
      opensearch.hybrid?.(over({}), parse('opensearch', {}).data ?? {}, bm25, { fusion: 'rrf', rrfK })
    expect(hybrid(1)?.how).toEqual({ fusion: { fusion: 'rrf', rrfK: 1 }, efSearch: 100 })
    expect(() => hybrid(0.5)).toThrow("OpenSearch's `rrfK` is 1 or more")
  })
})
