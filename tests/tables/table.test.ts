import { describe, expect, test } from 'vitest'
import { readMetadata, writeMetadata } from '../../src/tables/metadata.ts'
import { requireSchema, schemaMetadata } from '../../src/tables/schema.ts'
import { createTable, type TableBuilder } from '../../src/tables/table.ts'

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
    ['numberLists', [[1, 2n, null], undefined], [[1, 2, Number.NaN], []]],
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
    ['numberLists', [['1']], 'row 1: not a list of numbers'],
    ['records', [[{}, null]], 'row 1: not a list of records'],
    ['records', [['a']], 'row 1: not a list of records'],
  ])('%s, but not %o', (kind, values, message) => {
    expect(() => (tableOf(...values)[kind] as (column: string) => unknown)('x')).toThrow(
      `t: column "x", ${message}`,
    )
  })

  test('vectors, row after row', () => {
    const row = (...values: number[]) => new Uint8Array(Float32Array.from(values).buffer)
    expect(tableOf(row(1, 2), row(3, 4)).vectors('x')).toEqual(Float32Array.of(1, 2, 3, 4))
    expect(tableOf().vectors('x')).toEqual(new Float32Array())
  })
})

test('a table lists its columns where one is missing, those too that were not read', () => {
  const columns = new Map([
    ['a', []],
    ['b', []],
  ])
  const table = createTable('t', 0, columns, new Map())
  expect([table.columns, table.has('a'), table.has('c')]).toEqual([['a', 'b'], true, false])
  expect(() => table.strings('c')).toThrow('t: has no column "c" (its columns: a, b)')
  const some = createTable('t', 0, columns, new Map(), ['a', 'b', 'd'])
  expect(() => some.strings('c')).toThrow('t: has no column "c" (its columns: a, b, d)')
})

test('metadata are JSON, nothing where there are none; equal ones are one object', () => {
  const written = writeMetadata([{ metadata: { a: 1 } }, { metadata: {} }, { metadata: { a: 1 } }])
  expect(written).toEqual(['{"a":1}', '', '{"a":1}'])
  const table = createTable('t', 3, new Map([['metadata', written]]), new Map())
  const read = readMetadata(table)
  expect(read).toEqual([{ a: 1 }, {}, { a: 1 }])
  expect(read[0]).toBe(read[2])
  const broken = createTable('t', 2, new Map([['metadata', ['{}', '{']]]), new Map())
  expect(() => readMetadata(broken)).toThrow('t: column "metadata", row 2: not JSON')
})

test('a table is one of ours by its name and version', () => {
  const schema = { name: 'towns', version: 2 }
  const check = (metadata: Record<string, string>) =>
    requireSchema(createTable('t', 0, new Map(), new Map(Object.entries(metadata))), schema)
  expect(schemaMetadata(schema)).toEqual({ 'touchstone.table': 'towns', version: '2' })
  check(schemaMetadata(schema))
  expect(() => check({ version: '2' })).toThrow(
    't: is not a "towns" table of Touchstone (it is of unknown origin)',
  )
  expect(() => check({ ...schemaMetadata(schema), 'touchstone.table': 'lakes' })).toThrow(
    't: is not a "towns" table of Touchstone (it is "lakes")',
  )
  for (const [version, said] of [
    [{ version: '1' }, '1'],
    [{}, 'unknown'],
  ] as const)
    expect(() => check({ 'touchstone.table': 'towns', ...version })).toThrow(
      `t: is a "towns" table of version ${said}, this Touchstone reads version 2; prepare it again`,
    )
})
