import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readColumns } from '../../src/results/columns.ts'
import { writeTable } from '../../src/tables/parquet.ts'

let folder: string
let file: string
const names = ['b', '', 'ä', 'b', '\ufeffb', 'ä']

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'touchstone-columns-'))
  file = join(folder, 'table.parquet')
  writeTable(file, [
    { name: 'name', type: 'string', values: names },
    { name: 'score', type: 'number', values: Float64Array.of(-1, -2, 0, Number.NaN, 0.5, 3) },
    { name: 'rank', type: 'int32', values: Int32Array.of(1, 2, 3, -1, 5, 6) },
  ])
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('columns of a results table', () => {
  test('words are decoded once each, texts in every row', async () => {
    const { words, codes } = (await readColumns(file, { name: 'words' })).name
    expect(new Set(words).size).toBe(words.length)
    expect([...codes].map((code) => words[code])).toEqual(names)
    expect((await readColumns(file, { name: 'texts' })).name).toEqual(names)
  })

  test('numbers are what was written', async () => {
    const { rows, score, rank } = await readColumns(file, { score: 'number', rank: 'integer' })
    expect(rows).toBe(6)
    expect([...score]).toEqual([-1, -2, 0, Number.NaN, 0.5, 3])
    expect([...rank]).toEqual([1, 2, 3, -1, 5, 6])
  })
})
