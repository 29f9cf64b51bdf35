import { expect, test } from 'vitest'
import { chunkDocuments } from '../../../src/corpus/chunks/chunk.ts'
import { extractGraph } from '../../../src/corpus/graph/extraction.ts'
import { extractors } from '../../../src/corpus/graph/extractors/index.ts'
import { resolve } from '../../../src/registry.ts'
import type { Document } from '../../../src/types.ts'

const document = (id: string, title: string, ...lines: string[]): Document => {
  return { id, title, text: lines.join('\n\n'), metadata: {} }
}

async function structureOf(documents: readonly Document[], chunker = { name: 'headings', params: {} }) {
  const chunks = chunkDocuments(documents, chunker)
  const { graph, counts } = await extractGraph({ chunks, documents }, [
    resolve(extractors, { name: 'structure', params: {} }),
  ])
  const { entities, relationships } = graph
  const edges = relationships.relations.map((kinds, row) => {
    const [source, target] = [relationships.sources[row], relationships.targets[row]]
    return `${entities.names[source]} | ${kinds.join('+')} | ${entities.names[target]}`
  })
  const { names, types } = entities
  return { chunks, graph, counts: counts.structure, names, types, edges: edges.sort() }
}

const BEASTS = [
  document(
    'a',
    'Beasts',
    '# Beasts',
    'All of them.',
    '## Ape',
    'Strong; see Actions.',
    '### Actions',
    'Throws.',
    '## Bear',
    'Brown.',
    '### Actions',
    'Bites. See "Ape".',
  ),
  document('b', 'Play', '# Play', '## Actions', 'What you do.', '## Turns', 'See Ape, and see "Actions".'),
]

test('an entity is a chunk, named by its path: equal titles are apart', async () => {
  const { names, types, graph, counts } = await structureOf(BEASTS)
  expect(new Set(types)).toEqual(new Set(['heading']))
  expect(names).toEqual([
    'Beasts',
    'Beasts > Ape',
    'Beasts > Ape > Actions',
    'Beasts > Bear',
    'Beasts > Bear > Actions',
    'Play',
    'Play > Actions',
    'Play > Turns',
  ])
  expect([...graph.chunksOfEntity.members].sort()).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
  expect(counts).toMatchObject({ entities: 8, unresolvedReferences: 0, ambiguousReferences: 0 })
})

test('a section contains those right below it, a chunk is followed by the next of its document', async () => {
  const { edges } = await structureOf(BEASTS)
  expect(edges.filter((edge) => !edge.includes('| references |'))).toEqual([
    'Beasts > Ape > Actions | next | Beasts > Bear',
    'Beasts > Ape | references+contains+next | Beasts > Ape > Actions',
    'Beasts > Bear | contains+next | Beasts > Bear > Actions',
    'Beasts | contains | Beasts > Bear',
    'Beasts | contains+next | Beasts > Ape',
    'Play > Actions | next | Play > Turns',
    'Play | contains | Play > Turns',
    'Play | contains+next | Play > Actions',
  ])
})

test('the parts of a long section hang on its first; equal paths have numbers; a chunk with nothing to relate is no entity', async () => {
  const text = Array.from({ length: 9 }, (_, i) => `Sentence number ${i} tells of the sea.`).join(' ')
  const { names, edges } = await structureOf(
    [document('a', 'Sea', text), document('b', 'Sea', 'Short.'), document('c', '', 'No title.')],
    { name: 'tokens', params: { size: 32, overlap: 0 } },
  )
  expect(names).toEqual(['Sea', 'Sea (2)', 'Sea (3)', 'Sea (4)'])
  expect(edges).toEqual([
    'Sea (2) | next | Sea (3)',
    'Sea | contains | Sea (3)',
    'Sea | contains+next | Sea (2)',
  ])
})
