import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { chunkDocuments } from '../../src/corpus/chunks/chunk.ts'
import { extractGraph } from '../../src/corpus/graph/extraction.ts'
import { extractors } from '../../src/corpus/graph/extractors/index.ts'
import { resolve } from '../../src/registry.ts'
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
})
