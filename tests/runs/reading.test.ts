import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { UserError } from '../../src/errors.ts'
import { RUN_FORMATS } from '../../src/runs/formats.ts'
import { expandPaths } from '../../src/runs/glob.ts'
import { kindOfFile } from '../../src/runs/kind.ts'
import { formatNamed, linesOf, readQrels, readRun } from '../../src/runs/read.ts'
import { isJson, isParquet } from '../../src/runs/sniff.ts'
import type { QrelsFile, ReadOptions, Run } from '../../src/runs/types.ts'
import { temporaryFolder } from '../temporary.ts'

const written = (content: string | Uint8Array, name = 'file') =>
  join(temporaryFolder({ [name]: content }), name)

/** Messages without the file's path. */
async function messageOf(path: string, reading: Promise<unknown>): Promise<string[]> {
  const error = await reading.then(
    () => expect.fail('was read'),
    (error: unknown) => error,
  )
  expect(error).toBeInstanceOf(UserError)
  return (error as Error).message.split('\n').map((line) => line.replaceAll(`${path}:`, ''))
}
const runErrors = (content: string | Uint8Array, name?: string, options?: ReadOptions) => {
  const path = written(content, name)
  return messageOf(path, readRun(path, options))
}
const qrelErrors = (content: string | Uint8Array, name?: string, options?: ReadOptions) => {
  const path = written(content, name)
  return messageOf(path, readQrels(path, options))
}
async function runOf(content: string | Uint8Array, name?: string, options?: ReadOptions) {
  const { value, ...rest } = await readRun(written(content, name), options)
  const queries = [...value.queries].map(([query, { ids, scores }]) => [
    query,
    ...ids.map((id, i) => [id, scores[i]]),
  ])
  return { name: value.name, queries, lines: linesOf(rest) }
}
async function qrelsOf(content: string | Uint8Array, name?: string, options?: ReadOptions) {
  const { value, ...rest } = await readQrels(written(content, name), options)
  const queries = [...value.qrels].map(([query, judged]) => [query, ...judged])
  const groups = [...value.groups].map(([query, named]) => [query, ...named])
  return { queries, groups, lines: linesOf(rest) }
}

test('lines that only carriage returns end are no words after a tag', async () => {
  const wrong = [expect.stringContaining('2: holds a carriage return without a line feed')]
  expect(await runErrors('q Q0 a 1 3 t\nq Q0 b 2 2 t\rq Q0 c 3 1 t\r')).toEqual(wrong)
  expect(await qrelErrors('q 0 a 1\nq 0 b 1\rq 0 c 1\n')).toEqual(wrong)
})

test.each([
  ['q\ta\t1', 'beir'],
  ['q\ta\tb', 'trec'],
  ['q\tQ0\ta\t1', 'trec'],
  ['q\tx\ta\t1', 'trec'],
  ['q\t0\t5\t1', 'trec'],
  ['q\ta\t1\tg', 'beir'],
  ['Q0\ta\t5\tg', 'beir'],
  ['q\tQ0\t5\t1\t2', 'trec'],
  ['q\ta', 'trec'],
  ['qid\tx\ty', 'beir'],
  ['\ufeffqid\tx\ty\r\nq\ta\t1', 'beir'],
  ['qid,x,y', 'csv'],
  ['qid,docno,score\nq,a,1', 'csv'],
  ['q,a,1', 'trec'],
  ['{"q": {"a": 1}}', 'ranx'],
  ['{"q" a 1 2 t', 'trec'],
  ['', 'trec'],
])('the format of %j is %s', (text, name) => {
  const source = { path: 'file', bytes: Buffer.from(text) }
  expect(RUN_FORMATS.find(({ detect }) => detect(source))?.name).toBe(name)
})

test.each(['a.csv', 'a.CSV', 'a.csv.gz'])('%s is CSV whatever it holds', (path) => {
  expect(formatNamed('csv', 'readRun').detect({ path, bytes: Buffer.from('q a') })).toBe(true)
})

