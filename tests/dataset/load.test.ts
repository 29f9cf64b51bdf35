import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { loadDataset } from '../../src/dataset/load.ts'
import { callsIn } from '../cli/calls.ts'
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
    expect(await wrong('null')).toContain('corpus.jsonl:1: `_id` is null; an id is a text or a whole number')
    expect(await wrong('2.5')).toContain('corpus.jsonl:1: `_id` is the number 2.5')
    expect(await wrong('true')).toContain('corpus.jsonl:1: `_id` is the boolean true')
    expect(await wrong('12345678901234567890')).toContain(
      'whole numbers this large lose digits; write it as text',
    )
    expect(await wrong('"a\\u0000b"')).toContain('corpus.jsonl:1: `_id` holds a control character')
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

  test('has another hash after any change of content, another documentsHash after a change of documents only', async () => {
    const plain = await load(FILES)
    const hashOf = (file: keyof typeof FILES, from: string, to: string) =>
      load({ ...FILES, [file]: FILES[file].replace(from, to) })
    const graded = await hashOf('qrels/test.tsv', 'assay\t2', 'assay\t1')
    const edited = await hashOf('queries.jsonl', 'Who', 'Which')
    const written = await hashOf('corpus.jsonl', '1500', '1501')
    expect(new Set([plain, graded, edited, written].map(({ hash }) => hash)).size).toBe(4)
    expect([graded, edited].map(({ documentsHash }) => documentsHash)).toEqual([
      plain.documentsHash,
      plain.documentsHash,
    ])
    expect(written.documentsHash).not.toBe(plain.documentsHash)
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

describe('documents without text and title', () => {
  const files = {
    ...FILES,
    'corpus.jsonl': `${FILES['corpus.jsonl']}${lines({ _id: 'void', text: ' ' }, { _id: 'zero', title: '', text: '' })}`,
    'qrels/test.tsv': `${FILES['qrels/test.tsv']}q1\tvoid\t1\n`,
  }

  test('twice one id stays an error', async () => {
    const twice = { ...files, 'corpus.jsonl': `${files['corpus.jsonl']}${lines({ _id: 'void', text: '' })}` }
    await expect(load(twice)).rejects.toThrow('duplicate document id "void"')
  })
})

const LOMM = ['Lomm', ['Lomm lies at Orr.', ' It has a harbour.']]
const facts = (...titles: string[]) => titles.map((title) => [title, 0])
const hotpot = JSON.stringify([
  { _id: 'a', question: 'Where does Lomm lie?', supporting_facts: facts('Lomm'), context: [LOMM] },
  { _id: 'b', question: 'Who rules Zell?', supporting_facts: facts('Zell'), context: [LOMM] },
  { _id: 'c', question: 'Lomm and Zell?', supporting_facts: facts('Lomm', 'Zell'), context: [LOMM] },
])

test('gold that is partly missing counts as not found; the import reads back equal', async () => {
  const folder = temporaryFolder({ 'h.json': hotpot })
  const set = await loadDataset(
    { name: 'hotpotqa', params: { path: 'h.json', missingGold: 'count' } },
    folder,
  )
  expect(set.queries.map(({ id }) => id)).toEqual(['a', 'c'])
  expect(set.missingGold).toBe(1)
  expect([...(set.qrels.get('c')?.keys() ?? [])]).toContain('missing: Zell')
  const { call } = callsIn(folder)
  const refused = await call('import', 'h.json', '--from', 'hotpotqa', '-o', 'out')
  expect(refused.code).toBe(2)
  expect(refused.err).toContain('record 2: the supporting fact "Zell" is not one')
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
