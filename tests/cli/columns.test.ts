import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parquetWriteFile } from 'hyparquet-writer'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../temporary.ts'
import { callsIn } from './calls.ts'

const called = (files: Record<string, string>) => callsIn(temporaryFolder(files), {})

const TOWNS = [
  ['d0', 'Lomm lies at the strait of Orr. It has a harbour.', 'Lomm'],
  ['d1', 'Tarn lies inland near a lake.', 'Tarn'],
]
const tsv = (rows: readonly (readonly string[])[]) => rows.map((row) => `${row.join('\t')}\n`).join('')

describe('documents between tabs', () => {
  const rest = { 'in/queries.tsv': 'q1\tWhere does Lomm lie?\n', 'in/qrels': 'q1 0 d0 1\n' }
  const imported = async (docs: string, ...argv: string[]) => {
    const { folder, call } = called({ 'in/docs.tsv': docs, ...rest })
    const outcome = await call('import', 'in', '-o', 'out', ...argv)
    const corpus = outcome.code ? '' : readFileSync(join(folder, 'out/corpus.jsonl'), 'utf8')
    return { ...outcome, first: corpus && JSON.parse(corpus.split('\n')[0]) }
  }
  const lomm = { title: 'Lomm', text: TOWNS[0][1] }

  test('the text is the column that is longer by far, before or behind the title, and is told', async () => {
    const behind = await imported(tsv(TOWNS))
    expect(behind.first).toMatchObject(lomm)
    expect(behind.err).toContain('docs.tsv: text from column 2, the longer, and title from column 3')
    expect(behind.err).toContain('first document: "d0", title "Lomm", text "Lomm lies at the strait')
    expect(behind.err).toContain('first query: "q1", text "Where does Lomm lie?", gold "d0" (grade 1)')
    expect((await imported(tsv(TOWNS.map(([id, text, title]) => [id, title, text])))).first).toMatchObject(
      lomm,
    )
    expect((await imported(tsv(TOWNS.map(([id, text]) => [id, text, ''])))).first).toMatchObject({
      title: '',
    })
  })
  test('a header is read by its names', async () => {
    const { first } = await imported(
      `doc_id\ttitle\turl\ttext\n${tsv(TOWNS.map(([id, text, title]) => [id, title, 'u', text]))}`,
    )
    expect(first).toMatchObject(lomm)
  })
  test("a query's text has no such sign: more than two columns need a header, whose most trusted name is read", async () => {
    const asked = async (queries: string) => {
      const { folder, call } = called({ 'in/docs.tsv': tsv(TOWNS), ...rest, 'in/queries.tsv': queries })
      const { err, code } = await call('import', 'in', '-o', 'out')
      const text = code ? '' : JSON.parse(readFileSync(join(folder, 'out/queries.jsonl'), 'utf8')).text
      return { err, text }
    }
    const row = 'q1\thttps://example.org/a/very/long/address\tWhere is Lomm?\n'
    expect((await asked(row)).err).toMatch(
      /queries\.tsv:1: has 3 columns: which of them.*Begin the file with a header/,
    )
    expect((await asked(`query_id\turl\ttext\n${row}`)).text).toBe('Where is Lomm?')
    expect((await asked(`query_id\tquery\ttext\n${row}`)).text).toBe('Where is Lomm?')
  })
  test('two columns of like length, and more columns, are refused with the option that decides', async () => {
    const alike = tsv([['d0', 'Lomm by Orr', 'Tarn by Ark']])
    expect((await imported(alike)).err).toMatch(
      /docs\.tsv:1: has two columns besides the id.*--columns text=2,title=3/,
    )
    expect((await imported(alike, '--columns', 'text=3,title=2')).first).toMatchObject({
      title: 'Lomm by Orr',
    })
    expect((await imported(alike, '--columns', 'text=3')).first).toMatchObject({
      title: '',
      text: 'Tarn by Ark',
    })
    const four = tsv([['d0', 'http://x', 'Lomm', 'Lomm lies at the strait']])
    expect((await imported(four)).err).toContain('docs.tsv:1: has 4 columns; say which of them are the text')
    expect((await imported(four, '--columns', 'text=4,title=3')).first).toMatchObject({ title: 'Lomm' })
    expect((await imported(four, '--columns', 'text=5')).err).toContain(
      'has 4 columns, and `columns` names column 5',
    )
    expect((await imported(four, '--columns', 'text')).err).toContain('--columns: `text` is not ROLE=COLUMN')
  })
})

