import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { text } from '../../src/tables/column.ts'
import { readOwnTable, writeOwnTable, writeTable } from '../../src/tables/parquet.ts'
import { createTable, type TableBuilder } from '../../src/tables/table.ts'
import { temporaryFolder } from '../temporary.ts'

/** A table of one column `x`. */
const tableOf = (...values: unknown[]) => createTable('t', values.length, new Map([['x', values]]), new Map())
/** Bytes of a text in the middle of a buffer, as a decoder hands them out. */
const bytes = (text: string) => new TextEncoder().encode(`<${text}>`).subarray(1, -1)

describe('a column is read as', () => {
  test.each<[keyof TableBuilder, unknown[], unknown[]]>([
    ['strings', ['a', bytes('b'), null, undefined], ['a', 'b', '', '']],
    ['values', ['a', bytes('b'), null, undefined, 0, 3n], ['a', 'b', null, null, 0, 3n]],
    ['numbers', [0, 1.5, 2n, null, undefined], [0, 1.5, 2, Number.NaN, Number.NaN]],
    ['booleans', [true, false], [true, false]],
    ['bytes', [bytes('a')], [bytes('a')]],
    ['lists', [['a', bytes('b'), null], [], null], [['a', 'b', ''], [], []]],
    ['records', [[{ a: 1 }], null], [[{ a: 1 }], []]],
  ])('%s: %o', (kind, values, expected) => {
    expect((tableOf(...values)[kind] as (column: string) => unknown)('x')).toEqual(expected)
  })

  test.each<[keyof TableBuilder, unknown[], string]>([
    ['strings', ['a', 1], 'row 2: not a text'],
    ['numbers', ['1'], 'row 1: not a number'],
    ['booleans', [true, null], 'row 2: not true or false'],
    ['bytes', ['a'], 'row 1: not binary'],
    ['vectors', [null], 'row 1: not binary'],
    ['lists', [[], ['a', 1]], 'row 2: not a list of strings'],
    ['lists', ['a'], 'row 1: not a list of strings'],
    ['records', [[{}, null]], 'row 1: not a list of records'],
    ['records', [['a']], 'row 1: not a list of records'],
  ])('%s, but not %o', (kind, values, message) => {
    expect(() => (tableOf(...values)[kind] as (column: string) => unknown)('x')).toThrow(
      `t: column "x", ${message}`,
    )
  })
})

test('a table is one of ours by its name and version', async () => {
  const schema = { name: 'towns', version: 2 }
  const path = join(temporaryFolder(), 't')
  const columns = [text('x', ['a'])]
  const read = (metadata: Record<string, string>) => {
    writeTable(path, columns, metadata)
    return readOwnTable(path, schema)
  }
  writeOwnTable(path, schema, columns)
  expect((await readOwnTable(path, schema)).strings('x')).toEqual(['a'])
  await expect(read({ version: '2' })).rejects.toThrow(
    't: is not a "towns" table of Touchstone (it is of unknown origin)',
  )
  await expect(read({ version: '2', 'touchstone.table': 'lakes' })).rejects.toThrow(
    't: is not a "towns" table of Touchstone (it is "lakes")',
  )
  for (const [version, said] of [
    [{ version: '1' }, '1'],
    [{}, 'unknown'],
  ] as const)
    await expect(read({ 'touchstone.table': 'towns', ...version })).rejects.toThrow(
      `t: is a "towns" table of version ${said}, this Touchstone reads version 2; prepare it again`,
    )
})