test.each([
  ['PAR1\0\0\0\0PAR1', true],
  ['PAR1\x01\0\0\0PAR1', false],
  ['PAR1x\x01\0\0\0PAR1', true],
  ['PAR1\0\0\0PAR1', false],
  ['XAR1\0\0\0\0PAR1', false],
  ['PAR1 cut off\0', true],
  ['PAR1 Q0 a 1 2 t', false],
  [`PAR1${'x'.repeat(4096)}\0`, false],
])('Parquet is told by its marks and the length between them: %#', (text, is) => {
  expect(isParquet(Buffer.from(text, 'latin1'))).toBe(is)
})

test.each([
  ['{"a": 1}', true],
  ['\ufeff {"a": 1}', true],
  ['{}', true],
  ['{', true],
  ['[{"a": 1}]', true],
  ['["a"]', false],
  ['[1, 2]', false],
  ['{"q" a 1', false],
  ['{"q" a b', true],
  ['{"q" 0 a 1', false],
  ['{"q" x a 1', false],
  ['{"q" x a 1.5', true],
  ['{"q" x 2 1.5', false],
  ['{"q" Q0 a 1.5', false],
  ['{"q" q0 a b', true],
  ['{"q" Q0 a 1 2.5', false],
  ['{"q" Q0 a 1 b', true],
  ['{"q" a 1 2.5 t', false],
  ['{"q" a 1 b t', true],
  ['{"q" a b 2 t', true],
  ['{"q":\na 1', true],
  ['\n{"q" 0 a 1\n{"x"', false],
])('JSON begins with a key and is no line of columns: %j', (text, is) => {
  expect(isJson(Buffer.from(text))).toBe(is)
})

test.each([
  [' \n# c\nq Q0 a 1 1 t', 'run'],
  ['q Q0 a 1 7', 'run'],
  ['q Q0 a 1.5', 'run'],
  ['q 0 a 1', 'qrels'],
  ['q a 1', undefined],
  ['', undefined],
  ['q,a,1', undefined],
  ['q\ta\t1', 'qrels'],
  ['q\tQ0\ta\t1\t2\tt', 'run'],
  ['x,y,grade', undefined],
  ['qid,score', undefined],
  ['qid,docno,score,label', 'run'],
  ['qid,docno,score,grade', undefined],
  ['qid,docno,label', undefined],
  ['query_id\tdocument_id\tscore', 'run'],
  ['query_id\tdocument_id\tgrade', 'qrels'],
  ['query-id\tcorpus-id\tscore', 'qrels'],
  ['query-id\tcorpus-id\tscores', 'qrels'],
  ['{"q": {"a": 1, "b": 2}, "r": {"c": 1}}', undefined],
  ['\x1fq Q0 a 1 1 t', 'run'],
  [Buffer.from('q\x8b Q0 a 1 1 t', 'latin1'), 'run'],
  [gzipSync('q 0 a 1'), 'qrels'],
] as [string | Buffer, string | undefined][])('%j is known as %s', (content, kind) => {
  expect(kindOfFile(written(content))).toBe(kind)
})

test('lines have their numbers, whatever stands between and before them', async () => {
  expect(await runErrors('\n\r\nq Q0 a 1 x t')).toEqual([
    '3: the score `x` is not a finite number in decimal digits',
  ])
  expect(await runErrors('q Q0 a 1 1 t\nq\n')).toEqual([
    '2: has 1 column; a run has 4 to 6: query, Q0, document, rank, score, tag',
  ])
  for (const line of ['caf\xe9', '\ncaf\xe9', 'q Q0 a 1 1 t\ncaf\xe9\nq'])
    expect(await runErrors(Buffer.from(line, 'latin1'))).toEqual([
      expect.stringMatching(new RegExp(`^${line.split('\n').indexOf('caf\xe9') + 1}: is not UTF-8`)),
    ])
  expect(await runOf(Buffer.from('q Q0 caf\xe9 1 1 t', 'latin1'), 'f', { lenient: true })).toEqual({
    name: 't',
    queries: [['q', ['café', 1]]],
    lines: ['files that are not UTF-8, read as Latin-1: 1'],
  })
})

