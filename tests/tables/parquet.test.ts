import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readTable, writeTable } from '../../src/tables/parquet.ts'
import { describeShared, shared } from '../shared.ts'
import { temporaryFolder } from '../temporary.ts'

const text = fc.string({ unit: 'grapheme' })

describe('a Parquet file', () => {
  test('gives back every type of column', async () => {
    const path = join(temporaryFolder(), 'all.parquet')
    const row = fc.record({
      string: fc.option(text),
      integer: fc.maxSafeInteger(),
      int32: fc.integer(),
      number: fc.double({ noNaN: true }),
      boolean: fc.boolean(),
      strings: fc.array(text, { maxLength: 3 }),
      integers: fc.array(fc.maxSafeInteger(), { maxLength: 3 }),
      bytes: fc.uint8Array({ maxLength: 5 }),
      vector: fc.float32Array({ minLength: 3, maxLength: 3 }),
      records: fc.array(fc.record({ summary: text, explanation: text }), { maxLength: 2 }),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(row, { maxLength: 20 }), async (rows) => {
        const vectors = Float32Array.from(rows.flatMap(({ vector }) => [...vector]))
        writeTable(path, [
          { name: 'string', type: 'string', values: rows.map(({ string }) => string) },
          { name: 'integer', type: 'integer', values: rows.map(({ integer }) => integer) },
          { name: 'int32', type: 'int32', values: Int32Array.from(rows, ({ int32 }) => int32) },
          { name: 'number', type: 'number', values: rows.map(({ number }) => number) },
          { name: 'boolean', type: 'boolean', values: rows.map(({ boolean }) => boolean) },
          { name: 'strings', type: 'strings', values: rows.map(({ strings }) => strings) },
          { name: 'integers', type: 'integers', values: rows.map(({ integers }) => integers) },
          { name: 'bytes', type: 'bytes', values: rows.map(({ bytes }) => bytes) },
          { name: 'vectors', type: 'vectors', values: vectors, dims: 3 },
          {
            name: 'records',
            type: 'records',
            fields: ['summary', 'explanation'],
            values: rows.map(({ records }) => records),
          },
        ])
        const table = await readTable(path)
        expect(table.rows).toBe(rows.length)
        expect(table.strings('string')).toEqual(rows.map(({ string }) => string ?? ''))
        expect(table.numbers('integer')).toEqual(rows.map(({ integer }) => integer))
        expect(table.numbers('int32')).toEqual(rows.map(({ int32 }) => int32))
        expect(table.numbers('number')).toEqual(rows.map(({ number }) => number))
        expect(table.booleans('boolean')).toEqual(rows.map(({ boolean }) => boolean))
        expect(table.lists('strings')).toEqual(rows.map(({ strings }) => strings))
        expect(table.values('integers').map((list) => (list as bigint[]).map(Number))).toEqual(
          rows.map(({ integers }) => integers),
        )
        expect(table.bytes('bytes').map((bytes) => [...bytes])).toEqual(rows.map(({ bytes }) => [...bytes]))
        expect([...table.vectors('vectors')]).toEqual([...vectors])
        expect(table.records('records')).toEqual(
          rows.map(({ records }) => records.map((record) => ({ ...record }))),
        )
      }),
      { numRuns: 60 },
    )
  })

  test('keeps a byte order mark, metadata and order over more than one group of rows', async () => {
    const path = join(temporaryFolder(), 'long.parquet')
    const ids = Array.from({ length: 100_005 }, (_, row) => `\uFEFFid${row}`)
    writeTable(path, [{ name: 'id', type: 'string', values: ids }], { key: 'välue' })
    const table = await readTable(path)
    expect(table.metadata.get('key')).toBe('välue')
    const found = table.strings('id')
    expect(found.length).toBe(ids.length)
    expect(found.every((id, row) => id === ids[row])).toBe(true)
  })

  test('has the same bytes for the same content, and leaves no other file', () => {
    const folder = temporaryFolder()
    const columns = [{ name: 'a', type: 'strings', values: [['x'], []] }] as const
    for (const name of ['one', 'two']) writeTable(join(folder, name), columns, { k: 'v' })
    expect(readFileSync(join(folder, 'one'))).toEqual(readFileSync(join(folder, 'two')))
    const uneven = [...columns, { name: 'b', type: 'integer', values: [1] }] as const
    expect(() => writeTable(join(folder, 'three'), uneven)).toThrow('differ in length')
    const odd = [{ name: 'a', type: 'integer', values: [1.5] }] as const
    expect(() => writeTable(join(folder, 'four'), odd)).toThrow()
    expect(readdirSync(folder)).toEqual(['one', 'two'])
  })

  test('compresses blobs of any length and form, whatever was written before', async () => {
    const folder = temporaryFolder()
    const path = (name: string) => join(folder, name)
    const write = (name: string, values: Uint8Array[]) =>
      writeTable(path(name), [{ name: 'blob', type: 'bytes', values }])
    // Runs of few letters, repeated: copies near and far; up to more than a page.
    const blob = fc
      .tuple(fc.uint8Array({ maxLength: 300 }), fc.integer({ min: 0, max: 9000 }))
      .map(([piece, times]) =>
        Uint8Array.from({ length: piece.length * times }, (_, at) => piece[at % piece.length]),
      )
    await fc.assert(
      fc.asyncProperty(fc.array(blob, { maxLength: 3 }), async (values) => {
        write('one', values)
        write('between', [Uint8Array.from({ length: 70_000 }, (_, at) => (at * at) >> 3)])
        write('two', values)
        expect(readFileSync(path('one')).equals(readFileSync(path('two')))).toBe(true)
        const blobs = (await readTable(path('one'))).bytes('blob')
        expect(blobs.length).toBe(values.length)
        expect(values.every((value, row) => Buffer.compare(value, blobs[row]) === 0)).toBe(true)
      }),
      { numRuns: 30 },
    )
  })
})

describeShared('the files of Microsoft GraphRAG', () => {
  const counts: Record<string, number[]> = {
    'graphrag-christmas-carol': [42, 529, 978, 122, 122],
    'graphrag-operation-dulce': [5, 39, 107, 10, 10],
  }
  test.each(Object.keys(counts))('%s', async (name) => {
    const open = (file: string) => readTable(shared('data', name, `${file}.parquet`))
    const units = await open('text_units')
    const entities = await open('entities')
    const relationships = await open('relationships')
    const communities = await open('communities')
    const reports = await open('community_reports')
    expect([units, entities, relationships, communities, reports].map(({ rows }) => rows)).toEqual(
      counts[name],
    )
    const unitIds = new Set(units.strings('id'))
    expect(
      entities
        .lists('text_unit_ids')
        .flat()
        .every((id) => unitIds.has(id)),
    ).toBe(true)
    expect(units.numbers('n_tokens').every((tokens) => tokens > 0)).toBe(true)
    expect(relationships.numbers('weight').every(Number.isFinite)).toBe(true)
    expect(communities.values('children').flat().map(Number).every(Number.isInteger)).toBe(true)
    expect(Object.keys(reports.records('findings')[0][0]).sort()).toEqual(['explanation', 'summary'])
  })
})
