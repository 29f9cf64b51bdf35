import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { loadDataset } from '../../src/dataset/load.ts'
import { temporaryFolder } from '../temporary.ts'

type Files = Readonly<Record<string, string>>

async function load(name: string, files: Files, params: object = {}, path = '.') {
  const folder = temporaryFolder(files)
  const given = { name, params: { path: join(folder, path), ...params } }
  const cut = (text: string) => text.replaceAll(`${folder}/`, '').replaceAll(folder, 'FOLDER')
  try {
    const { documents, queries, qrels, notices } = await loadDataset(given as never, folder)
    return {
      documents: documents.map(({ id, title, text }) => [id, title, text]),
      queries: queries.map(({ id, text, answers, answerable, category }) => [
        id,
        text,
        answers,
        answerable,
        category,
      ]),
      qrels: [...qrels].flatMap(([query, judged]) => [...judged].map(([id, grade]) => [query, id, grade])),
      notices: notices.map(cut),
    }
  } catch (error) {
    return cut((error as Error).message).split('\n')
  }
}
const json = (value: unknown) => JSON.stringify(value)
const texts = async (...args: Parameters<typeof load>) => {
  const read = await load(...args)
  return 'documents' in read ? read.documents : read
}
/** What is said of the graph beside the texts. */
const graph = async (...args: Parameters<typeof load>) => {
  const read = await load(...args)
  return 'notices' in read ? read.notices.filter((one) => /graph(?!rag)/.test(one)).slice(-1) : read
}

describe('output of GraphRAG', () => {
  const units = 'id,text,document_ids\na,Text A,"[\'d1\']"\nb,Text B,d2\n'
  const documents = 'id,title,text\nd1,One,Whole one\nd2,Two,Whole two\n'
  const both = { 'text_units.csv': units, 'documents.csv': documents }
  const parquet = (...names: string[]) =>
    Object.fromEntries([['text_units.csv', units], ...names.map((name) => [`${name}.parquet`, ''])])

  test('is its text units with the titles of their documents, or the documents', async () => {
    expect(await load('graphrag', both)).toEqual({
      documents: [
        ['a', 'One', 'Text A'],
        ['b', 'Two', 'Text B'],
      ],
      queries: [],
      qrels: [],
      notices: [
        'it holds no questions: it can be prepared and asked; `questions: FILE` adds some',
        'read as GraphRAG output: text_units.csv; source=document_ids, id=id, text=text',
        'it holds no whole graph',
        'of GraphRAG output in CSV the texts are read; its graph is read from Parquet',
      ],
    })
    expect(await texts('graphrag', both, { unit: 'document' })).toEqual([
      ['d1', 'One', 'Whole one'],
      ['d2', 'Two', 'Whole two'],
    ])
    // Documents of another folder may be those of another run.
    expect(
      await texts('graphrag', { 'out/create_final_text_units.csv': units, 'documents.csv': documents }),
    ).toEqual([
      ['a', '', 'Text A'],
      ['b', '', 'Text B'],
    ])
  })

  test.each<[Files, object, string]>([
    [
      { 'text_units.csv': units, 'create_final_text_units.csv': units },
      {},
      'FOLDER: holds two outputs of GraphRAG in one folder: create_final_text_units.csv, text_units.csv; move the files of one into another folder',
    ],
    [
      { 'a/text_units.csv': units, 'b/text_units.csv': units },
      {},
      'FOLDER: holds 2 outputs of GraphRAG: a, b; give the path of one',
    ],
    [{ 'documents.csv': documents }, {}, 'text_units.parquet: is missing from this GraphRAG output'],
    [
      { 'text_units.csv': units },
      { unit: 'document' },
      'documents.parquet: is missing from this GraphRAG output',
    ],
    [{ 'text_units.csv': 'id,text\n' }, {}, 'text_units.csv: holds no text'],
    [{ 'text_units.csv': 'id,text\n,x\n' }, {}, 'text_units.csv:2: the text-unit id is empty'],
  ])('that is not one whole output is refused (%#)', async (files, params, message) => {
    expect(await load('graphrag', files, params)).toEqual([message])
  })

  test('names its graph, and what is missing of it', async () => {
    const own = (what: string) =>
      `it holds its own ${what}, which \`prepare\` takes if the config names no graph`
    const missing = (...names: string[]) => `; missing: ${names.map((name) => `${name}.parquet`).join(', ')}`
    const said = async (...names: string[]) =>
      (await load('graphrag', parquet(...names))) as { notices: string[] }
    expect((await said('entities', 'relationships')).notices[2]).toBe(
      own('graph') + missing('communities', 'community_reports'),
    )
    expect((await said('entities', 'relationships', 'communities')).notices[2]).toBe(
      own('graph, communities') + missing('community_reports'),
    )
    expect(
      (await said('entities', 'create_final_relationships', 'communities', 'community_reports')).notices[2],
    ).toBe(own('graph, communities, reports'))
    expect((await said('entities')).notices[2]).toBe(
      `it holds no whole graph${missing('relationships', 'communities', 'community_reports')}`,
    )
    expect((await said('relationships', 'communities', 'community_reports')).notices[2]).toBe(
      `it holds no whole graph${missing('entities')}`,
    )
  })
})

