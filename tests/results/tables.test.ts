import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parquetMetadata } from 'hyparquet'
import { expect, test } from 'vitest'
import { RESULT_FILES_BESIDE } from '../../scripts/reference/pages.ts'
import { COLUMN_TYPES, RESULT_TABLES } from '../../src/results/tables.ts'
import { callsInTowns } from '../cli/calls.ts'

test('the documented tables are those of a run, column by column', async () => {
  const { folder, call } = callsInTowns(
    'dataset: towns\nprepare: {embedder: lsa}\ntrials: [bm25, hybrid, title-ppr, router, random]\nanswer: extractive\nmeasures: [recall@5, mrr]\n',
  )
  expect(await call('run', 'a.yaml', '--workers', '1')).toMatchObject({ code: 0 })
  const run = join(folder, 'experiments', 'a')
  const found = readdirSync(run).filter((file) => file.endsWith('.parquet'))
  expect(RESULT_TABLES.map(({ file }) => file).sort()).toEqual(found.sort())
  for (const { file, columns, measures } of RESULT_TABLES) {
    const bytes = readFileSync(join(run, file))
    const { schema } = parquetMetadata(
      bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer,
    )
    // This config has no `compare.cluster`, its dataset no evidence, and no answer comes from elsewhere.
    const absent = ['queries.parquet cluster', 'queries.parquet evidence', 'answers.parquet latency_s']
    const documented = columns
      .filter(({ name }) => !absent.includes(`${file} ${name}`))
      .map(({ name, type }) => [name, COLUMN_TYPES[type]])
    const scores = ['recall@5', 'mrr'].map((name) => [name, COLUMN_TYPES.number])
    expect(
      schema.slice(1).map(({ name, type }) => [name, type]),
      file,
    ).toEqual([...documented, ...(measures ? scores : [])])
  }
  const { files } = JSON.parse(readFileSync(join(run, 'manifest.json'), 'utf8'))
  expect(Object.keys(files).sort(), 'certified').toEqual(found.sort())
  const besides = RESULT_FILES_BESIDE.map(([file]) => file.replace('/', ''))
  for (const file of readdirSync(run)) if (!file.endsWith('.parquet')) expect(besides).toContain(file)
})
