import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { tableFromArrays, tableToIPC } from '@uwdata/flechette'
import { strToU8, zipSync } from 'fflate'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { describe, expect, test } from 'vitest'
import { detectFormat } from '../../src/dataset/detect.ts'
import { loadDataset } from '../../src/dataset/load.ts'
import { unpackZip } from '../../src/dataset/zip.ts'
import { readQrels } from '../../src/runs/formats.ts'
import { temporaryFolder } from '../temporary.ts'

const lines = (...items: unknown[]) => items.map((item) => `${JSON.stringify(item)}\n`).join('')

describe('a zip', () => {
  const open = (bytes: Uint8Array) => {
    const path = join(temporaryFolder({ 'x.zip': bytes }), 'x.zip')
    return () => detectFormat(path)
  }
  const zip = (name: string, content = 'Lomm lies at the strait.') =>
    zipSync({ [name]: strToU8(content) }, { level: 0 })

  test.each(['../a', 'a/../b', '/a', '\\a', 'C:/a', 'a\u0001'])('with the path %j is refused', (name) => {
    expect(open(zip(name))).toThrow(
      `holds a file whose path leads out of its folder: ${JSON.stringify(name)}`,
    )
  })

  test('that is cut off, damaged or longer than it says is refused', () => {
    const whole = zip('a.md')
    expect(open(whole.subarray(0, whole.length - 30))).toThrow(/is no readable zip file .*cut off/)
    const flipped = Buffer.from(whole)
    flipped.write('N', flipped.indexOf('Lomm'))
    const short = Buffer.from(whole)
    for (const field of [20, 24]) short.writeUInt32LE(10, short.indexOf('PK\u0001\u0002') + field)
    for (const bytes of [flipped, short])
      expect(open(bytes)).toThrow('is no readable zip file (a.md has not the stated checksum)')
  })

  test('that unpacks to far more than its size is refused', () => {
    expect(open(zipSync({ 'corpus.jsonl': new Uint8Array(17 * 2 ** 20) }))).toThrow(
      'unpacks to more than 17 MB',
    )
  })

  test('is unpacked without what a Mac adds, and removed after', () => {
    const bytes = zipSync({ 'd/b.txt': strToU8('B'), '__MACOSX/x': strToU8(''), 'd/.DS_Store': strToU8('') })
    const { folder, remove } = unpackZip(join(temporaryFolder({ 'x.ZIP': bytes }), 'x.ZIP'))
    expect(readdirSync(folder, { recursive: true }).map(String).sort()).toEqual(['d', 'd/b.txt'])
    remove()
    expect(() => readdirSync(folder)).toThrow('ENOENT')
  })
})

test('an AutoRAG folder without its corpus is refused', async () => {
  const qa = readFileSync(join(import.meta.dirname, '../golden/formats/autorag/qa.parquet'))
  const folder = temporaryFolder({ 'qa.parquet': qa })
  await expect(loadDataset({ name: 'autorag', params: { path: folder } }, '/')).rejects.toThrow(
    'corpus.parquet: is missing',
  )
})

describe('grades of Hugging Face that are numbers of classes', () => {
  const set = {
    'corpus/test.jsonl': lines({ _id: 'a', text: 'x' }, { _id: 'b', text: 'y' }),
    'queries/test.jsonl': lines({ _id: 'q', text: 'why' }),
  }
  /** The table in both of its forms. */
  const classes = (names: readonly string[]) => {
    const value = JSON.stringify({ info: { features: { label: { names, _type: 'ClassLabel' } } } })
    const columns = { 'query-id': ['q', 'q'], 'corpus-id': ['a', 'b'], label: [0, 1] }
    const table = tableFromArrays(columns)
    table.schema.metadata = new Map([['huggingface', value]])
    const data = Object.entries(columns).map(([name, data]) => ({ name, data: data as never }))
    const parquet = parquetWriteBuffer({ columnData: data, kvMetadata: [{ key: 'huggingface', value }] })
    return [
      { ...set, 'qrels/test.parquet': new Uint8Array(parquet) },
      {
        ...set,
        'qrels/test/data-00000-of-00001.arrow': tableToIPC(table, {}) as Uint8Array,
        'qrels/test/dataset_info.json': JSON.stringify({ features: columns }),
      },
    ]
  }
  const load = (files: Record<string, string | Uint8Array>) =>
    loadDataset({ name: 'hf', params: { path: temporaryFolder(files) } }, '/')

  test.each([
    [['relevant', 'not_relevant'], 1],
    [['2', '0'], 2],
  ])('are read by the names of the classes: %j', async (names, grade) => {
    for (const files of classes(names))
      expect([...((await load(files)).qrels.get('q') ?? [])]).toEqual([
        ['a', grade],
        ['b', 0],
      ])
  })

  test('are refused without a grade in the names', async () => {
    for (const files of classes(['exact', 'partial']))
      await expect(load(files)).rejects.toThrow('has names in place of grades: exact, partial')
  })
})

test('qrels of a BEIR folder are read plain or packed, and two of them are refused', async () => {
  const packed = { 'qrels/test.tsv.gz': gzipSync('q1\td2\t1\n') }
  expect((await readQrels(temporaryFolder(packed))).value.qrels.get('q1')).toEqual(new Map([['d2', 1]]))
  await expect(readQrels(temporaryFolder({ ...packed, 'qrels/test.tsv': 'q1\td1\t1\n' }))).rejects.toThrow(
    'has the same role as qrels/test.tsv',
  )
})
