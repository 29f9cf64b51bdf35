import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { detectFormat, loadDataset } from '../../src/dataset/load.ts'
import { describeShared, shared } from '../shared.ts'
import { temporaryFolder } from '../temporary.ts'

const lines = (...items: unknown[]) => items.map((item) => `${JSON.stringify(item)}\n`).join('')
const FILES = {
  'corpus.jsonl': lines(
    { _id: 'touch', title: 'Touchstone', text: 'Gold leaves a streak.', metadata: { year: 1500 } },
    { _id: 'assay', text: 'An assay finds gold.' },
  ),
  'queries.jsonl': lines(
    {
      _id: 'q2',
      text: 'What leaves a streak?',
      metadata: { category: 'short', answers: ['gold'], source: 'x' },
    },
    { _id: 'q1', text: 'What finds gold?' },
    { _id: 'q3', text: 'Who knows?', metadata: { answerable: false } },
  ),
  'qrels/test.tsv': 'query-id\tcorpus-id\tscore\nq1\tassay\t2\nq1\ttouch\t0\nq2\ttouch\t1\n',
}
const load = (files: Record<string, string | Uint8Array>, params: Record<string, string> = {}) =>
  loadDataset({ name: 'beir', params: { path: '.', ...params } }, temporaryFolder(files))

