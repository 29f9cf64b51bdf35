import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readArrays, type TypedArray, writeArrays } from '../../src/store/arrays.ts'
import { canonical, hashOf } from '../../src/store/hash.ts'
import type { Json } from '../../src/types.ts'
import { temporaryFolder } from '../temporary.ts'

test('arrays of every kind and any length come back as they were', () => {
  const path = join(temporaryFolder(), 'arrays')
  const array: fc.Arbitrary<TypedArray> = fc.oneof(
    fc.int8Array(),
    fc.uint8Array(),
    fc.int32Array(),
    fc.uint32Array(),
    fc.float32Array(),
    fc.float64Array(),
  )
  fc.assert(
    fc.property(
      fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), array),
      fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), fc.string()),
      (arrays, metadata) => {
        writeArrays(path, arrays, metadata)
        const read = readArrays(path)
        expect(Object.keys(read.arrays)).toEqual(Object.keys(arrays))
        for (const [name, content] of Object.entries(arrays)) expect(read.arrays[name]).toEqual(content)
        expect({ ...read.metadata }).toEqual({ ...metadata })
      },
    ),
    { numRuns: 100 },
  )
})

test('the layout is that of safetensors', () => {
  const path = join(temporaryFolder(), 'arrays')
  writeArrays(path, { a: Uint8Array.of(1, 2, 3), b: Float32Array.of(1) })
  const bytes = readFileSync(path)
  const length = Number(bytes.readBigUInt64LE(0))
  const header = JSON.parse(bytes.toString('utf8', 8, 8 + length))
  expect(header.a).toEqual({ dtype: 'U8', shape: [3], data_offsets: [0, 3] })
  expect(header.b.dtype).toBe('F32')
  const [from, to] = header.b.data_offsets
  expect(
    bytes
      .subarray(8 + length)
      .subarray(from, to)
      .readFloatLE(0),
  ).toBe(1)
})

test('equal content has one canonical text, whatever the order of keys', () => {
  expect(canonical({ b: [1, { d: null, c: 'x' }], a: undefined })).toBe('{"b":[1,{"c":"x","d":null}]}')
  expect(() => canonical(Number.NaN)).toThrow('has no JSON form')
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const reversed = (item: unknown): unknown => {
        if (Array.isArray(item)) return item.map(reversed)
        if (item === null || typeof item !== 'object') return item
        return Object.fromEntries(
          Object.entries(item)
            .reverse()
            .map(([key, inner]) => [key, reversed(inner)]),
        )
      }
      expect(hashOf(reversed(value) as Json)).toBe(hashOf(value as Json))
      expect(JSON.parse(canonical(value as Json))).toEqual(JSON.parse(JSON.stringify(value)))
    }),
  )
})
