import { describe, expect, test } from 'vitest'
import { chroma } from '../../src/engines/chroma/kind.ts'
import { opensearch } from '../../src/engines/opensearch/kind.ts'
import { pgvector } from '../../src/engines/pgvector/kind.ts'
import { over } from './engine-contract.ts'

const kinds = { chroma, opensearch, pgvector }
type Kind = keyof typeof kinds
const parse = (kind: Kind, params: object) => kinds[kind].params.safeParse(params)

describe('params of engines', () => {
  test.each<[Kind, object]>([
    ['chroma', { urlEnv: 'TOUCHSTONE_CHROMA', m: 16, efConstruction: 100, efSearch: 100 }],
    [
      'opensearch',
      {
        ...{ urlEnv: 'TOUCHSTONE_OPENSEARCH', analyzer: 'standard', shards: 1, replicas: 0, index: 'hnsw' },
        ...{ m: 16, efConstruction: 100, efSearch: 100 },
      },
    ],
    [
      'pgvector',
      {
        ...{ urlEnv: 'TOUCHSTONE_POSTGRES', index: 'hnsw', m: 16, efConstruction: 64, efSearch: 40 },
        probes: 10,
      },
    ],
  ])('%s has these defaults', (kind, params) => {
    expect(parse(kind, {}).data).toEqual({ ...params, checkRecall: true })
  })

  const exact = { index: 'exact' }
  test.each<[Kind, string, number, number, object?]>([
    ['chroma', 'm', 2, 100],
    ['chroma', 'efConstruction', 4, 1000],
    ['chroma', 'efSearch', 1, 10_000],
    ['opensearch', 'shards', 1, 1024],
    ['opensearch', 'replicas', 0, 10],
    ['opensearch', 'm', 2, 100],
    ['opensearch', 'efConstruction', 4, 1000],
    ['opensearch', 'efSearch', 1, 10_000],
    ['pgvector', 'm', 2, 100, exact],
    ['pgvector', 'efConstruction', 4, 1000, exact],
    ['pgvector', 'efSearch', 1, 1000],
    ['pgvector', 'lists', 1, 32_768],
    ['pgvector', 'probes', 1, 32_768],
  ])('%s takes a `%s` from %i to %i', (kind, name, least, most, more = {}) => {
    const takes = (value: number) => parse(kind, { ...more, [name]: value }).success
    expect([least - 1, least, most, most + 1].map(takes)).toEqual([false, true, true, false])
  })

  test.each<[Kind, object, string | undefined]>([
    ['pgvector', { m: 32, efConstruction: 63 }, 'must be 2 `m` or more, that is 64'],
    ['pgvector', { m: 32, efConstruction: 64 }, undefined],
    ['pgvector', { m: 32, efConstruction: 63, index: 'ivfflat' }, undefined],
  ])('%s takes %j, or says %s', (kind, params, message) => {
    const [issue] = parse(kind, params).error?.issues ?? []
    if (message === undefined) expect(issue).toBeUndefined()
    else expect(issue.message).toContain(message)
  })

  test('an HNSW index of pgvector gives 1000 results at most, and is given only the settings it has', () => {
    const dense = (params: object, depth: number) =>
      pgvector.dense?.(over({}), parse('pgvector', params).data ?? {}, depth)
    expect(dense({}, 1000)?.how).toEqual({ efSearch: 40, probes: 10 })
    expect(() => dense({}, 1001)).toThrow('`pool` must be 1000 or less with `index: hnsw`')
    expect(dense({ index: 'ivfflat', lists: 7 }, 1001)?.index.params).toEqual({
      ...{ index: 'ivfflat', m: 16, efConstruction: 64, lists: 7 },
    })
  })

  test('an RRF of OpenSearch has a constant of 1 or more', () => {
    const bm25 = { k1: 0.9, b: 0.4 }
    const hybrid = (rrfK: number) =>
      opensearch.hybrid?.(over({}), parse('opensearch', {}).data ?? {}, bm25, { fusion: 'rrf', rrfK })
    expect(hybrid(1)?.how).toEqual({ fusion: { fusion: 'rrf', rrfK: 1 }, graph: { efSearch: 100 } })
    expect(() => hybrid(0.5)).toThrow("OpenSearch's `rrfK` is 1 or more")
  })
})