describe('judgements in a BEIR folder', () => {
  const corpus = [0, 1, 2, 3].map((id) => `{"_id": "${id}", "text": "Text ${id} of a town."}\n`).join('')
  const queries = '{"_id": "1", "text": "Tarn?"}\n{"_id": "2", "text": "Vesk?"}\n'
  const checked = async (qrels: string, params = '') => {
    const files = { 'a/corpus.jsonl': corpus, 'a/queries.jsonl': queries, 'a/qrels/test.tsv': qrels }
    const { call } = called({
      ...files,
      'a.yaml': `dataset: {beir: {path: a${params}}}\nprepare: {chunk: passages}\ntrials: [bm25]\n`,
    })
    return call('check', 'a.yaml')
  }
  test.each([
    ['0', '1\t0\t1\t1\n2\t0\t2\t1\n'],
    ['Q0', '1\tQ0\t1\t1\n2\tQ0\t2\t1\n'],
    ['spaces', '1 0 1 1\n2 0 2 1\n'],
    ['iterations that are no documents', '1\t7\t1\t1\n2\t8\t2\t1\n'],
    ['a header', 'qid\titer\tdocno\trel\n1\t0\t1\t1\n2\t0\t2\t1\n'],
    ['a header in another order', 'corpus-id\tquery-id\tscore\n1\t1\t1\n2\t2\t1\n'],
  ])("TREC's four columns are recognised and told: %s", async (_, qrels) => {
    const { code, out } = await checked(qrels)
    expect(code).toBe(0)
    expect(out).toContain('first query: "1", text "Tarn?", gold "1" (grade 1)')
    expect(out).toMatch(/note: qrels\/test\.tsv: .*document/)
  })
  test('four columns with a group are no TREC, although grades are ids of documents', async () => {
    const { call } = called({
      'a/corpus.jsonl': '{"_id": "a", "text": "Lomm"}\n{"_id": "1", "text": "Tarn"}\n',
      'a/queries.jsonl': '{"_id": "q", "text": "Lomm?"}\n',
      'a/qrels/test.tsv': 'q\ta\t1\tg\n',
      'a.yaml': 'dataset: a\ntrials: [bm25]\n',
    })
    expect((await call('check', 'a.yaml')).out).toContain('gold "a" (grade 1)')
  })
  test('an unknown header and ids that only look alike are named as such', async () => {
    const { err } = await checked('question\tanswer\tusefulness\n1\t1\t1\n')
    expect(err).toContain(
      'test.tsv:1: a grade must be a whole number of 32 bits, not "usefulness"; the columns of a header are query-id, corpus-id and score',
    )
    const { call } = called({
      'a/corpus.jsonl': '{"_id": "Orr\u00e9", "text": "Lomm"}\n',
      'a/queries.jsonl': '{"_id": "q", "text": "Lomm?"}\n',
      'a/qrels/test.tsv': 'q\tOrre\u0301\t1\n',
      'a.yaml': 'dataset: a\ntrials: [bm25]\n',
    })
    expect((await call('check', 'a.yaml')).err).toContain(
      'They look alike and are written as "Orr\\u{00E9}" and "Orre\\u{0301}"',
    )
  })
  test('four columns that can be both are refused; `columns` or a header decides', async () => {
    const both = '1\t1\t2\t1\n2\t2\t1\t1\n'
    const { code, err } = await checked(both)
    expect(code).toBe(2)
    expect(err).toMatch(/test\.tsv:1: can be read as .*`columns: \{document: 3, grade: 4\}` of the dataset/)
    expect((await checked(both, ', columns: {document: 3, grade: 4}')).out).toContain('gold "2" (grade 1)')
    expect((await checked(both, ', columns: {document: 2, grade: 3}')).out).toContain('gold "1" (grade 2)')
    expect((await checked(`query-id\tcorpus-id\tscore\tgroup\n${both}`)).out).toContain('gold "1" (grade 2)')
    expect((await checked(both, ', columns: {document: 9, grade: 4}')).err).toContain(
      'has 4 columns and no header',
    )
  })
})