describe('a BEIR folder', () => {
  test('is sorted by id bytes; gold stays out of what a strategy sees', async () => {
    const set = await load(FILES)
    expect(set.documents).toEqual([
      { id: 'assay', title: '', text: 'An assay finds gold.', metadata: {} },
      { id: 'touch', title: 'Touchstone', text: 'Gold leaves a streak.', metadata: { year: 1500 } },
    ])
    expect(set.queries.map(({ id, answerable }) => [id, answerable])).toEqual([
      ['q1', true],
      ['q2', true],
      ['q3', false],
    ])
    expect(set.queries[1]).toEqual({
      id: 'q2',
      text: 'What leaves a streak?',
      metadata: { source: 'x' },
      category: 'short',
      answers: ['gold'],
      answerable: true,
    })
    expect([...(set.qrels.get('q1') ?? [])]).toEqual([
      ['assay', 2],
      ['touch', 0],
    ])
    expect(set.judgedUnit).toBe('document')
    expect(set.notices).toEqual([])
  })

  test('whole numbers are ids; null, fractions, booleans, too many digits and NUL are refused with their place', async () => {
    const numbered = (value: string) => ({
      'corpus.jsonl': `{"_id": ${value}, "text": "An assay finds gold."}\n`,
      'queries.jsonl': '{"_id": 1, "text": "What finds gold?"}\n',
      'qrels/test.tsv': '1\t2\t1.0\n',
    })
    const { documents, qrels } = await load(numbered('2'))
    expect(documents.map(({ id }) => id)).toEqual(['2'])
    expect(qrels).toEqual(new Map([['1', new Map([['2', 1]])]]))
    const wrong = (value: string) => load(numbered(value)).catch(({ message }: Error) => message)
    expect(await wrong('null')).toContain('corpus.jsonl:1: "_id" is null; an id is a text or a whole number')
    expect(await wrong('2.5')).toContain('corpus.jsonl:1: "_id" is the number 2.5')
    expect(await wrong('true')).toContain('corpus.jsonl:1: "_id" is the boolean true')
    expect(await wrong('12345678901234567890')).toContain(
      'whole numbers this large lose digits; write it as text',
    )
    expect(await wrong('"a\\u0000b"')).toContain(
      `corpus.jsonl:1: the document's id holds a control character`,
    )
  })

  test.each([
    ['corpus.jsonl', '\n', 'corpus.jsonl: holds no document'],
    ['queries.jsonl', '', 'queries.jsonl: holds no query'],
    ['qrels/test.tsv', '\t\t\n\t\t\n', 'qrels/test.tsv: holds no qrels'],
    ['qrels/test.tsv', '', 'qrels/test.tsv: holds no qrels'],
  ])('%s without content is refused, whatever is counted', async (file, content, message) => {
    for (const missingGold of ['refuse', 'count'])
      await expect(load({ ...FILES, [file]: content }, { missingGold })).rejects.toThrow(message)
  })

  test('judgements of nothing, and a NUL in a judged id, are refused where missing gold is counted', async () => {
    const judged = (qrels: string) => load({ ...FILES, 'qrels/test.tsv': qrels }, { missingGold: 'count' })
    await expect(judged('q1\tas\0say\t1\nq2\ttouch\t1\n')).rejects.toThrow(
      'test.tsv:1: an id holds a control character',
    )
  })

  test('the corpus may stand alone, without queries and judgements', async () => {
    const { documents, queries, notices } = await load({ 'corpus.jsonl': FILES['corpus.jsonl'] })
    expect([documents.length, queries.length]).toEqual([2, 0])
    expect(notices).toEqual(['no queries.jsonl and no qrels: the corpus can be prepared and asked, not run'])
    const { 'queries.jsonl': _, ...rest } = FILES
    await expect(load(rest)).rejects.toThrow('queries.jsonl: is missing')
  })

  test('is the same with gzip, a byte order mark, CRLF, blank lines, another order, no header', async () => {
    const plain = await load(FILES)
    const corpus = `\uFEFF${FILES['corpus.jsonl'].replaceAll('\n', '\r\n')}\r\n\n`
    const queries = FILES['queries.jsonl'].trim().split('\n').reverse().join('\n')
    const other = await load({
      'corpus.jsonl.gz': gzipSync(corpus),
      'queries.jsonl': queries,
      'qrels/test.tsv.gz': gzipSync('q2\ttouch\t1\r\nq1\ttouch\t0\r\nq1\tassay\t2'),
    })
    expect(other.documents).toEqual(plain.documents)
    expect(other.queries).toEqual(plain.queries)
    expect(other.hash).toBe(plain.hash)
  })

  test('says which fields of queries are not read where they stand', async () => {
    const { notices } = await load({
      ...FILES,
      'queries.jsonl': FILES['queries.jsonl'].replace('"q1",', '"q1", "category": "fact", "answers": ["x"],'),
    })
    expect(notices).toContain(
      'queries.jsonl: 1 query has "category", "answers" outside of "metadata" and so not read; move them there',
    )
  })

  test('has another hash after any change of content, another documentsHash after a change of documents only', async () => {
    const plain = await load(FILES)
    const hashOf = (file: keyof typeof FILES, from: string, to: string) =>
      load({ ...FILES, [file]: FILES[file].replace(from, to) })
    const graded = await hashOf('qrels/test.tsv', 'assay\t2', 'assay\t1')
    const asked = await hashOf('queries.jsonl', 'Who', 'Which')
    const written = await hashOf('corpus.jsonl', '1500', '1501')
    expect(new Set([plain, graded, asked, written].map(({ hash }) => hash)).size).toBe(4)
    expect([graded, asked].map(({ documentsHash }) => documentsHash)).toEqual([
      plain.documentsHash,
      plain.documentsHash,
    ])
    expect(written.documentsHash).not.toBe(plain.documentsHash)
  })

  test('leaves out queries of another split and counts them', async () => {
    const set = await load({
      ...FILES,
      'queries.jsonl': FILES['queries.jsonl'] + lines({ _id: 'q4', text: 'In train?' }),
      'qrels/train.tsv': 'query-id\tcorpus-id\tscore\nq4\tassay\t1\n',
    })
    expect(set.queries.map(({ id }) => id)).toEqual(['q1', 'q2', 'q3'])
    expect(set.notices).toEqual(['1 queries are judged only in another split and left out'])
  })

  test('keeps missing gold in the judgements where asked to count it', async () => {
    const files = { ...FILES, 'qrels/test.tsv': `${FILES['qrels/test.tsv']}q2\tgone\t1\n` }
    await expect(load(files)).rejects.toThrow('qrels/test.tsv:5: unknown document "gone"')
    const set = await load(files, { missingGold: 'count' })
    expect(set.missingGold).toBe(1)
    expect(set.qrels.get('q2')?.get('gone')).toBe(1)
  })

  test('takes alternatives from a fourth column', async () => {
    const qrels = 'query-id\tcorpus-id\tscore\tgroup\nq1\tassay\t1\ta\nq1\ttouch\t1\ta\nq2\ttouch\t1\n'
    const set = await load({ ...FILES, 'qrels/test.tsv': qrels })
    expect([...set.groups]).toEqual([['q1', [['assay', 'touch']]]])
  })

  test('takes gold spans, with or without judged documents', async () => {
    const { 'qrels/test.tsv': _, ...rest } = FILES
    const set = await load({
      ...rest,
      'qrels/spans.tsv': 'q2\ttouch\t13\t21\nq1\tassay\t0\t8\nq2\ttouch\t0\t4\n',
    })
    expect(set.judgedUnit).toBe('span')
    expect(set.spans.get('q2')).toEqual([
      { documentId: 'touch', start: 0, end: 4 },
      { documentId: 'touch', start: 13, end: 21 },
    ])
  })

  test('tells of bytes that are not UTF-8, of broken gzip, of a hundred errors and how many more', async () => {
    const latin = Buffer.from('{"_id": "a", "text": "fine"}\n{"_id": "b", "text": "caf\xe9"}\n', 'latin1')
    await expect(load({ ...FILES, 'corpus.jsonl': latin })).rejects.toThrow(/corpus\.jsonl:\d: is not UTF-8/)
    const { 'corpus.jsonl': _, ...rest } = FILES
    await expect(load({ ...rest, 'corpus.jsonl.gz': 'no gzip' })).rejects.toThrow(
      'corpus.jsonl.gz: cannot be read',
    )
    const error = await load({ ...FILES, 'corpus.jsonl': '{"\n'.repeat(250) }).catch(
      (thrown: Error) => thrown,
    )
    expect((error as Error).message).toMatch(/corpus\.jsonl:1:.* \(also lines 2 to 100\)\nand 150 more$/)
  })

  test('names unknown formats and params', async () => {
    await expect(loadDataset({ name: 'bier', params: { path: '.' } }, '.')).rejects.toThrow(
      '(did you mean "beir"?)',
    )
    await expect(loadDataset({ name: 'beir', params: { path: '.', spilt: 'x' } }, '.')).rejects.toThrow(
      'spilt',
    )
    await expect(loadDataset({ name: 'beir', params: { path: 'no-such' } }, '.')).rejects.toThrow(
      'there is no such file or folder',
    )
  })
})

