import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { chunkDocuments } from '../../src/corpus/chunks/chunk.ts'
import { membersOf } from '../../src/corpus/graph/csr.ts'
import { extractGraph } from '../../src/corpus/graph/extract.ts'
import { extractors } from '../../src/corpus/graph/extractors/index.ts'
import { UserError } from '../../src/errors.ts'
import { resolve } from '../../src/registry.ts'
import { readTable } from '../../src/tables/parquet.ts'
import { chunksOf } from '../corpus/graph/chunks.ts'
import { describeShared, shared } from '../shared.ts'

const file = (text: string) => {
  const path = join(mkdtempSync(join(tmpdir(), 'touchstone-')), 'openie.jsonl')
  writeFileSync(path, text)
  return path
}
const extract = (name: string, input: Parameters<typeof extractGraph>[0], params = {}) =>
  extractGraph(input, [resolve(extractors, { name, params })])

describe('extractors', () => {
  it('are known by name, and nothing else is', () => {
    expect(extractors.all.map(({ name }) => name)).toEqual([
      'graphml',
      'graphrag',
      'lightrag',
      'llm-graphrag',
      'llm-openie',
      'mongoexport',
      'noun-phrases',
      'openie',
      'patterns',
      'rules',
      'structure',
      'titles',
    ])
    expect(() => resolve(extractors, { name: 'ruls', params: {} })).toThrow(
      /no extractor `ruls` \(did you mean "rules"\?\)/,
    )
    expect(() => resolve(extractors, { name: 'rules', params: { x: 1 } })).toThrow(UserError)
  })

  it('rules: relates names of a sentence by the words between', async () => {
    const input = chunksOf([
      ['Ada Lovelace', 'Ada Lovelace worked with Charles Babbage. He lived in London, England.'],
    ])
    const { graph } = await extract('rules', input)
    const { entities, relationships } = graph
    expect(entities.names).toEqual(['Ada Lovelace', 'Charles Babbage', 'England', 'London'])
    expect(entities.descriptions[1]).toBe('Ada Lovelace worked with Charles Babbage.')
    expect(Array.from(relationships.sources, (row) => entities.names[row])).toEqual([
      'Ada Lovelace',
      'London',
    ])
    expect(relationships.descriptions).toEqual(['worked with', 'London England'])
    expect(relationships.keywords).toEqual(['worked', ''])
  })

  it('titles: relates a passage to the titles that it mentions', async () => {
    const input = chunksOf([
      ['Alien (film)', 'A film by Ridley Scott.'],
      ['Ridley Scott', 'He made Alien. Ridley Scott was born in 1937.'],
      ['', 'Nobody mentions Alien, ridley scott.'],
    ])
    const { graph, counts } = await extract('titles', input)
    expect(graph.entities.keys).toEqual(['alien film', 'ridley scott'])
    expect(graph.relationships.descriptions).toEqual(['A film by Ridley Scott.', 'He made Alien.'])
    expect([...membersOf(graph.entitiesOfChunk, 2)]).toEqual([0, 1])
    expect(counts.titles.untitled).toBe(1)
  })

  it('structure: contains, next and references', async () => {
    const text =
      '# Rules\n\nIntro.\n\n## Cover\n\nHide well.\n\n## Attack\n\nRoll. *See also* "Cover" and "Nothing."\n'
    const documents = [{ id: 'd', title: 'Rules', text, metadata: {} }]
    const chunks = chunkDocuments(documents, { name: 'headings', params: {} })
    const { graph, counts } = await extract('structure', { chunks, documents })
    const { entities, relationships } = graph
    const said = Array.from(
      relationships.sources,
      (source, row) => `${entities.names[source]} - ${entities.names[relationships.targets[row]]}`,
    )
    expect(said.sort()).toEqual([
      'Rules - Rules > Attack',
      'Rules - Rules > Cover',
      'Rules > Attack - Rules > Cover',
      'Rules > Cover - Rules > Attack',
    ])
    expect(counts.structure.unresolvedReferences).toBe(1)
  })

  it('openie: skips and counts malformed triples, finds the chunk of a document', async () => {
    const documents = [
      { id: 'a', title: 'T', text: '## One\n\nAda lived.\n\n## Two\n\nBob met Ada.', metadata: {} },
      { id: 'b', title: '', text: 'Nothing.', metadata: {} },
    ]
    const chunks = chunkDocuments(documents, { name: 'headings', params: {} })
    const path = file(
      `${JSON.stringify({ id: 'a', entities: ['Bob', 7], triples: [['Bob', 'met', 'Ada'], ['a', 'b'], 'x', ['a', 'b', null]] })}\n\n${JSON.stringify({ id: 'zz', entities: [], triples: [] })}\n`,
    )
    const { graph, counts } = await extract('openie', { chunks, documents }, { path })
    expect(counts.openie).toMatchObject({
      malformedTriples: 3,
      malformedEntities: 1,
      unknownPassages: 1,
      passagesWithout: 1,
    })
    expect(graph.entities.descriptions).toEqual(['Bob met Ada', 'Bob met Ada'])
    expect([...membersOf(graph.entitiesOfChunk, 1)]).toEqual([0, 1])
  })

  it('openie: names what is wrong with a file, all at once', async () => {
    const input = chunksOf([['', 'a']])
    const failing = async (path: string) => {
      const error = await extract('openie', input, { path }).catch((error) => error)
      expect(error).toBeInstanceOf(UserError)
      return (error as UserError).diagnostics.map(({ line, message }) => `${line ?? '-'}: ${message}`)
    }
    expect(await failing(file('{"entities": []}\nnope\n{"id": "a", "triples": 1}\n'))).toEqual([
      '1: has no "id"',
      "2: is not valid JSON: unexpected token 'o'",
      '3: "triples" is not a list',
    ])
    expect((await failing(file('{"id": "other", "triples": []}')))[0]).toContain('belongs to another corpus')
    expect((await failing(file('')))[0]).toContain('holds no passage')
    expect((await failing('/nowhere.jsonl'))[0]).toContain('no such file')
  })
})

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