test.each([
  ['six fields, without Q0', 'q X a 1 9 t', 't', ['a', 9]],
  ['five fields, without Q0', 'q a 1 9 t', 't', ['a', 9]],
  ['five fields, with q0', 'q q0 a 1 9', 'f', ['a', 9]],
  ['four fields, with 0', 'q 0 a 9', 'f', ['a', 9]],
  ['four fields, without Q0', 'q a 1 9', 'f', ['a', 9]],
  ['a whole number for a tag', 'q Q0 a 1 9 7', '7', ['a', 9]],
])('TREC: %s', async (_, text, name, entry) => {
  expect(await runOf(`${text}\n`, 'f.run')).toEqual({ name, queries: [['q', entry]], lines: [] })
})

test('TREC: rank and score that are swapped are refused, and a word more that is a number', async () => {
  expect(await runErrors('q Q0 a 1.5 9 t\n')).toEqual([
    '1: the rank `1.5` is not a whole number (are rank and score swapped? TREC has query, Q0, document, rank, score, tag)',
  ])
  expect(await runErrors('q Q0 a 1 9 1.5\n')).toEqual([
    '1: has 6 columns and the number `1.5` for a tag (does an id hold a space?)',
  ])
  expect(await runErrors('q Q0 a 1 9 7 t\n')).toEqual([
    '1: has 7 columns and the number `7` for a tag (does an id hold a space?)',
  ])
})

test('TREC qrels: blank lines and comments count as lines; a run is known by its first line', async () => {
  expect((await qrelsOf('q 0 a 1\n\n# c\nq 0 b 2\n')).queries).toEqual([['q', ['a', 1], ['b', 2]]])
  expect(await qrelErrors('q 0 a 1\nq Q0 b 2 2 t\n')).toEqual([
    '2: has 6 columns, not query, iteration, document, grade',
  ])
  expect(await qrelErrors('# c\nq Q0 b 2 2 t\nq 0 a 1\n')).toEqual([
    '2: is a line of a run; qrels come first, then runs',
  ])
  expect(await qrelErrors('q 0 a 1\nq 0 b\n', 'f', { lenient: true })).toEqual([
    '2: has 3 columns, not query, iteration, document, grade',
  ])
})

test('BEIR between tabs: an iteration is one in every line, and is not told by the query', async () => {
  const errors = (text: string) => {
    const path = written(text)
    return messageOf(path, readQrels(path, {}, 'beir'))
  }
  const wrong = (line: number, grade: string) =>
    `${line}: the grade \`${grade}\` is not a whole number of 32 bits`
  expect(await errors('q\t1\ta\t1\nq\tx\tb\t1\n')).toEqual([wrong(1, 'a'), wrong(2, 'b')])
  expect(await errors('0\td\tx\t1\n')).toEqual([wrong(1, 'x')])
  const { queries, groups, lines } = await qrelsOf('q\t0\ta\t1\n0\t0\tb\t2\n', 'f.tsv')
  expect([queries, groups, lines.length]).toEqual([
    [
      ['q', ['a', 1]],
      ['0', ['b', 2]],
    ],
    [],
    0,
  ])
})

test('tables: a name of the run, its rank, and the columns that were chosen', async () => {
  const read = 'query from `qid`, document from `doc_id`, score from `score`'
  const first = '; first record: query `q`, document `a`, score 2'
  expect(await runOf('qid,doc_id,score,tag,rank\r\nq,a,2,mine,1\r\nq,b,1,,2\r\n', 'f.csv')).toEqual({
    name: 'mine',
    queries: [['q', ['a', 2], ['b', 1]]],
    lines: [`${read}, run from \`tag\`${first}`],
  })
  expect(
    await runOf('query_id\tdocument_id\tscore\trun\trank\n \nq\ta \t2\tmine\t2\nq\tb\t1\t\t1\n'),
  ).toEqual({
    name: 'mine',
    queries: [['q', ['a', 2], ['b', 1]]],
    lines: [
      'queries whose ranks contradict their scores, of which the highest is the best here, as in trec_eval: 1',
    ],
  })
  expect(await runErrors('qid,docno,corpus_id,score\nq,a,a,1\nq,b\n', 'f.csv')).toEqual([
    '3: has 2 fields; the header has 4',
  ])
})

