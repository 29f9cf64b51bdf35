import { describe, expect, test } from 'vitest'
import { loadDataset } from '../../src/dataset/load.ts'
import { callsIn } from '../cli/calls.ts'
import { temporaryFolder } from '../temporary.ts'

const lines = (...items: unknown[]) => items.map((item) => `${JSON.stringify(item)}\n`).join('')
const load = (
  name: string,
  path: string,
  files: Record<string, string>,
  params: Record<string, string> = {},
) => loadDataset({ name, params: { path, ...params } }, temporaryFolder(files))

const LOMM = ['Lomm', ['Lomm lies at Orr.', ' It has a harbour.']]
const facts = (...titles: string[]) => titles.map((title) => [title, 0])
const hotpot = JSON.stringify([
  { _id: 'a', question: 'Where does Lomm lie?', supporting_facts: facts('Lomm'), context: [LOMM] },
  { _id: 'b', question: 'Who rules Zell?', supporting_facts: facts('Zell'), context: [LOMM] },
  { _id: 'c', question: 'Lomm and Zell?', supporting_facts: facts('Lomm', 'Zell'), context: [LOMM] },
])
const paragraph = (supports: boolean) => ({
  title: 'Lomm',
  paragraph_text: 'At Orr.',
  is_supporting: supports,
})
const CORPUS = lines({ _id: 'd', text: 'Lomm lies at Orr.' })
const QUERIES = lines({ _id: 'a', text: 'Where is Lomm?' }, { _id: 'b', text: 'Who rules Zell?' })

/** Each format with a query `a` that has gold, and a query `b` that has none. */
const FORMATS: Record<
  string,
  { path: string; files: Record<string, string>; params?: Record<string, string> }
> = {
  beir: {
    path: '.',
    files: { 'corpus.jsonl': CORPUS, 'queries.jsonl': QUERIES, 'qrels/test.tsv': 'a\td\t1\n' },
  },
  'ir-datasets': {
    path: '.',
    files: {
      'docs.tsv': 'd\tLomm lies at Orr.\n',
      'queries.tsv': 'a\tWhere?\nb\tWho?\n',
      qrels: 'a 0 d 1\n',
    },
  },
  hotpotqa: { path: 'h.json', files: { 'h.json': hotpot } },
  '2wiki': { path: 'h.json', files: { 'h.json': hotpot } },
  musique: {
    path: 'm.jsonl',
    files: {
      'm.jsonl': lines(
        { id: 'a', question: 'Where is Lomm?', paragraphs: [paragraph(true)] },
        { id: 'b', question: 'Who rules Zell?', paragraphs: [paragraph(false)] },
      ),
    },
  },
  mongoexport: {
    path: '.',
    files: {
      'enriched_chunks.json': lines({ chunk_id: 'd', text: 'Lomm lies at Orr.' }),
      'questions.json': lines(
        { query_id: 'a', query: 'Where?', expected_chunk_ids: ['d'] },
        { query_id: 'b', query: 'Who?' },
      ),
    },
  },
  folder: {
    path: 'notes',
    params: { questions: 'questions.jsonl' },
    files: {
      'notes/lomm.md': '# Lomm\n\nLomm lies at Orr.\n',
      'questions.jsonl': lines(
        { _id: 'a', text: 'Where?', gold: [{ file: 'lomm.md', quote: 'lies at Orr' }] },
        { _id: 'b', text: 'Who?', gold: [{ file: 'zell.md', quote: 'Zell' }] },
      ),
    },
  },
}

describe.each(Object.entries(FORMATS))('%s, a query without gold', (name, { path, files, params = {} }) => {
  test('is refused by default, with the policy that counts it', async () => {
    const refused = load(name, path, files, params)
    await expect(refused).rejects.toThrow('`missingGold: count`')
    await expect(load(name, path, files, { ...params, missingGold: 'refuse' })).rejects.toThrow()
  })

  test('is left out and counted by `missingGold: count`', async () => {
    const set = await load(name, path, files, { ...params, missingGold: 'count' })
    expect(set.queries.map(({ id }) => id)).not.toContain('b')
    expect(set.queries[0].id).toBe('a')
    expect(set.notices).toContain('1 queries without gold are left out')
  })
})