describe('runs and judgements with a header', () => {
  const RUN = [
    ['q1', 3, 'z', 0, 3, 'where is it'],
    ['q1', 1, 'a', 1, 2, 'where is it'],
    ['q2', 2, 'b', 0, 1, 'and who'],
  ]
  const HEADER = ['qid', 'docid', 'docno', 'rank', 'score', 'query']
  const QRELS = 'q1 0 a 1\nq2 0 b 2\n'
  const table = (mark: string, header = HEADER, rows: readonly (readonly unknown[])[] = RUN) =>
    [header, ...rows].map((row) => `${row.join(mark)}\n`).join('')
  const scored = async (files: Record<string, string>, ...argv: string[]) => {
    const { call } = called({ 'qrels.txt': QRELS, ...files })
    const [run] = Object.keys(files)
    return call('score', 'qrels.txt', run, '-m', 'map', ...argv)
  }

  test.each(['csv', 'tsv'])(
    'docno stands before docid, a query id before the text of the query: %s',
    async (ending) => {
      const { out, err } = await scored({ [`run.${ending}`]: table(ending === 'csv' ? ',' : '\t') })
      expect(out).toMatch(/map\s+all\s+0\.7500/)
      expect(err).toContain(
        'query from `qid` (not `query`), document from `docno` (not `docid`), score from `score`; first record: query `q1`, document `z`, score 3',
      )
    },
  )
  test('the same in Parquet, with whole numbers', async () => {
    const { folder, call } = called({ 'qrels.txt': QRELS })
    const columnData = HEADER.map((name, column) => {
      const data = RUN.map((row) => row[column])
      return { name, data, type: typeof data[0] === 'number' ? 'INT32' : 'STRING' }
    })
    parquetWriteFile({ filename: join(folder, 'run.parquet'), columnData: columnData as never })
    expect((await call('score', 'qrels.txt', 'run.parquet', '-m', 'map')).out).toMatch(/map\s+all\s+0\.7500/)
  })
  test('a column that shares no id with the judgements loses', async () => {
    const swapped = ['q_id', 'docno', 'docid', 'rank', 'score', 'query']
    const { out, err } = await scored({ 'run.csv': table(',', swapped) })
    expect(out).toMatch(/map\s+all\s+0\.7500/)
    expect(err).toContain('document from `docid` (not `docno`)')
  })
  test.each(['distance', 'rank'])('a %s is no score: its lowest is the best', async (column) => {
    const files = (sign: number) => ({
      'run.csv': table(
        ',',
        ['query_id', 'docno', column],
        ['a', 'b', 'c'].map((id, at) => ['q1', id, sign * (at + 1)]),
      ),
    })
    const opposite = `\`${column}\` is best where it is lowest: write its negative values into a column \`score\``
    expect((await scored(files(1))).err).toContain(`has no column \`score\`, and ${opposite}`)
    // The ranking was turned around.
    expect(await scored(files(1), '--run-columns', `score=${column}`)).toMatchObject({
      code: 2,
      err: expect.stringContaining(opposite),
    })
    expect(await scored(files(-1), '--run-columns', `score=${column}`)).toMatchObject({ code: 0 })
  })
  test('two columns of one rank that differ are refused; the option decides', async () => {
    const header = ['query_id', 'docno', 'document_id', 'score']
    const rows = [
      ['q1', 'a', 'b', 1],
      ['q2', 'b', 'a', 1],
    ]
    const files = { 'run.csv': table(',', header, rows) }
    const { code, err } = await scored(files)
    expect(code).toBe(2)
    expect(err).toContain(
      'run.csv:1: the document can be `document_id` or `docno`; say which with --run-columns document=document_id',
    )
    expect((await scored(files, '--run-columns', 'document=docno')).out).toMatch(/map\s+all\s+1\.0000/)
    expect((await scored(files, '--run-columns', 'document=document_id')).out).toMatch(/map\s+all\s+0\.0000/)
    expect((await scored(files, '--run-columns', 'document=docnr')).err).toContain('has no column `docnr`')
    expect((await scored(files, '--run-columns', 'doc=docno')).err).toContain(
      'the roles are query, document, score, run',
    )
    const same = table(
      ',',
      header,
      rows.map(([query, id, , score]) => [query, id, id, score]),
    )
    expect((await scored({ 'run.csv': same })).out).toMatch(/map\s+all\s+1\.0000/)
  })
  test('of qrels with a score and a label that differ, neither is taken for the grade', async () => {
    const run = 'q1 Q0 a 1 2 r\nq2 Q0 b 1 1 r\n'
    const { call } = called({
      'run.trec': run,
      'both.csv': 'query_id,document_id,score,label\nq1,a,3,1\nq2,b,9,0\n',
      'one.csv': 'query_id,document_id,score,label\nq1,a,1,1\nq2,b,0,0\n',
      'word.csv': 'query_id,document_id,score,label\nq1,a,1,good\nq2,b,0,bad\n',
    })
    const score = (qrels: string, ...argv: string[]) => call('score', qrels, 'run.trec', '-m', 'map', ...argv)
    const refused = await score('both.csv')
    expect(refused.code).toBe(2)
    expect(refused.err).toContain(
      'both.csv:1: the grade can be `score` or `label`; say which with --qrels-columns grade=score',
    )
    expect((await score('both.csv', '--qrels-columns', 'grade=label')).out).toMatch(/map\s+all\s+0\.5000/)
    expect((await score('one.csv')).out).toMatch(/map\s+all\s+0\.5000/)
    expect((await score('word.csv')).err).toContain('grade from `score` (not `label`)')
  })
  test('a score that holds no numbers loses to one that does; our own names are no news', async () => {
    const files = { 'run.csv': 'query_id,document_id,score,sim\nq1,a,high,1\nq2,b,low,2\n' }
    expect((await scored(files)).err).toContain('score from `sim` (not `score`)')
    expect((await scored({ 'own.csv': 'query_id,document_id,score,run\nq1,a,1,x\n' })).err).not.toContain(
      'from',
    )
  })
  test('judgements between tabs with two readings are refused by `score`, unless an option or their order decides', async () => {
    const score = async (qrels: string, ...argv: string[]) => {
      const { call, folder } = called({ 'run.trec': '1 Q0 2 1 2 r\n2 Q0 1 1 1 r\n' })
      writeFileSync(join(folder, 'qrels.tsv'), qrels)
      return call('score', 'qrels.tsv', 'run.trec', '-m', 'map', ...argv)
    }
    const both = '1\t1\t2\t1\n2\t2\t1\t1\n'
    expect((await score(both)).err).toMatch(
      /qrels\.tsv:1: can be read as .*--qrels-columns document=3,grade=4/,
    )
    expect((await score(both, '--qrels-columns', 'document=3,grade=4')).out).toMatch(/map\s+all\s+1\.0000/)
    expect((await score(both, '--qrels-columns', 'document=2,grade=3')).out).toMatch(/map\s+all\s+0\.0000/)
    expect((await score(both, '--lenient')).out).toMatch(/map\s+all\s+1\.0000/)
    expect((await score('1\t0\t2\t1\n2\t0\t1\t1\n')).out).toMatch(/map\s+all\s+1\.0000/)
    expect((await score('corpus-id\tquery-id\tscore\n2\t1\t1\n1\t2\t1\n')).out).toMatch(/map\s+all\s+1\.0000/)
    expect((await score('1\td2\t1\tg\n2\t1\t1\tg\n')).out).toMatch(/map\s+all\s+0\.5000/)
  })
})
