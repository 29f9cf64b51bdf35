import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { chunkDocuments } from '../../src/corpus/chunks/chunk.ts'
import { extractGraph } from '../../src/corpus/graph/extract.ts'
import { extractors } from '../../src/corpus/graph/extractors/index.ts'
import { resolve } from '../../src/registry.ts'
import { readTable } from '../../src/tables/parquet.ts'
import { chunksOf } from '../corpus/graph/chunks.ts'
import { describeShared, shared } from '../shared.ts'

const extract = (name: string, input: Parameters<typeof extractGraph>[0], params = {}) =>
  extractGraph(input, [resolve(extractors, { name, params })])

describeShared('extractors on shared data', () => {
  const beir = (set: string) =>
    readFileSync(shared('data', set, 'corpus.jsonl'), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { _id: string; title: string; text: string })
      .map(({ _id, title, text }) => ({ id: _id, title, text, metadata: {} }))

  it('openie: musique-train-100 has 19,102 phrases; 185 triples are malformed', async () => {
    const documents = beir('musique-train-100')
    const chunks = chunkDocuments(documents, { name: 'passages', params: {} })
    const path = shared('data', 'musique-train-100', 'openie.jsonl')
    const { graph, facts, counts } = await extract('openie', { chunks, documents }, { path })
    expect(counts.openie.malformedTriples).toBe(185)
    expect(graph.entities.size).toBe(19_102)
    expect(facts.counts.length).toBe(17_033)
    const other = chunkDocuments(beir('xquad-en'), { name: 'passages', params: {} })
    await expect(extract('openie', { chunks: other, documents: [] }, { path })).rejects.toThrow(
      'another corpus',
    )
  })

  it('graphrag: reads the tables as they are; 84 relationships dangle', async () => {
    const path = shared('data', 'graphrag-christmas-carol')
    const units = await readTable(join(path, 'text_units.parquet'), ['id', 'text'])
    const texts = units.strings('text')
    const documents = units
      .strings('id')
      .map((id, row) => ({ id, title: '', text: texts[row], metadata: {} }))
    const chunks = chunkDocuments(documents, { name: 'passages', params: {} })
    const { graph, counts } = await extract('graphrag', { chunks, documents }, { path })
    expect(counts.graphrag).toMatchObject({ danglingRelationships: 84 })
    expect(graph.entities.size).toBe(529)
    expect(graph.relationships.size).toBe(978 - 84)
    await expect(extract('graphrag', chunksOf([['', 'a']]), { path })).rejects.toThrow('another corpus')
  })

  it('structure: resolves the references of a rulebook', async () => {
    const folder = shared('data', 'srd52', 'src')
    const documents = readdirSync(folder)
      .filter((name) => name.endsWith('.md'))
      .map((name) => ({
        id: name,
        title: name.replace(/^\d+_|\.md$/g, ''),
        text: readFileSync(join(folder, name), 'utf8'),
        metadata: {},
      }))
    const chunks = chunkDocuments(documents, { name: 'headings', params: {} })
    const { graph, counts } = await extract('structure', { chunks, documents })
    expect(graph.entities.size).toBeGreaterThan(1000)
    expect(counts.structure.unresolvedReferences).toBeLessThan(300)
  })
})