describe('other formats', () => {
  test('HotpotQA: the union of contexts, gold by title', async () => {
    const context = [
      ['Touchstone', ['A dark stone.', ' It tests gold.']],
      ['Assay', ['A test.']],
    ]
    const questions = [
      {
        _id: 'a',
        question: 'Which stone?',
        answer: 'touchstone',
        type: 'bridge',
        supporting_facts: [
          ['Touchstone', 0],
          ['Touchstone', 1],
        ],
        context,
      },
      {
        _id: 'b',
        question: 'Which test?',
        answer: 'assay',
        type: 'comparison',
        supporting_facts: [['Assay', 0]],
        context: [...context, ['Ore', ['Rock.']]],
      },
    ]
    const folder = temporaryFolder({
      'array.json': JSON.stringify(questions),
      'lines.jsonl': lines(...questions),
    })
    const set = await loadDataset({ name: 'hotpotqa', params: { path: 'array.json' } }, folder)
    expect(set.documents.map(({ title, text }) => `${title}: ${text}`).sort()).toEqual([
      'Assay: A test.',
      'Ore: Rock.',
      'Touchstone: A dark stone. It tests gold.',
    ])
    const stone = set.documents.find(({ title }) => title === 'Touchstone')?.id ?? ''
    expect([...(set.qrels.get('a') ?? [])]).toEqual([[stone, 1]])
    expect(set.queries.map(({ category, answers }) => [category, answers])).toEqual([
      ['bridge', ['touchstone']],
      ['comparison', ['assay']],
    ])
    expect((await loadDataset({ name: 'hotpotqa', params: { path: 'lines.jsonl' } }, folder)).hash).toBe(
      set.hash,
    )
    const wiki = await loadDataset({ name: '2wiki', params: { path: 'array.json' } }, folder)
    expect(wiki.documents.some(({ text }) => text === 'A dark stone.  It tests gold.')).toBe(true)
  })

  test('MuSiQue: supporting paragraphs are gold, unanswerable twins are left out', async () => {
    const paragraphs = [
      { idx: 0, title: 'Assay', paragraph_text: 'A test.', is_supporting: true },
      { idx: 1, title: 'Assay', paragraph_text: 'Another text.', is_supporting: false },
    ]
    const question = {
      id: '3hop1__1_2_3',
      question: 'Which?',
      answer: 'a',
      answer_aliases: ['A', 'a'],
      answerable: true,
      paragraphs,
    }
    const folder = temporaryFolder({
      'dev.jsonl': lines(question, { ...question, answerable: false, paragraphs: paragraphs.slice(1) }),
    })
    const set = await loadDataset({ name: 'musique', params: { path: 'dev.jsonl' } }, folder)
    expect(set.documents).toHaveLength(2)
    expect(set.queries).toMatchObject([{ id: '3hop1__1_2_3', category: '3hop1', answers: ['a', 'A'] }])
    expect(set.qrels.get('3hop1__1_2_3')?.size).toBe(1)
    expect(set.notices).toHaveLength(1)
  })

  test('ir_datasets exports, and Markdown folders without queries', async () => {
    const exported = temporaryFolder({
      'docs.tsv': 'd1\t\tAn assay finds gold.\nd2\tStone\tGold leaves a streak.\n',
      'queries.jsonl': lines({ query_id: 'q', text: 'gold?' }),
      qrels: 'q 0 d1 1\nq\t0\td2\t2  \n',
    })
    expect(detectFormat(exported)).toBe('ir-datasets')
    const set = await loadDataset({ name: 'ir-datasets', params: { path: exported } }, '.')
    expect(set.documents.map(({ title }) => title)).toEqual(['', 'Stone'])
    expect([...(set.qrels.get('q') ?? [])]).toEqual([
      ['d1', 1],
      ['d2', 2],
    ])

    const notes = temporaryFolder({
      'b/two.md': 'No heading.',
      'one.md': '\uFEFF# One\n\nText.',
      'empty.md': '\n',
    })
    expect(detectFormat(notes)).toBe('folder')
    const found = await loadDataset({ name: 'folder', params: { path: notes } }, '.')
    expect(found.documents.map(({ id, title }) => [id, title])).toEqual([
      ['b/two.md', 'two'],
      ['one.md', 'One'],
    ])
    expect(found.queries).toEqual([])
  })
})