test('tables between tabs without a header: query, document and rank from 0 or 1', async () => {
  const queries = [['q', ['b', -1], ['a', -2]]]
  const read = (score: number) =>
    `query, document and rank, as MS MARCO has them; first record: query \`q\`, document \`b\`, score ${score}`
  expect(await runOf('q\tb\t1\nq\ta\t2\n', 'f.tsv')).toEqual({ name: 'f', queries, lines: [read(-1)] })
  expect(await runOf('q\tb\t0\nq\ta\t1\n', 'f.tsv')).toEqual({
    name: 'f',
    queries: [['q', ['b', 0], ['a', -1]]],
    lines: [read(0)],
  })
  for (const text of ['q\tb\t2\nq\ta\t3\n', 'q\tb\t1\nq\ta\t2\tx\n'])
    expect(await runErrors(text)).toEqual([
      expect.stringMatching(/^1: a run between tabs begins with a header/),
    ])
})

test('JSON: errors of a value, of a line, and of lines with an object each', async () => {
  expect(await qrelErrors('{"q": {"a": "1"}}')).toEqual([
    ' the grade of `a` for the query `q` must be a number, not the string "1"',
  ])
  expect(await runErrors('{"q":{"a":1}}\n{"r":\n')).toEqual([
    expect.stringMatching(/^1: holds a JSON object in each line; /),
  ])
  const lines = ['{"q":', '{"a": 1,', '"b": 2},', '"r": {"c": 3}', '}']
  for (const [index, line] of lines.entries()) {
    const broken = lines.with(index, `${line.slice(0, -1)}]`).join('\n')
    expect(await runErrors(broken)).toEqual([
      expect.stringMatching(new RegExp(`^${index + 1}: is not valid JSON: `)),
    ])
  }
  expect(await runErrors('{"mteb_model_meta": {}}')).toEqual([
    ' are predictions of MTEB without a subset and split',
  ])
  const two = '{"mteb_model_meta": {"m": {"q": 1}}, "default": {"test": {}, "dev": {}}, "n": 1}'
  expect(await runErrors(two)).toEqual([
    ' are predictions of MTEB for default.test, default.dev; write one of them into a file of its own, as with `jq .default.test`',
  ])
})

test('scores and ranks that tell different orders are counted by query', async () => {
  const notice = async (...rows: string[]) =>
    (await runOf(rows.map((row, index) => `q Q0 d${index} ${row} t\n`).join(''))).lines
  const swapped = 'queries whose scores count 1, 2, 3 and whose ranks do not (are rank and score swapped?): 1'
  const flat = 'queries whose scores are all equal, ordered by id and not by rank, as in trec_eval: 1'
  const against =
    'queries whose ranks contradict their scores, of which the highest is the best here, as in trec_eval: 1'
  expect(await notice('1 9', '2 8', '3 8')).toEqual([])
  expect(await notice('2 8', '1 9')).toEqual([])
  expect(await notice('1 8', '2 9')).toEqual([against])
  expect(await notice('2 9', '1 8')).toEqual([against])
  expect(await notice('1 9', '1 8', '1 9')).toEqual([])
  expect(await notice('1 5', '2 5')).toEqual([flat])
  expect(await notice('1 5', '1 5')).toEqual([])
  expect(await notice('1 5')).toEqual([])
  expect(await notice('7 2', '9 1')).toEqual([swapped])
  expect(await notice('0 2', '1 1')).toEqual([])
  expect(await notice('1 2', '2 1')).toEqual([])
  expect(await notice('7 2', '7 1')).toEqual([])
})

