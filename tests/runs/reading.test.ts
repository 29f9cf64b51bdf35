import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { UserError } from '../../src/errors.ts'
import { writeQrels, writeRun } from '../../src/runs/export.ts'
import { csv } from '../../src/runs/formats/csv.ts'
import { RUN_FORMATS } from '../../src/runs/formats.ts'
import { expandPaths } from '../../src/runs/glob.ts'
import { kindOfFile } from '../../src/runs/kind.ts'
import { linesOf, readQrels, readRun } from '../../src/runs/read.ts'
import { openSource } from '../../src/runs/source.ts'
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
  ['PAR1 Q0 a 1 2 t', 'trec'],
  ['PAR1\0cut off', 'parquet'],
  ['', 'trec'],
])('the format of %j is %s', (text, name) => {
  const source = openSource('file', Buffer.from(text))
  expect(RUN_FORMATS.find(({ detect }) => detect(source))?.name).toBe(name)
})

test.each(['a.csv', 'a.CSV', 'a.csv.gz'])('%s is CSV whatever it holds', (path) => {
  expect(csv.detect(openSource(path, Buffer.from('q a')))).toBe(true)
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

test('ids of a corpus, repeated ids and long lists of errors', async () => {
  const knows = (id: string) => id !== 'x'
  expect(await runErrors('q Q0 x 1 9 t\nq Q0 a 2 8 t\n', 'f', { knows })).toEqual([
    '1: the corpus holds no `x`',
  ])
  const twice = 'q Q0 a 1 9 t\nq Q0 a 2 8 t\n'
  expect((await runOf(twice, 'f', { keepsRepeats: true })).queries).toEqual([['q', ['a', 9], ['a', 8]]])
  expect(await runErrors(twice)).toEqual([
    '2: the query `q` has `a` twice; an id may occur once in a ranking',
  ])
  expect(await qrelErrors('q 0 a x\n'.repeat(20))).toHaveLength(20)
  expect((await qrelErrors('q 0 a x\n'.repeat(21))).at(-1)).toBe(' and 1 more')
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
    if (what === 'run') await writeRun(path, RUN, name)
    else await writeQrels(path, what === 'qrels' ? QRELS : GROUPED, name)
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
  await writeRun(unnamed, { ...RUN, name: '' }, 'trec')
  expect(readFileSync(unnamed, 'utf8')).toMatch(/^q1 Q0 c 1 2.5 run\n/)
})

test('BEIR: an id with a tab or white space at an end is refused, and nothing is written', async () => {
  const path = join(temporaryFolder(), 'f.tsv')
  for (const id of ['a\tb', ' a', 'a\u00a0'])
    await expect(
      writeQrels(path, { ...QRELS, qrels: new Map([['q', new Map([[id, 1]])]]) }, 'beir'),
    ).rejects.toThrow(
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
  expect(found('*/*')).toEqual(['a-b/x.trec', 'a/x.trec', 'b/y.trec'])
  expect(found('f.trec*')).toEqual(['f.trec'])
  expect(found('s*.trec')).toEqual(['s*.trec'])
  expect(found('nowhere.trec')).toEqual(['nowhere.trec'])
  for (const pattern of ['f.trec*x', 'f.trec/*', 'nowhere/*', '*x.trec'])
    expect(() => found(pattern)).toThrow(`nothing matches \`${join(folder, pattern)}\``)
  expect(() => expandPaths(['no-such-folder-*/x'])).toThrow('nothing matches `no-such-folder-*/x`')
})
