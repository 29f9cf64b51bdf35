import fc from 'fast-check'
import '../../parts.ts'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { chunkDocuments } from '../../../src/corpus/chunks/chunk.ts'
import { extractGraph, readGraph, writeGraph } from '../../../src/corpus/graph/extraction.ts'
import { extractors } from '../../../src/corpus/graph/extractors/index.ts'
import { byRelationships } from '../../../src/corpus/graph/neighbors.ts'
import { resolve } from '../../../src/registry.ts'
import { readTable } from '../../../src/tables/parquet.ts'
import type { Document, Json } from '../../../src/types.ts'
import { temporaryFolder } from '../../temporary.ts'

const FEATS: Document = {
  id: 'feats.md',
  title: 'Feats',
  text: [
    '# Feats',
    '## Keen Eye',
    '*Prerequisite: Level 4+*',
    '**Night.** You gain Darkvision. *See also* "Grip."',
    '## Grip',
    'Hold on.',
  ].join('\n\n'),
  metadata: { traits: ['Origin', ['Rare']], note: 7 },
}
const RULES = {
  has_trait: [{ metadata: 'traits' }],
  describes: [{ text: '(?m)^\\*\\*([^*.]+)\\.\\*\\*' }],
  requires_level: [{ text: 'Prerequisite: (Level \\d+)', content_kind: '^feat$' }],
  grants_ability: [{ text: 'you gain (\\w+)' }, { value: 'Hold', heading: '^grip$' }],
}

async function extract(rules: Json, documents = [FEATS]) {
  const chunks = chunkDocuments(documents, { name: 'headings', params: {} }).map((chunk) => ({
    ...chunk,
    metadata: { ...chunk.metadata, content_kind: 'feat' },
  }))
  const chosen = [
    resolve(extractors, { name: 'structure', params: {} }),
    resolve(extractors, { name: 'patterns', params: { rules } }),
  ]
  return { chunks, graph: (await extractGraph({ chunks, documents }, chosen)).graph }
}

test('relations are typed: of structure, of the metadata, by patterns', async () => {
  const { graph } = await extract(RULES)
  const { names } = graph.entities
  const said = graph.relationships.relations.map((kinds, row) => {
    const [source, target] = [graph.relationships.sources[row], graph.relationships.targets[row]]
    return `${names[source]} ${kinds.join('+')} ${names[target]}`
  })
  expect(said.sort()).toEqual([
    'Feats > Keen Eye next+references Feats > Grip',
    'Feats contains Feats > Grip',
    'Feats contains+next Feats > Keen Eye',
    'Feats has_trait Origin',
    'Feats has_trait Rare',
    'Grip grants_ability Hold',
    'Grip has_trait Origin',
    'Grip has_trait Rare',
    'Keen Eye describes Night',
    'Keen Eye grants_ability Darkvision',
    'Keen Eye has_trait Origin',
    'Keen Eye has_trait Rare',
    'Keen Eye requires_level Level 4',
  ])
})

test('the relation is a column of relationships.parquet and is read again', async () => {
  const folder = temporaryFolder()
  const { graph, chunks } = await extract(RULES)
  writeGraph(folder, graph, chunks)
  const table = await readTable(join(folder, 'relationships.parquet'))
  expect(table.lists('relation')).toEqual(graph.relationships.relations)
  expect((await readGraph(folder)).relationships).toEqual(graph.relationships)
})

test('walks take and leave relations by name: as over the relationships that are left alone', async () => {
  const kinds = fc.subarray(['contains', 'next', 'has_trait'])
  const link = fc.record({
    from: fc.nat(3),
    to: fc.nat(3),
    relation: fc.option(fc.constantFrom('contains', 'next')),
  })
  await fc.assert(
    fc.asyncProperty(
      fc.array(link, { maxLength: 8 }),
      fc.option(kinds),
      kinds,
      async (links, relations, without) => {
        const extractorOf = (kept: typeof links) => ({
          definition: {
            ...extractors.all[0],
            params: resolve(extractors, { name: 'rules', params: {} }).definition.params,
            make: () => ({
              extract: () => ({
                mentions: [0, 1, 2, 3].map((chunk) => ({ name: `e${chunk}`, chunk, count: 1 })),
                links: kept.map(({ from, to, relation }) => ({
                  source: `e${from}`,
                  target: `e${to}`,
                  predicate: 'is',
                  chunk: from,
                  weight: 1,
                  ...(relation !== null && { relation }),
                })),
                describe: { separator: ' ', tokens: 10 },
                notices: {},
              }),
            }),
          },
          params: {},
        })
        const input = { chunks: Array.from({ length: 4 }) as never, documents: [] }
        const { graph } = await extractGraph(input, [extractorOf(links)])
        const pairsOf = (pair: (typeof links)[number]) =>
          links.flatMap(({ from, to, relation }) =>
            from === pair.from && to === pair.to && relation !== null ? [relation] : [],
          )
        const left = links.filter((pair) => {
          const kinds = pairsOf(pair)
          if (kinds.length === 0) return relations === null
          return kinds.some(
            (kind) => (relations === null || relations.includes(kind)) && !without.includes(kind),
          )
        })
        const { graph: expected } = await extractGraph(input, [extractorOf(left)])
        const neighborsOf = (neighbors: ReturnType<typeof byRelationships>) =>
          [0, 1, 2, 3].map((chunk) => {
            const near = new Set<number>()
            neighbors()(chunk, (neighbour) => near.add(neighbour))
            return [...near].sort()
          })
        expect(
          neighborsOf(
            byRelationships(graph, { ...(relations !== null && { relations: relations }), without }),
          ),
        ).toEqual(neighborsOf(byRelationships(expected)))
      },
    ),
  )
})