describe('a folder of LightRAG', () => {
  const chunks = 'kv_store_text_chunks.json'
  const store = {
    [chunks]: json({
      a: { content: 'A', file_path: 'x/one.md' },
      b: { content: 'B', file_path: 'unknown_source' },
      c: { content: 'C' },
    }),
    'kv_store_full_docs.json': json({ d: { content: 'D', file_path: 'x\\two.md' } }),
  }

  test('is its chunks or its documents, titled by their file', async () => {
    expect(await load('lightrag', store)).toMatchObject({
      documents: [
        ['a', 'one.md', 'A'],
        ['b', '', 'B'],
        ['c', '', 'C'],
      ],
      notices: [
        expect.stringContaining('it holds no questions'),
        `read as a LightRAG or nano-graphrag folder: ${chunks}; document=key, text=content, title=file_path`,
        'it holds no whole graph; missing: graph_chunk_entity_relation.graphml',
      ],
    })
    expect(await texts('lightrag', store, { unit: 'document' })).toEqual([['d', 'two.md', 'D']])
  })

  test('names its graph; nano-graphrag has communities and reports', async () => {
    const withGraph = { ...store, 'graph_chunk_entity_relation.graphml': '' }
    expect(await graph('lightrag', withGraph)).toEqual([
      'it holds its own graph, which `prepare` takes if the config names no graph',
    ])
    expect(await graph('lightrag', { ...withGraph, 'kv_store_community_reports.json': '{}' })).toEqual([
      'it holds its own graph, communities, reports, which `prepare` takes if the config names no graph',
    ])
  })

  test('without texts is refused', async () => {
    expect(await load('lightrag', { [chunks]: json({ a: { text: 'A' }, b: 4 }) })).toEqual([
      `${chunks}: the chunk "a" has no text "content"`,
      `${chunks}: the chunk "b" has no text "content"`,
    ])
    expect(await load('lightrag', { [chunks]: '{}' })).toEqual([`${chunks}: holds no text`])
  })
})

describe('output of HippoRAG', () => {
  const name = 'openie_results_ner_m.json'
  const passages = (...docs: unknown[]) => json({ docs })

  test('is passages: a title, a line break and text', async () => {
    const whole = passages(
      { idx: 'a', passage: 'Title\nText\nmore', extracted_triples: [] },
      { idx: 2, passage: 'No title' },
      { idx: 'c', passage: 'Empty\n \n' },
      { idx: 'd', passage: `${'n'.repeat(200)}\nText` },
      { idx: 'e', passage: `${'n'.repeat(201)}\nText` },
    )
    expect(await load('hipporag', { [name]: whole })).toMatchObject({
      documents: [
        ['2', '', 'No title'],
        ['a', 'Title', 'Text\nmore'],
        ['c', '', 'Empty\n \n'],
        ['d', 'n'.repeat(200), 'Text'],
        ['e', '', `${'n'.repeat(201)}\nText`],
      ],
      notices: [
        expect.stringContaining('it holds no questions'),
        `read as HippoRAG: ${name}; document=idx, title and text=passage (title, line break, text)`,
        'it holds its own graph, which `prepare` takes if the config names no graph',
      ],
    })
  })

  test('may lie beside pickles, which are not opened', async () => {
    const one = passages({ idx: 'a', passage: 'Text' })
    const first = 'openie_towns_results_ner_m_7.json'
    const said = async (files: Files, path?: string) => {
      const read = await load('hipporag', files, {}, path)
      return 'notices' in read ? read.notices.slice(3) : read
    }
    expect(await said({ 'x.pickle': '', [first]: one })).toEqual([
      'x.pickle is not opened: a pickle runs the code that it names',
    ])
    expect(await said({ 'x.pickle': '', 'y.pkl': '', [name]: one })).toEqual([
      'x.pickle, y.pkl are not opened: a pickle runs the code that it names',
    ])
    expect(await said({ 'x.pickle': '', 'mine.json': one }, 'mine.json')).toEqual([])
  })

  test('without passages or their ids is refused', async () => {
    const noId = 'the passage id is null; an id is a text or a whole number'
    expect(await load('hipporag', { [name]: passages({ idx: 'a' }, { passage: 'b' }, 5) })).toEqual([
      `${name}, passage 1: has no text "passage"`,
      `${name}, passage 2: ${noId}`,
      `${name}, passage 3: has no text "passage"`,
      `${name}, passage 3: ${noId}`,
    ])
    expect(await load('hipporag', { [name]: json({ docs: {} }) })).toEqual([
      `${name}: has no list "docs" of passages`,
    ])
  })
})