describeShared('the reference data sets', () => {
  test.each([
    ['musique-train-100', 1890, 100, 237],
    ['2wiki-101', 6119, 101, 248],
    ['hotpotqa-train-100', 994, 100, 200],
    ['claude-docs-100', 232, 100, 192],
    ['xquad-en', 240, 1190, 1190],
  ])('%s', async (name, documents, queries, labels) => {
    const set = await loadDataset({ name: 'beir', params: { path: shared('data', name) } }, '.')
    const judged = [...set.qrels.values()].reduce((total, grades) => total + grades.size, 0)
    expect([set.documents.length, set.queries.length, judged, set.notices.length]).toEqual([
      documents,
      queries,
      labels,
      0,
    ])
  })
})

test('a line that is no JSON is told with its column and the parser’s reason, its file absolute', async () => {
  const folder = temporaryFolder({ ...FILES, 'corpus.jsonl': '{"_id": "a", "text": "b",}\n' })
  const error = await loadDataset({ name: 'beir', params: { path: '.' } }, folder).catch((thrown) => thrown)
  expect(error.diagnostics[0]).toMatchObject({ file: join(folder, 'corpus.jsonl'), line: 1, column: 26 })
  expect(error.diagnostics[0].message).toMatch(/^is not valid JSON: \S/)
})

describe('documents without text and title', () => {
  const files = {
    ...FILES,
    'corpus.jsonl': `${FILES['corpus.jsonl']}${lines({ _id: 'void', text: ' ' }, { _id: 'zero', title: '', text: '' })}`,
    'qrels/test.tsv': `${FILES['qrels/test.tsv']}q1\tvoid\t1\n`,
  }

  test('are an error that says how to go on', async () => {
    await expect(load(files)).rejects.toThrow(
      'corpus.jsonl:3: document "void" has neither text nor title; --allow-empty leaves such documents out',
    )
  })

  test('are left out and counted where that is asked for; gold there counts as not found', async () => {
    const set = await load(files, { emptyDocuments: 'count' })
    expect(set.documents.map(({ id }) => id)).toEqual(['assay', 'touch'])
    expect(set.notices).toContain('2 documents without text and title are left out')
    expect(set.missingGold).toBe(1)
    expect(set.qrels.get('q1')?.get('void')).toBe(1)
    expect(
      (
        await loadDataset({ name: 'beir', params: { path: '.' } }, temporaryFolder(files), {
          allowEmpty: true,
        })
      ).hash,
    ).toBe(set.hash)
  })

  test('twice one id stays an error', async () => {
    const twice = { ...files, 'corpus.jsonl': `${files['corpus.jsonl']}${lines({ _id: 'void', text: '' })}` }
    await expect(load(twice, { emptyDocuments: 'count' })).rejects.toThrow('duplicate document id "void"')
  })
})

describe('lines that JSON.parse takes and nobody means', () => {
  test.each([
    [
      { 'corpus.jsonl': '{"_id": "assay", "text": "a", "text": "b"}\n' },
      /corpus\.jsonl:1:\d+: has the key "text" twice/,
    ],
    [
      {
        'corpus.jsonl': `{"_id": "assay", "text": "a", "metadata": {"a": ${'['.repeat(20_000)}${']'.repeat(20_000)}}}\n`,
      },
      /corpus\.jsonl:1:\d+: is nested more than 100 deep/,
    ],
    [
      { 'queries.jsonl': '{"_id": "q1", "text": "a", "metadata": {"n": 1e999}}\n' },
      /queries\.jsonl:1:\d+: holds a number too large/,
    ],
    [
      { 'queries.jsonl': '{"_id": "q\\u0007", "text": "a"}\n' },
      /queries\.jsonl:1: the query's id holds a control character/,
    ],
    [
      { 'qrels/test.tsv': 'q1\tassay\t4294967297\n' },
      /qrels\/test\.tsv:1: a grade must be a whole number of 32 bits, not "4294967297"/,
    ],
  ])('%#', async (wrong, message) => {
    await expect(load({ ...FILES, ...wrong } as Record<string, string>)).rejects.toThrow(message)
  })
})