test('gold that is partly missing counts as not found; the import reads back equal', async () => {
  const folder = temporaryFolder({ 'h.json': hotpot })
  const set = await loadDataset(
    { name: 'hotpotqa', params: { path: 'h.json', missingGold: 'count' } },
    folder,
  )
  expect(set.queries.map(({ id }) => id)).toEqual(['a', 'c'])
  expect(set.missingGold).toBe(1)
  expect([...(set.qrels.get('c')?.keys() ?? [])]).toContain('missing: Zell')
  const { call } = callsIn(folder, {})
  const refused = await call('import', 'h.json', '--from', 'hotpotqa', '-o', 'out')
  expect(refused.code).toBe(2)
  expect(refused.err).toContain('question 2: the supporting fact "Zell" is not one')
  const { code, err, out } = await call(
    'import',
    'h.json',
    '--from',
    'hotpotqa',
    '--missing-gold',
    'count',
    '-o',
    'out',
  )
  expect(err).toContain('1 queries without gold are left out')
  expect(code).toBe(0)
  expect(out).toContain('1 documents, 2 queries, read back equal')
})

test('a Markdown quote that its file lacks counts as not found, and reads back', async () => {
  const gold = [
    { file: 'lomm.md', quote: 'lies at Orr' },
    { file: 'lomm.md', quote: 'no such words' },
  ]
  const folder = temporaryFolder({
    'notes/lomm.md': '# Lomm\n\nLomm lies at Orr.\n',
    'questions.jsonl': lines({ _id: 'a', text: 'Where?', gold }),
  })
  const choice = { path: 'notes', questions: 'questions.jsonl' }
  await expect(loadDataset({ name: 'folder', params: choice }, folder)).rejects.toThrow('lomm.md')
  const set = await loadDataset({ name: 'folder', params: { ...choice, missingGold: 'count' } }, folder)
  expect(set.missingGold).toBe(1)
  expect(set.spans.get('a')).toHaveLength(2)
})

describe('equal texts', () => {
  const corpus = lines(
    ...['d0', 'd1', 'd2', 'd3', 'd4'].map((_id) => ({ _id, text: 'Lomm lies at the strait of Orr' })),
    { _id: 'd5', text: ' Lomm  lies at the strait of Orr\n' },
    { _id: 'x', text: 'Vesk has cranes' },
  )
  const queries = lines({ _id: 'q1', text: 'Lomm strait' }, { _id: 'q2', text: 'Lomm strait' })
  const notices = async (qrels: string) =>
    (await load('beir', '.', { 'corpus.jsonl': corpus, 'queries.jsonl': queries, 'qrels/test.tsv': qrels }))
      .notices

  test('are counted, with the recall@1 that no retriever can pass', async () => {
    expect(await notices('q1\td0\t1\nq2\td1\t1\n')).toEqual([
      '6 documents have the text of another one, in 1 group ("d0", "d1", "d2", ...)',
      '2 queries have the words of another one and other gold, in 1 group ("q1", "q2")',
      'recall@1 cannot pass 50.0 % whatever a retriever does: equal queries get equal rankings',
      'recall@1 is at most 16.7 % on average over the orders of documents with equal texts',
    ])
  })

  test('are equal in another composition, or with characters that nobody sees', async () => {
    const set = await load('beir', '.', {
      'corpus.jsonl': lines(
        { _id: 'a', text: 'Caf\u00e9 Lomm' },
        { _id: 'b', text: 'Cafe\u0301 Lomm' },
        { _id: 'c', text: 'Caf\u00e9 Lo\u00admm' },
        { _id: 'd', text: 'Cafe Lomm' },
        { _id: 'e', text: '\u3000Caf\u00e9\u00a0\tLomm\u200b ' },
        { _id: 'f', text: 'CafeLomm' },
        { _id: 'g', text: '\u00a0Cafe \n Lomm' },
      ),
      'queries.jsonl': lines({ _id: 'q', text: 'Lomm?' }),
      'qrels/test.tsv': 'q\tf\t1\n',
    })
    expect(set.notices).toEqual([
      '6 documents have the text of another one, in 2 groups ("a", "b", "c", ...)',
    ])
  })

  test('are equal wherever a long text is composed, and unequal at whatever place they differ', async () => {
    const texts = Array.from({ length: 140 }, (_, at) => 'ab cd'.repeat(40).slice(0, at)).flatMap(
      (begin, at) => [
        { _id: `${at} composed`, text: `${begin}\u00e9${at}${'z'.repeat(90)}` },
        { _id: `${at} apart`, text: `${begin}e\u0301${at}${'z'.repeat(90)}` },
        { _id: `${at} hidden`, text: `${begin}e\u00ad\u0301${at}${'z'.repeat(90)}` },
        { _id: `${at} other`, text: `${begin}\u00e8${at}${'z'.repeat(90)}` },
      ],
    )
    const set = await load('beir', '.', {
      'corpus.jsonl': lines(...texts),
      'queries.jsonl': lines({ _id: 'q', text: 'Lomm?' }),
      'qrels/test.tsv': 'q\t0 other\t1\n',
    })
    expect(set.notices).toEqual([
      expect.stringMatching(/^420 documents have the text of another one, in 140 groups/),
    ])
  })

  test('of queries with the same gold impose nothing; copies that are all gold impose nothing', async () => {
    const all = (query: string) => [0, 1, 2, 3, 4, 5].map((n) => `${query}\td${n}\t1\n`).join('')
    expect(await notices(all('q1') + all('q2'))).toEqual([
      '6 documents have the text of another one, in 1 group ("d0", "d1", "d2", ...)',
    ])
  })

  test('with another title are other documents', async () => {
    const set = await load('beir', '.', {
      'corpus.jsonl': lines({ _id: 'a', title: 'A', text: 'same' }, { _id: 'b', title: 'B', text: 'same' }),
      'queries.jsonl': lines({ _id: 'q', text: 'A' }),
      'qrels/test.tsv': 'q\ta\t1\n',
    })
    expect(set.notices).toEqual([])
  })
})