describe('a collection of TREC', () => {
  const docs = [
    '<DOC><DOCNO> d1 </DOCNO><HEADLINE>Head &AMP; line</HEADLINE><TEXT>One <b>bold</b> &hyph; two</TEXT><TEXT>three</TEXT></DOC>',
    '<DOC>\n<DOCNO>d2</DOCNO>\n<DATE>today</DATE>\nPlain  text &eacute; &EACUTE; &nothing; &#65;',
    '</DOC><DOC><DOCNO>d3</DOCNO>x says <DOC> within</DOC>\n',
  ].join('\n')
  const topics = [
    '<top>\n<num> Number: 7\n<title> Topic: What\n<desc> Description:\nwhich one\n<narr> Narrative: long\n</top>',
    '<top><num>8<title>Who<desc>x</top>',
    '<topic number="9"><query>Why</query><question>q</question></topic>\n',
  ].join('\n')
  const set = { 'docs.sgml': docs, 'topics.txt': topics, 'qrels.txt': '7 0 d1 1\n8 0 d2 0\n9 0 d3 2\n' }

  test('is read without markup, topics in both forms', async () => {
    expect(await load('trec', set)).toMatchObject({
      documents: [
        ['d1', 'Head & line', 'One bold - two\nthree'],
        ['d2', '', 'Plain text é é &nothing; A'],
        ['d3', '', 'x says within'],
      ],
      queries: [
        ['7', 'What', [], true, null],
        ['8', 'Who', [], true, null],
        ['9', 'Why', [], true, null],
      ],
      qrels: [
        ['7', 'd1', 1],
        ['8', 'd2', 0],
        ['9', 'd3', 2],
      ],
      notices: expect.arrayContaining([
        'read as TREC: docs.sgml, topics.txt, qrels.txt; query=title, document=DOCNO, grade=column 4',
      ]),
    })
    const asked = (await load('trec', set, { topic: 'title+desc' })) as { queries: unknown[][] }
    expect(asked.queries.map(([, text]) => text)).toEqual(['What which one', 'Who x', 'Why q'])
    expect(((await load('trec', set, { topic: 'narr' })) as string[]).slice(0, 2)).toEqual([
      'topics.txt:8: topic 8 has no <narr>, which `topic: narr` asks for',
      'topics.txt:9: topic 9 has no <narr>, which `topic: narr` asks for',
    ])
  })

  test('names three of its files of documents', async () => {
    const one = (id: string) => `<DOC><DOCNO>${id}</DOCNO>text of ${id}</DOC>\n`
    const said = async (files: Files) => ((await load('trec', files)) as { notices: string[] }).notices[0]
    const more = { ...set, 'a.sgml': one('a'), 'b.sgml': one('b') }
    expect(await said(more)).toMatch(/^read as TREC: a\.sgml, b\.sgml, docs\.sgml, topics\.txt, qrels\.txt;/)
    expect(await said({ ...more, 'c.sgml': one('c') })).toMatch(
      /^read as TREC: a\.sgml, b\.sgml, c\.sgml, and 1 more, topics\.txt, qrels\.txt;/,
    )
  })

  test('lacks no role and has none twice', async () => {
    expect(await load('trec', { 'topics.txt': topics, 'more.txt': topics })).toEqual([
      'FOLDER: holds no file of TREC documents (`<DOC>`)',
      'FOLDER: holds 2 files of topics (`<top>`): more.txt, topics.txt; keep one of them in the folder',
      'FOLDER: holds no qrels (a file with qrels in its name)',
    ])
  })

  test('has whole documents and topics', async () => {
    const broken =
      '<DOC><DOCNO>d1</DOCNO>a\n<DOC><DOCNO>d2</DOCNO>\nb</DOC>\n<DOC>\nc</DOC><DOC>\n<DOCNO>d3</DOCNO>\nend\n'
    expect(((await load('trec', { ...set, 'docs.sgml': broken })) as string[]).slice(0, 3)).toEqual([
      'docs.sgml:2: begins a <DOC> within the <DOC> of line 1, which has no </DOC>',
      'docs.sgml:4: is a <DOC> without <DOCNO>',
      'docs.sgml:7: ends within the <DOC> that begins in line 5; is the file cut off?',
    ])
    expect(
      await load('trec', { ...set, 'topics.txt': '\n<top><title>x</top>\n<top><num>7<title></top>' }),
    ).toEqual([
      'topics.txt:2: is a topic without a number (<num>)',
      'topics.txt:3: topic 7 has no <title>, which `topic: title` asks for',
    ])
  })
})

