import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it, test } from 'vitest'
import { assembleCommunities, communityColumns } from '../../../src/corpus/graph/communities/assemble.ts'
import { nanoGraphragCommunities } from '../../../src/corpus/graph/communities/nano-graphrag.ts'
import { matchChunks } from '../../../src/corpus/graph/foreign/match-chunks.ts'
import { nanoGraphragReports } from '../../../src/corpus/graph/reports/nano-graphrag.ts'
import { temporaryFolder } from '../../temporary.ts'
import { chunksOf } from './chunks.ts'
import { graphOf, read, refusal, TOWNS } from './read-foreign.ts'

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

  it('of equal texts are all of them', () => {
    const twice = chunksOf([
      ['', 'the same words here again'],
      ['', 'the same words here again'],
    ]).chunks
    expect(
      matchChunks(twice, [md5('the same words here again')])
        .rowsOf.values()
        .next().value,
    ).toEqual([0, 1])
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

describe('names of scripts without spaces', () => {
  const CITIES = chunksOf([
    ['', '北镇位于湖边，镇上的人靠织布为生。'],
    ['', '南镇在山上，那里的人靠采盐为生。'],
    ['', 'เมืองลมอยู่ริมทะเล'],
  ])

  it('are found inside sentences', async () => {
    const nodes = ['北镇', '织布', '南镇', '采盐', 'ลม', 'ทะเล'].map((id) => `<node id="${id}"/>`)
    const { at } = await graphOf('graphml', 'g.graphml', GRAPHML(nodes.join('')), CITIES)
    expect(at).toEqual(['ทะเล: 2', 'ลม: 2', '北镇: 0', '南镇: 1', '织布: 0', '采盐: 1'].sort())
  })
})

const GRAPHML = (body: string) => `<?xml version='1.0' encoding='utf-8'?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
<key id="d0" for="node" attr.name="entity_type" attr.type="string"/>
<key id="d1" for="node" attr.name="description" attr.type="string"/>
<key id="d2" for="node" attr.name="source_id" attr.type="string"/>
<key id="d3" for="edge" attr.name="weight" attr.type="double"><default>2</default></key>
<key id="d4" for="edge" attr.name="keywords" attr.type="string"/>
<graph edgedefault="undirected">
${body}
</graph>
</graphml>
`

describe('GraphML', () => {
  it('gives nodes and edges with their attributes and defaults', async () => {
    const { graph, edges, at, counts, notices } = await graphOf(
      'graphml',
      'g.graphml',
      GRAPHML(`<node id="Lomm"><data key="d0">town</data><data key="d1">A town &amp; harbour</data><data key="d2">d0&lt;SEP&gt;d9</data></node>
<node id="Orr"><data key="d2">d0</data></node>
<edge source="Lomm" target="Orr"><data key="d4">position, water</data></edge>
<edge source="Orr" target="Nowhere"/>`),
    )
    expect(at).toEqual(['Lomm: 0', 'Orr: 0'])
    expect(edges).toEqual(['Lomm --> Orr 2'])
    expect(graph.relationships.keywords).toEqual(['position, water'])
    expect(graph.entities.descriptions).toEqual(['A town & harbour', ''])
    expect(graph.entities.types).toEqual(['town', ''])
    expect(counts).toMatchObject({ danglingRelationships: 1, chunksById: 1, unknownChunks: 1 })
    expect(notices?.join('\n')).toContain('g.graphml: its chunks are matched by id (1), not at all (1)')
    expect(notices?.join('\n')).toContain('1 of 2 relationships end at no entity and are left out')
  })

  it('without chunks is looked for in the texts by name', async () => {
    const { at, counts, notices } = await graphOf(
      'graphml',
      'g.graphml',
      GRAPHML('<node id="orr"/><node id="lake"/><node id="Gone"/><edge source="orr" target="lake"/>'),
    )
    expect(at).toEqual(['Gone: ', 'lake: 1', 'orr: 0'])
    expect(counts).toMatchObject({ entitiesWithoutChunks: 1, entitiesWithoutDescription: 3 })
    expect(notices?.[0]).toContain('it names no chunk; its entities are looked for in the texts by name')
  })

  it('keeps names apart that differ by signs', async () => {
    const nodes = ['C', 'C++', 'C#', '.NET', 'NET'].map(
      (id) => `<node id="${id}"><data key="d2">d0</data></node>`,
    )
    const { graph, edges } = await graphOf(
      'graphml',
      'g.graphml',
      GRAPHML(`${nodes.join('')}<edge source="C" target="C++"/>`),
    )
    expect(graph.entities.size).toBe(5)
    expect(edges).toEqual(['C --> C++ 2'])
  })

  it('with errors is refused with their lines, a few of each kind', async () => {
    const broken = GRAPHML(`<node/>
<node id="a"/><node id="a"/>
${'<edge source="a" target="a"><data key="d3">NaN</data></edge>\n'.repeat(9)}`)
    const lines = (await refusal('graphml', 'g.graphml', broken)).split('\n')
    expect(lines[0]).toBe('9: a node has no id')
    expect(lines[1]).toBe('10: the node "a" is already at line 10')
    expect(lines.slice(2, 7)).toHaveLength(5)
    expect(lines[2]).toBe('11: the weight of "a" to "a" is "NaN", not a number of 0 or more')
    expect(lines[7]).toMatch(/^-: 4 more like these, the next: the weight of/)
    const cut = GRAPHML('<node id="a"/>').slice(0, -14)
    expect(await refusal('graphml', 'g.graphml', cut)).toBe('10: is not well-formed XML: unclosed tag')
    const open = GRAPHML('<node id="a">\n<node id="b"/>')
    expect(await refusal('graphml', 'g.graphml', open)).toBe(
      '9: is not well-formed XML: <node> is not closed',
    )
    for (const text of ['<node id="a"/></node>', '<node id=a/>', '<!-- <node id="a"/>'])
      expect(await refusal('graphml', 'g.graphml', GRAPHML(text))).toContain('is not well-formed XML')
    expect(await refusal('graphml', 'g.graphml', '{"a": 1}')).toBe(
      '1: is not well-formed XML: missing start tag',
    )
    expect(await refusal('graphml', 'g.graphml', '<graph/>')).toContain('is no GraphML file')
    expect(await refusal('graphml', 'g.graphml', GRAPHML(''))).toBe('-: holds no node')
  })

  it('of yEd has its labels as names', async () => {
    const yed = `<graphml xmlns:y="http://www.yworks.com/xml/graphml"><key for="node" id="d6" yfiles.type="nodegraphics"/><graph>
<node id="n0"><data key="d6"><y:ShapeNode><y:NodeLabel>Lomm<y:LabelModel/></y:NodeLabel><y:NodeLabel>2</y:NodeLabel></y:ShapeNode></data></node>
<node id="n1"><data key="d6"><y:ShapeNode><y:NodeLabel> Tarn </y:NodeLabel></y:ShapeNode></data></node>
<edge source="n0" target="n1"><data key="d9"><y:PolyLineEdge><y:EdgeLabel>salt road</y:EdgeLabel></y:PolyLineEdge></data></edge>
</graph></graphml>`
    const { edges, at } = await graphOf('graphml', 'y.graphml', yed)
    expect(edges).toEqual(['Lomm -salt road-> Tarn 1'])
    expect(at).toEqual(['Lomm: 0', 'Tarn: 1'])
  })

  it('of yEd has its groups as nodes too', async () => {
    const { edges, at } = await graphOf(
      'graphml',
      'g.graphml',
      `<graphml><key id="l" for="node" attr.name="label"/><graph>
<node id="n0"><data key="l">Lomm</data><graph><node id="n0::n0"><data key="l">Orr</data></node></graph></node>
<node id="n1"><data key="l">Tarn</data></node><edge source="n0" target="n1"/></graph></graphml>`,
    )
    expect(edges).toEqual(['Lomm --> Tarn 1'])
    expect(at).toEqual(['Lomm: 0', 'Orr: 0', 'Tarn: 1'])
  })

  it('is read compressed; a damaged archive is refused', async () => {
    const folder = temporaryFolder({})
    const path = join(folder, 'g.graphml.gz')
    const packed = gzipSync(GRAPHML('<node id="lake"/>'))
    writeFileSync(path, packed)
    expect((await read('graphml', path)).at).toEqual(['lake: 1'])
    writeFileSync(path, packed.subarray(0, 60))
    await expect(read('graphml', path)).rejects.toThrow('is no whole gzip file; is it cut off?')
  })

  it('counts nodes of one name, edges twice and edges of a node to itself', async () => {
    const { counts, notices, edges } = await graphOf(
      'graphml',
      'g.graphml',
      GRAPHML(`<node id="1"><data key="name">lake</data></node><node id="2"><data key="name">lake</data></node><node id="Orr"/>
<edge source="1" target="2"/><edge source="1" target="Orr"/><edge source="2" target="Orr"/>`),
    )
    expect(edges).toEqual(['lake --> Orr 4'])
    expect(counts).toMatchObject({ repeatedNames: 1, repeatedRelationships: 1, selfRelationships: 1 })
    expect(notices).toContain(
      'g.graphml: 1 of 3 entities have the name of another one (the first: "lake"); equal names become one entity',
    )
  })

  it('of another corpus is refused, with or without chunks', async () => {
    const ids = GRAPHML('<node id="a"><data key="d2">chunk-1</data></node>')
    expect(await refusal('graphml', 'g.graphml', ids)).toContain(
      'none of its 1 chunk ids is a chunk or the hash of one here (its first: "chunk-1", ours: "d0")',
    )
    expect(await refusal('graphml', 'g.graphml', GRAPHML('<node id="Berlin"/>'))).toContain(
      'it names no chunk, and none of its names is in a text here',
    )
  })

  it('tells of a hub', async () => {
    const nodes = Array.from(
      { length: 1200 },
      (_, i) => `<node id="n${i}"/><edge source="lake" target="n${i}"/>`,
    )
    const { notices } = await graphOf('graphml', 'g.graphml', GRAPHML(`<node id="lake"/>${nodes.join('')}`))
    expect(notices?.at(-1)).toContain('"lake" has 1200 of 1200 relationships')
  })

  it('declares no entities that are resolved', async () => {
    const evil = GRAPHML('<node id="&x;"/><node id="lake"/>').replace(
      '<graphml',
      '<!DOCTYPE g [<!ENTITY x SYSTEM "file:///etc/hostname">]><graphml',
    )
    const { graph } = await graphOf('graphml', 'g.graphml', evil)
    expect(graph.entities.names).toContain('&x;')
  })
})

test('pickles are refused with the reason and a way', async () => {
  expect(await refusal('graphml', 'graph_igraph_data.pklz', 'x')).toContain(
    "opening one runs the code that it names. Export it where you trust it: python -c \"import igraph; igraph.Graph.Read_Picklez('graph_igraph_data.pklz')",
  )
  expect(await refusal('openie', 'graph.pickle', 'x')).toContain('is a pickle of a Python object')
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

  it('is read as written: passages by hash, else by overlap', async () => {
    const own = JSON.stringify({ docs, avg_ent_chars: 4 })
    const { counts, at } = await graphOf('openie', 'openie_results_ner_m.json', own)
    expect(counts).toMatchObject({ chunksByHash: 3, malformedTriples: 3, passagesWithout: 0 })
    expect(at).toEqual(['Lomm: 0', 'Tarn: 1', 'Vesk: 2', 'a town: 0 1 2'])
    const other = JSON.stringify({ docs: docs.map((one, i) => ({ ...one, idx: `p${i}` })) })
    expect((await graphOf('openie', 'o.json', other)).counts).toMatchObject({ chunksByOverlap: 3 })
  })

  it('of HippoRAG 1 is found by its name, and its numbers are no ids of ours', async () => {
    const numbered = docs.map((one, at) => ({ ...one, idx: docs.length - 1 - at }))
    const name = 'openie_towns_results_ner_gpt-3.5-turbo-1106_3.json'
    const folder = temporaryFolder({ [name]: JSON.stringify({ docs: numbered, ents_by_doc: [] }) })
    const ours = { ...TOWNS, chunks: TOWNS.chunks.map((chunk, at) => ({ ...chunk, id: String(at) })) }
    const { at, counts } = await read('openie', folder, ours)
    expect(at).toEqual(['Lomm: 0', 'Tarn: 1', 'Vesk: 2', 'a town: 0 1 2'])
    expect(counts).toMatchObject({ chunksByOverlap: 2, unknownPassages: 0 })
  })

  it('with ids of documents in several chunks is laid over their own chunks', async () => {
    const flood = 'Founded in the year of the great flood, the town lies at a lake.'
    const { chunks, documents } = chunksOf([
      ['', `${flood} Lomm sells salt.`],
      ['', `${flood} Tarn sells wool and fish.`],
    ])
    const cut = chunks.flatMap((chunk, at) =>
      [flood, chunk.text.slice(flood.length + 1)].map((text, position) => {
        return { ...chunk, id: `d${at}#${position}`, position, text }
      }),
    )
    const passages = documents.map(({ id, text }, at) => ({
      idx: id,
      passage: text,
      extracted_triples: [],
      extracted_entities: [['Lomm', 'Tarn'][at], 'lake'],
    }))
    const content = JSON.stringify({ docs: passages })
    const { at, counts } = await graphOf('openie', 'o.json', content, { chunks: cut, documents })
    expect(at).toEqual(['Lomm: 1', 'Tarn: 3', 'lake: 0 2'])
    expect(counts).toMatchObject({ passagesWithout: 0, unknownPassages: 0 })
  })

  it('is found in its folder', async () => {
    const folder = temporaryFolder({ 'openie_results_ner_m.json': JSON.stringify({ docs }) })
    expect((await read('openie', folder)).graph.entities.size).toBe(4)
    writeFileSync(join(folder, 'openie_results_ner_n.json'), '{}')
    await expect(read('openie', folder)).rejects.toThrow('holds 2 results of HippoRAG')
  })

  it('with errors tells a few of each kind', async () => {
    const bad = JSON.stringify({ docs: Array.from({ length: 20 }, () => ({ passage: 'x' })) })
    const lines = (await refusal('openie', 'o.json', bad)).split('\n')
    expect(lines).toHaveLength(6)
    expect(lines[5]).toContain('15 more like these')
    expect((await refusal('openie', 'o.jsonl', `<?xml?>\n`.repeat(97))).split('\n')).toHaveLength(6)
  })
})

describe('working folders of LightRAG and nano-graphrag', () => {
  const golden = (name: string) => join('tests', 'golden', 'formats', name)

  test.each(['lightrag', 'nano-graphrag'])('%s', async (name) => {
    const stored = JSON.parse(readFileSync(join(golden(name), 'kv_store_text_chunks.json'), 'utf8'))
    const input = chunksOf(Object.values(stored).map((one) => ['', (one as { content: string }).content]))
    const { edges, at, counts, graph } = await read('lightrag', golden(name), input)
    expect(counts).toMatchObject({ chunksByHash: 2, danglingRelationships: 0 })
    expect(edges).toEqual(['Lomm --> Orr 2'])
    expect(at).toEqual(['C#: 1', 'C++: 1', 'Lomm: 0', 'Orr: 0'])
    expect(graph.entities.types).toEqual(['language', 'language', 'town', 'strait'])
    expect(graph.relationships.descriptions[0]).toContain('Lomm lies at Orr.')
  })

  it('nano-graphrag: communities and their reports', async () => {
    const path = golden('nano-graphrag')
    const stored = JSON.parse(readFileSync(join(path, 'kv_store_text_chunks.json'), 'utf8'))
    const input = chunksOf(Object.values(stored).map((one) => ['', (one as { content: string }).content]))
    const { graph } = await read('lightrag', path, input)
    const { communities: found, notices } = await nanoGraphragCommunities.find(graph, { path })
    expect(found.map(({ level, members }) => [level, ...members])).toEqual([[0, 2, 3]])
    expect(notices).toEqual({
      communitiesWithoutEntities: 0,
      communitiesWithoutParent: 0,
      unknownEntities: 0,
    })
    const communities = assembleCommunities(communityColumns(found, graph.entities.size), graph)
    const [whole] = found
    const nested = communityColumns([whole, { ...whole, level: 1, parent: 0 }], graph.entities.size)
    expect(assembleCommunities(nested, graph)).toMatchObject({ children: [[1], []], depth: 2 })
    const written = await nanoGraphragReports.write?.({ graph, communities, chunks: input.chunks }, { path })
    expect(written?.reports).toEqual([
      {
        community: 0,
        title: 'Towns',
        summary: 'A town at a strait.',
        rank: 5,
        findings: [{ summary: 'Harbour', explanation: 'Lomm has one.' }],
      },
    ])
    const { graph: other } = await graphOf('graphml', 'g.graphml', GRAPHML('<node id="lake"/>'))
    expect(() => nanoGraphragCommunities.find(other, { path })).toThrow(
      'belongs to another graph: none of the entities of its 1 communities is one here',
    )
  })
})