test('columns of gold spans are read by their names, whatever their order', async () => {
  const files = (spans: string) => ({
    'corpus.jsonl': '{"_id": "d1", "title": "", "text": "Lomm lies at the strait."}\n',
    'queries.jsonl': '{"_id": "q1", "text": "Where does Lomm lie?"}\n',
    'qrels/spans.tsv': spans,
  })
  const load = (spans: string) =>
    loadDataset({ name: 'beir', params: { path: temporaryFolder(files(spans)) } }, '.')
  const gold = [{ documentId: 'd1', start: 10, end: 23 }]
  expect((await load('start\tend\tdoc_id\tquery_id\n10\t23\td1\tq1\n')).spans.get('q1')).toEqual(gold)
  expect((await load('q1\td1\t10\t23\n')).spans.get('q1')).toEqual(gold)
  // As pandas writes whole numbers of a column that lacks some.
  const points = await load('query-id\tcorpus-id\tstart\tend\tgrade\nq1\td1\t10.0\t23.0\t2.0\n')
  expect(points.spans.get('q1')).toEqual([{ ...gold[0], grade: 2 }])
  await expect(load('q1\td1\t-1\t4\n')).rejects.toThrow('must be whole numbers, not "-1" and "4"')
  await expect(load('q1\td1\t0x1\t4\n')).rejects.toThrow('must be whole numbers, not "0x1" and "4"')
  await expect(load('query-id\tcorpus-id\tstart\n')).rejects.toThrow(
    'spans.tsv:1: names no column end; its columns are query-id, corpus-id, start',
  )
})

test('queries whose labels are all below 1 are told: they stay, and count as 0', async () => {
  const set = await load('beir', '.', {
    'corpus.jsonl': lines({ _id: 'd', text: 'Lomm' }),
    'queries.jsonl': lines(
      { _id: 'q1', text: 'Lomm?' },
      { _id: 'q2', text: 'Zell?' },
      { _id: 'q3', text: 'Orr?' },
    ),
    'qrels/test.tsv': 'q1\td\t1\nq2\td\t0\nq3\td\t-1\n',
  })
  expect(set.queries).toHaveLength(3)
  expect(set.notices).toEqual([
    '2 queries have labels and none of grade 1 or higher: no retriever can find anything for them, and they count as 0',
  ])
})

