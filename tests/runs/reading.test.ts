import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { RUN_FORMATS, readQrels, readRun, writeQrels, writeRun } from '../../src/runs/formats.ts'
import { expandPaths } from '../../src/runs/glob.ts'
import { openSource } from '../../src/runs/source.ts'
import type { QrelsFile, Run } from '../../src/runs/types.ts'
import { temporaryFolder } from '../temporary.ts'

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
  const write = async (name: string, kind: 'run' | 'qrels' | 'grouped', extension = '') => {
    const path = join(folder, 'a', name, `${kind}${extension}`)
    if (kind === 'run') await writeRun(path, RUN, name)
    else await writeQrels(path, kind === 'qrels' ? QRELS : GROUPED, name)
    return path
  }
  const text = async (...args: Parameters<typeof write>) => readFileSync(await write(...args), 'utf8')
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
  const columns = async (kind: 'qrels' | 'grouped') => {
    const { readForeignTable } = await import('../../src/tables/foreign.ts')
    return (await readForeignTable(await write('parquet', kind))).columns
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
  const pathsOf = (pattern: string) =>
    expandPaths([join(folder, pattern)]).map((path) => path.slice(folder.length + 1))
  expect(pathsOf('*/x.trec')).toEqual(['a-b/x.trec', 'a/x.trec'])
  expect(pathsOf('*/*')).toEqual(['a-b/x.trec', 'a/x.trec', 'b/y.trec'])
  expect(pathsOf('f.trec*')).toEqual(['f.trec'])
  expect(pathsOf('s*.trec')).toEqual(['s*.trec'])
  expect(pathsOf('nowhere.trec')).toEqual(['nowhere.trec'])
  for (const pattern of ['f.trec*x', 'f.trec/*', 'nowhere/*', '*x.trec'])
    expect(() => pathsOf(pattern)).toThrow(`nothing matches \`${join(folder, pattern)}\``)
  expect(() => expandPaths(['no-such-folder-*/x'])).toThrow('nothing matches `no-such-folder-*/x`')
})