describe('SQuAD', () => {
  const row = { id: 'q3', title: null, context: 'Row', question: 'S?', answers: [{ text: 'c' }] }
  const qas = [
    { id: 'q1', question: 'Q?', answers: [{ text: 'a' }, { text: 'a' }, { text: 'b' }] },
    { id: 'q2', question: 'R?', is_impossible: true, answers: [{ text: 'z' }] },
  ]
  const paragraphs = [
    { context: 'Ctx', qas },
    { context: 'Alone', qas: [] },
  ]

  test('holds articles and rows; a question without an answer has no gold', async () => {
    const read = await load(
      'squad',
      { 'a.json': json({ data: [{ title: 'T', paragraphs }, row] }) },
      {},
      'a.json',
    )
    expect(read).toMatchObject({
      queries: [
        ['q1', 'Q?', ['a', 'b'], true, null],
        ['q2', 'R?', [], false, null],
        ['q3', 'S?', ['c'], true, null],
      ],
      notices: [
        "the corpus is the union of the questions' contexts: 3 distinct of 4; a corpus without other documents is easier to search than a real one",
        'read as SQuAD: a.json; query=question, document=context, title=title, grade=1',
      ],
    })
    const { documents, qrels } = read as { documents: string[][]; qrels: unknown[][] }
    const idOf = (text: string) => documents.find((one) => one[2] === text)?.[0]
    expect(documents.map(([, title, text]) => [title, text]).sort()).toEqual([
      ['', 'Row'],
      ['T', 'Alone'],
      ['T', 'Ctx'],
    ])
    expect(qrels).toEqual([
      ['q1', idOf('Ctx'), 1],
      ['q3', idOf('Row'), 1],
    ])
  })

  test('of another shape is refused with its place', async () => {
    const read = (value: unknown) => load('squad', { 'a.json': json(value) }, {}, 'a.json')
    expect(await read({ data: {} })).toEqual(['a.json: has no list "data" of articles'])
    expect(await read({ data: [{ title: 5, paragraphs: [{ qas: 4 }] }, 7] })).toEqual([
      'a.json, article 1: `title` must be text, not 5',
      'a.json, article 1: lacks `paragraphs.0.context`, which must be text',
      'a.json, article 1: `paragraphs.0.qas` must be a list, not 4',
      'a.json, article 2: must be a map, not 7',
    ])
  })

  test('in CSV holds its answers as JSON', async () => {
    const table = (answers: string) => ({
      'a.csv': `id,title,context,question,answers\n1,T,C,Q,"{""text"": [""x""]}"\n2,T,C,R,${answers}\n`,
    })
    expect(await load('squad', table('"{""text"": []}"'), {}, 'a.csv')).toMatchObject({
      queries: [
        ['1', 'Q', ['x'], true, null],
        ['2', 'R', [], false, null],
      ],
    })
    expect(await load('squad', table('oops'), {}, 'a.csv')).toEqual([
      'a.csv:3: `answers` must be a map, not `oops`',
    ])
  })
})

test('MuSiQue: the id names the category, and twins without their gold are counted', async () => {
  const paragraphs = [
    { title: 'T', paragraph_text: 'P', is_supporting: true },
    { title: null, paragraph_text: 'O' },
  ]
  const one = { id: '2hop1__7', question: 'Q', answer: 'a', answer_aliases: ['b', 'a'], paragraphs }
  const read = (...more: object[]) =>
    load(
      'musique',
      { 'a.jsonl': more.map((fields) => `${json({ ...one, ...fields })}\n`).join('') },
      {},
      'a.jsonl',
    )
  expect(
    await read({}, { answerable: false }, { id: '4hop_1', answer: undefined, answer_aliases: null }),
  ).toMatchObject({
    documents: [
      [expect.any(String), '', 'O'],
      [expect.any(String), 'T', 'P'],
    ],
    queries: [
      ['2hop1__7', 'Q', ['a', 'b'], true, '2hop1'],
      ['4hop_1', 'Q', [], true, null],
    ],
    notices: ['1 questions that their own paragraphs do not answer are left out'],
  })
  expect(await read({ paragraphs: 4 })).toEqual(['a.jsonl:1: `paragraphs` must be a list, not 4'])
})