test('ids of a corpus, repeated ids and long lists of errors', async () => {
  const knows = (id: string) => id !== 'x'
  expect(await runErrors('q Q0 x 1 9 t\nq Q0 a 2 8 t\n', 'f', { knows })).toEqual([
    '1: the corpus holds no `x`',
  ])
  expect(await runOf('q Q0 x 1 9 t\nq Q0 a 2 8 t\n', 'f', { knows, lenient: true })).toEqual({
    name: 't',
    queries: [['q', ['a', 8]]],
    lines: ['ids that the corpus does not hold: 1'],
  })
  const twice = 'q Q0 a 1 9 t\nq Q0 a 2 8 t\n'
  expect((await runOf(twice, 'f', { keepsRepeats: true })).queries).toEqual([['q', ['a', 9], ['a', 8]]])
  expect(await runErrors(twice)).toEqual([
    '2: the query `q` has `a` twice; an id may occur once in a ranking',
  ])
  expect(await qrelErrors('q 0 a x\n'.repeat(20))).toHaveLength(20)
  expect((await qrelErrors('q 0 a x\n'.repeat(21))).at(-1)).toBe(' and 1 more')
})

test('a run is called by its tag, or by its file without the extensions', async () => {
  const named = async (name: string) => (await runOf(gzipSync('q a 1 9\n'), name)).name
  expect(await named('my.best.run.gz')).toBe('my.best')
  expect(await named('plain')).toBe('plain')
})

test('a broken gzip file is named, and a byte of its mark alone is text', async () => {
  expect(await runErrors(Buffer.from([0x1f, 0x8b, 1]))).toEqual([' is a broken gzip file'])
  expect(
    (await runOf(Buffer.from('\x7f\x8b Q0 a 1 1 t', 'latin1'), 'f', { lenient: true })).lines,
  ).toHaveLength(2)
})

const RUN: Run = {
  name: 'my run',
  queries: new Map([
    ['q2', { ids: ['a'], scores: Float64Array.from([1]) }],
    ['q1', { ids: ['a', 'c', 'b'], scores: Float64Array.from([1, 2.5, 2.5]) }],
  ]),
}
const QRELS: QrelsFile = {
  groups: new Map(),
  qrels: new Map([
    ['q2', new Map([['a', 1]])],
    [
      'q1',
      new Map([
        ['b', 0],
        ['a', 2],
      ]),
    ],
  ]),
}
const GROUPED: QrelsFile = { ...QRELS, groups: new Map([['q1', new Map([['b', 'g']])]]) }

test('files are written best first, in byte order of the ids, with the folders above them', async () => {
  const folder = temporaryFolder()
  const write = async (name: string, what: 'run' | 'qrels' | 'grouped', extension = '') => {
    const path = join(folder, 'a', name, `${what}${extension}`)
    if (what === 'run') await formatNamed(name, 'writeRun').writeRun?.(path, RUN)
    else await formatNamed(name, 'writeQrels').writeQrels?.(path, what === 'qrels' ? QRELS : GROUPED)
    return path
  }
  const text = async (...given: Parameters<typeof write>) => readFileSync(await write(...given), 'utf8')
  expect(await text('trec', 'run')).toBe(
    'q1 Q0 c 1 2.5 my-run\nq1 Q0 b 2 2.5 my-run\nq1 Q0 a 3 1 my-run\nq2 Q0 a 1 1 my-run\n',
  )
  expect(await text('trec', 'qrels')).toBe('q1 0 a 2\nq1 0 b 0\nq2 0 a 1\n')
  expect(await text('ranx', 'run')).toBe('{"q1":{"c":2.5,"b":2.5,"a":1},\n"q2":{"a":1}}\n')
  expect(await text('ranx', 'qrels')).toBe('{"q1":{"a":2,"b":0},\n"q2":{"a":1}}\n')
  expect(await text('csv', 'run')).toBe(
    'query_id,document_id,score,run\nq1,c,2.5,my run\nq1,b,2.5,my run\nq1,a,1,my run\nq2,a,1,my run\n',
  )
  expect(await text('csv', 'qrels')).toBe('query_id,document_id,grade\nq1,a,2\nq1,b,0\nq2,a,1\n')
  expect(await text('csv', 'grouped')).toBe(
    'query_id,document_id,grade,group\nq1,a,2,""\nq1,b,0,g\nq2,a,1,""\n',
  )
  expect(await text('beir', 'qrels')).toBe('query-id\tcorpus-id\tscore\nq1\ta\t2\nq1\tb\t0\nq2\ta\t1\n')
  expect(await text('beir', 'grouped')).toBe(
    'query-id\tcorpus-id\tscore\tgroup\nq1\ta\t2\t\nq1\tb\t0\tg\nq2\ta\t1\t\n',
  )
  expect(gunzipSync(readFileSync(await write('trec', 'qrels', '.gz'))).toString()).toBe(
    'q1 0 a 2\nq1 0 b 0\nq2 0 a 1\n',
  )
  const columns = async (what: 'qrels' | 'grouped') => {
    const { readForeignTable } = await import('../../src/tables/foreign.ts')
    return (await readForeignTable(await write('parquet', what))).columns
  }
  expect(await columns('qrels')).toEqual(['query_id', 'document_id', 'grade'])
  expect(await columns('grouped')).toEqual(['query_id', 'document_id', 'grade', 'group'])
  const unnamed = join(folder, 'unnamed')
  await formatNamed('trec', 'writeRun').writeRun?.(unnamed, { ...RUN, name: '' })
  expect(readFileSync(unnamed, 'utf8')).toMatch(/^q1 Q0 c 1 2.5 run\n/)
})

