import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, test } from 'vitest'
import { matchChunks } from '../../../src/corpus/match-texts.ts'
import { temporaryFolder } from '../../temporary.ts'
import { chunksOf } from './chunks.ts'
import { graphOf, read, TOWNS } from './read-foreign.ts'

describe('chunks of another system', () => {
  const texts = TOWNS.chunks.map(({ text }) => text)
  const md5 = (text: string) => createHash('md5').update(text).digest('hex')

  it('are matched by id, hash or overlap, and counted', () => {
    const graphrag = createHash('sha512').update(texts[1]).digest('hex')
    const foreign = new Map([
      ['0', 'Note: lies inland near a lake, says the guide.'],
      ['1', 'Something else entirely, with no words in common at all.'],
    ])
    const { rowsOf, counts } = matchChunks(
      TOWNS.chunks,
      ['d0', graphrag, `chunk-${md5(texts[2])}`, `chunk-${md5(`Lomm\n${texts[0]}`)}`, '0', '1', 'x', 'x'],
      foreign,
    )
    expect([...rowsOf.values()]).toEqual([[0], [1], [2], [0], [1]])
    expect(counts).toEqual({ chunksById: 1, chunksByHash: 3, chunksByOverlap: 1, unknownChunks: 2 })
  })
})

describe('ids that other corpora have too', () => {
  const [first, second] = TOWNS.chunks.map(({ text }) => text)

  it('are no match where the texts differ', () => {
    const numbered = TOWNS.chunks.map((chunk, at) => ({ ...chunk, id: String(at) }))
    const texts = new Map([
      ['0', second],
      ['1', first],
      ['2', 'Words of an entirely different corpus, about other things.'],
    ])
    const { rowsOf, counts } = matchChunks(numbered, ['0', '1', '2'], texts)
    expect([...rowsOf]).toEqual([
      ['0', [1]],
      ['1', [0]],
    ])
    expect(counts).toEqual({ chunksById: 0, chunksByHash: 0, chunksByOverlap: 2, unknownChunks: 1 })
    expect(matchChunks(numbered, ['0'], new Map([['0', `Lomm\n${first}`]])).counts.chunksById).toBe(1)
  })
})

test('ids of chunks in a GraphML list keep all their digits', async () => {
  const ids = ['12345678901234567890', '12345678901234567891']
  const chunks = TOWNS.chunks.map((chunk, at) => ({ ...chunk, id: ids[at] ?? chunk.id }))
  const documents = TOWNS.documents.map((document, at) => ({ ...document, id: chunks[at].id }))
  const text = `<graphml><key id="c" for="node" attr.name="source_id"/><graph><node id="Lomm"><data key="c">[${ids.join(', ')}]</data></node></graph></graphml>`
  const { at } = await graphOf('graphml', 'g.graphml', text, { ...TOWNS, chunks, documents })
  expect(at).toEqual(['Lomm: 0 1'])
})

describe("HippoRAG's own file", () => {
  const docs = TOWNS.chunks.map(({ title, text }) => ({
    idx: `chunk-${createHash('md5').update(`${title}\n${text}`).digest('hex')}`,
    passage: `${title}\n${text}`,
    extracted_entities: [title],
    extracted_triples: [
      [title, 'is', 'a town'],
      ['x', 'y'],
    ],
  }))

  it('of HippoRAG 1 is found by its name, and its numbers are no ids of ours', async () => {
    const numbered = docs.map((doc, at) => ({ ...doc, idx: docs.length - 1 - at }))
    const name = 'openie_towns_results_ner_gpt-3.5-turbo-1106_3.json'
    const folder = temporaryFolder({ [name]: JSON.stringify({ docs: numbered, ents_by_doc: [] }) })
    const ours = { ...TOWNS, chunks: TOWNS.chunks.map((chunk, at) => ({ ...chunk, id: String(at) })) }
    const { at, counts } = await read('openie', folder, ours)
    expect(at).toEqual(['Lomm: 0', 'Tarn: 1', 'Vesk: 2', 'a town: 0 1 2'])
    expect(counts).toMatchObject({ chunksByOverlap: 2, unknownPassages: 0 })
  })
})

describe('working folders of LightRAG and nano-graphrag', () => {
  const golden = (name: string) => join('tests', 'golden', 'formats', name)

  test.each(['lightrag', 'nano-graphrag'])('%s', async (name) => {
    const stored = JSON.parse(readFileSync(join(golden(name), 'kv_store_text_chunks.json'), 'utf8'))
    const input = chunksOf(
      Object.values(stored).map((passage) => ['', (passage as { content: string }).content]),
    )
    const { edges, at, counts, graph } = await read('lightrag', golden(name), input)
    expect(counts).toMatchObject({ chunksByHash: 2, danglingRelationships: 0 })
    expect(edges).toEqual(['Lomm --> Orr 2'])
    expect(at).toEqual(['C#: 1', 'C++: 1', 'Lomm: 0', 'Orr: 0'])
    expect(graph.entities.types).toEqual(['language', 'language', 'town', 'strait'])
    expect(graph.relationships.descriptions[0]).toContain('Lomm lies at Orr.')
  })
})
