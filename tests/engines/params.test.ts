import { describe, expect, test } from 'vitest'
import { indexedTexts } from '../../src/corpus/chunks/units.ts'
import { embedTexts } from '../../src/corpus/dense/embeddings.ts'
import chroma from '../../src/engines/chroma.ts'
import opensearch from '../../src/engines/opensearch.ts'
import pgvector from '../../src/engines/pgvector.ts'
import { over } from './engine-contract.ts'

const kinds = { chroma, opensearch, pgvector }
type Kind = keyof typeof kinds
const parse = (kind: Kind, params: object) => kinds[kind].params.safeParse(params)

describe('params of engines', () => {
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

  test('an HNSW index of pgvector gives 1000 results at most, and settings of a search make no other index', () => {
    const check = (params: object, depth: number) =>
      pgvector.make(pgvector.params.parse(params)).checkDepth?.(depth)
    expect(() => check({}, 1000)).not.toThrow()
    expect(() => check({}, 1001)).toThrow('`pool` must be 1000 or less with `index: hnsw`')
    expect(() => check({ index: 'ivfflat' }, 1001)).not.toThrow()
    const recipe = over({})
    const embeddings = embedTexts(recipe, 'chunks', indexedTexts(recipe))
    const key = (kind: Kind, params: object) =>
      kinds[kind].make(kinds[kind].params.parse(params) as never).dense(embeddings).key
    expect(key('pgvector', { efSearch: 90 })).toBe(key('pgvector', {}))
    expect(key('opensearch', { efSearch: 90 })).toBe(key('opensearch', {}))
    expect(key('chroma', { efSearch: 90 })).not.toBe(key('chroma', {}))
  })
})