test('BEIR: an id with a tab or white space at an end is refused, and nothing is written', () => {
  const path = join(temporaryFolder(), 'f.tsv')
  for (const id of ['a\tb', ' a', 'a\u00a0'])
    expect(() =>
      formatNamed('beir', 'writeQrels').writeQrels?.(path, {
        ...QRELS,
        qrels: new Map([['q', new Map([[id, 1]])]]),
      }),
    ).toThrow(
      `${path}: BEIR's columns are separated by tabs and cannot hold the id ${JSON.stringify(id)}; write csv`,
    )
  expect(existsSync(path)).toBe(false)
})

test('Parquet: columns in any order, also the first one, and those that were chosen', async () => {
  const { writeTable } = await import('../../src/tables/parquet.ts')
  const folder = temporaryFolder()
  const path = join(folder, 'f.parquet')
  const text = (name: string, ...values: string[]) => ({ name, type: 'string', values }) as const
  const number = (name: string, ...values: number[]) => ({ name, type: 'number', values }) as const
  const rows = [text('qid', 'q', 'q'), text('document_id', 'a', 'b'), number('score', 2, 1)]
  writeTable(path, [text('run', 'mine', ''), number('rank', 2, 1), ...rows])
  const { value, notices, read } = await readRun(path)
  expect([value.name, value.queries.get('q')?.ids, Object.values(notices), read]).toEqual([
    'mine',
    ['a', 'b'],
    [1],
    'query from `qid`, document from `document_id`, score from `score`, run from `run`; first record: query `q`, document `a`, score 2',
  ])
  writeTable(path, [number('rank', 2, 1), ...rows])
  expect(Object.values((await readRun(path)).notices)).toEqual([1])
  writeTable(path, [text('group', 'g', ''), text('query_id', 'q', 'q'), ...rows.slice(1)])
  expect((await readQrels(path)).value.groups).toEqual(new Map([['q', new Map([['a', 'g']])]]))
})

test('patterns match in every folder, in byte order of the paths; what exists is itself', () => {
  const folder = temporaryFolder({
    'a/x.trec': '',
    'a-b/x.trec': '',
    'b/y.trec': '',
    'f.trec': '',
    '.hidden/x.trec': '',
    's*.trec': '',
    'sun.trec': '',
  })
  const found = (pattern: string) =>
    expandPaths([join(folder, pattern)]).map((path) => path.slice(folder.length + 1))
  expect(found('*/x.trec')).toEqual(['a-b/x.trec', 'a/x.trec'])
  expect(found('?/*')).toEqual(['a/x.trec', 'b/y.trec'])
  expect(found('f.trec*')).toEqual(['f.trec'])
  expect(found('s*.trec')).toEqual(['s*.trec'])
  expect(found('nowhere.trec')).toEqual(['nowhere.trec'])
  for (const pattern of ['f.trec?', 'f.trec/*', 'nowhere/*', '?.trec?'])
    expect(() => found(pattern)).toThrow(`nothing matches \`${join(folder, pattern)}\``)
  expect(() => expandPaths(['no-such-folder-*/x'])).toThrow('nothing matches `no-such-folder-*/x`')
})