test('spans of grade 0 are labels and no gold: in notices, OR-groups and missing gold', async () => {
  const files = (spans: string) => ({
    'corpus.jsonl': lines({ _id: 'd', text: 'Where is Lomm?' }, { _id: 'e', text: 'It lies at Orr.' }),
    'queries.jsonl': lines({ _id: 'q1', text: 'Where is Lomm?' }, { _id: 'q2', text: 'where is  Lomm?' }),
    'qrels/spans.tsv': `query-id\tcorpus-id\tstart\tend\tgroup\tgrade\n${spans}`,
  })
  const twins =
    '2 queries have the text of a document that is no gold of theirs ("q1" that of "d"), which they find first: if it is the query itself, give both one id and set `ownDocument: drop` of the dataset'
  const barren = await load('beir', '.', files('q1\td\t0\t5\t\t0\nq2\te\t0\t2\t\t1\n'))
  expect(barren.notices).toEqual([
    '1 queries have labels and none of grade 1 or higher: no retriever can find anything for them, and they count as 0',
    twins,
  ])
  const gold = 'q1\te\t0\t2\ta\t1\nq1\te\t3\t7\ta\t1\n'
  const grouped = await load('beir', '.', files(`${gold}q1\td\t0\t5\t\t0\nq2\te\t0\t2\t\t1\n`))
  expect(grouped.groups.get('q1')).toEqual([['e:0-2', 'e:3-7']])
  const absent = await load('beir', '.', files(`q1\tx\t0\t5\t\t0\nq2\tx\t0\t2\t\t1\n`), {
    missingGold: 'count',
  })
  expect(absent.missingGold).toBe(1)
  expect(absent.notices).toContainEqual(expect.stringContaining('none of the judged documents'))
})

test('equal queries that differ only in spans of grade 0 have the same gold', async () => {
  const set = await load('beir', '.', {
    'corpus.jsonl': lines({ _id: 'd', text: 'Lomm lies at Orr.' }),
    'queries.jsonl': lines({ _id: 'q1', text: 'Where?' }, { _id: 'q2', text: 'Where?' }),
    'qrels/spans.tsv':
      'query-id\tcorpus-id\tstart\tend\tgrade\nq1\td\t0\t4\t1\nq1\td\t5\t9\t0\nq2\td\t0\t4\t1\n',
  })
  expect(set.notices).toEqual([])
})

test.each([' \n', '\u00ad\u200b', '\ufeff\ufe0f'])(
  'a text in which nothing can be seen is none: %j',
  async (text) => {
    const files = { 'queries.jsonl': lines({ _id: 'q', text: 'Lomm?' }), 'qrels/test.tsv': 'q\ta\t1\n' }
    const corpus = lines({ _id: 'a', text: 'Lomm' }, { _id: 'b', title: '', text })
    await expect(load('beir', '.', { ...files, 'corpus.jsonl': corpus })).rejects.toThrow(
      'document "b" has neither text nor title',
    )
    await expect(
      load('beir', '.', {
        ...files,
        'corpus.jsonl': lines({ _id: 'a', text: 'Lomm' }),
        'queries.jsonl': lines({ _id: 'q', text }),
      }),
    ).rejects.toThrow('query "q" has no text; write its question, or remove it')
  },
)

test('queries with the text of a document under another id are told, unless it is their gold', async () => {
  const files = (qrels: string) => ({
    'corpus.jsonl': lines(
      { _id: 'a', title: 'School uniforms', text: 'help' },
      { _id: 'b', text: 'Uniforms do not help' },
      { _id: 'c', text: 'Lomm' },
    ),
    'queries.jsonl': lines(
      { _id: 'q1', text: 'school  uniforms\u200b HELP' },
      { _id: 'q2', text: 'Where is Lomm?' },
    ),
    'qrels/test.tsv': qrels,
  })
  const told = await load('beir', '.', files('q1\tb\t1\nq2\tc\t1\n'))
  expect(told.notices).toEqual([
    '1 queries have the text of a document that is no gold of theirs ("q1" that of "a"), which they find first: if it is the query itself, give both one id and set `ownDocument: drop` of the dataset',
  ])
  expect((await load('beir', '.', files('q1\ta\t1\nq2\tc\t1\n'))).notices).toEqual([])
  expect((await load('beir', '.', files('q1\tb\t1\nq1\ta\t0\nq2\tc\t1\n'))).notices).toHaveLength(1)
})
