import { describe, expect, test } from 'vitest'
import chroma from '../../src/engines/chroma.ts'
import opensearch from '../../src/engines/opensearch.ts'
import pgvector from '../../src/engines/pgvector.ts'

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
})
