import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { membersOf } from '../../../src/corpus/graph/csr.ts'
import { extractGraph } from '../../../src/corpus/graph/extraction.ts'
import { defineExtractor, type Link, type Mention } from '../../../src/corpus/graph/extractors/index.ts'
import { chunksOf } from './chunks.ts'

/** An extractor that finds what it is told. */
const extractionOf = (
  name: string,
  mentions: readonly Mention[],
  links: readonly Link[] = [],
  notices = {},
) => ({
  definition: defineExtractor({
    name,
    version: 1,
    summary: '',
    params: z.strictObject({}),
    make: () => ({
      extract: () => ({ mentions, links, describe: { separator: '. ', tokens: 100 }, notices }),
    }),
  }) as never,
  params: {},
})

const input = chunksOf([
  ['', 'a'],
  ['', 'b'],
  ['', 'c'],
])

describe('merging what extractors find', () => {
  it('makes one entity for each key: first spelling, most frequent type, texts in chunk order', async () => {
    const { graph, counts } = await extractGraph(input, [
      extractionOf('one', [
        { name: 'ADA', chunk: 2, count: 1, type: 'x', text: 'third' },
        { name: 'Ada!', chunk: 0, count: 1, type: 'y', text: 'first' },
        { name: 'ada', chunk: 0, count: 2, type: 'z', text: 'first' },
        { name: '...', chunk: 0, count: 1 },
      ]),
      extractionOf('two', [
        { name: 'Ada', chunk: 1, count: 1, type: 'y', text: 'from two' },
        { name: 'Bob', chunk: -1, count: 1 },
      ]),
    ])
    const { entities } = graph
    expect(entities.keys).toEqual(['ada', 'bob'])
    expect(entities.names).toEqual(['Ada!', 'Bob'])
    expect(entities.types).toEqual(['y', ''])
    expect(entities.descriptions).toEqual(['first. third\nfrom two', ''])
    expect([...membersOf(graph.chunksOfEntity, 0)]).toEqual([0, 1, 2])
    expect([...graph.chunksOfEntity.counts]).toEqual([3, 1, 1])
    expect(counts.one).toMatchObject({ entities: 1, emptyNames: 1 })
    expect(counts.two).toMatchObject({ entities: 2, emptyNames: 0 })
  })

  it('adds up relationships of an ordered pair, counts what cannot be one', async () => {
    const mentions = ['a', 'b', 'c'].map((name) => ({ name, chunk: 0, count: 1 }))
    const link = (source: string, target: string, rest: Partial<Link> = {}) => ({
      source,
      target,
      predicate: 'was met by the',
      chunk: 0,
      weight: 1,
      ...rest,
    })
    const { graph, facts, counts } = await extractGraph(input, [
      extractionOf('one', mentions, [
        link('a', 'b', { chunk: 1, weight: 2, description: 'later' }),
        link('A', 'B', { alsoIn: [2] }),
        link('b', 'a'),
        link('a', 'a'),
        link('a', 'nobody'),
        link('a', 'c', { weight: Number.NaN }),
        link('a', 'c', { weight: -1 }),
      ]),
    ])
    const { relationships } = graph
    expect([...relationships.sources]).toEqual([0, 1])
    expect([...relationships.targets]).toEqual([1, 0])
    expect([...relationships.weights]).toEqual([3, 1])
    expect(relationships.descriptions[0]).toBe('A was met by the B\nlater')
    expect(relationships.keywords[0]).toBe('met')
    expect([...membersOf(graph.chunksOfRelationship, 0)]).toEqual([0, 1, 2])
    expect([...relationships.combinedDegrees]).toEqual([2, 2])
    expect([...membersOf(graph.relationshipsOfEntity, 0)]).toEqual([0, 1])
    expect([...graph.csr.weights]).toEqual([4, 4])
    expect(counts.one).toMatchObject({
      relationships: 2,
      selfRelationships: 1,
      danglingRelationships: 1,
      badWeights: 2,
    })
    // A fact is what was said, whatever its weight and whoever it is about.
    expect(facts.predicates).toEqual(['was met by the', 'was met by the', 'was met by the', 'was met by the'])
    expect([...facts.counts]).toEqual([1, 2, 2, 1])
  })
})
