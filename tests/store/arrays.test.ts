import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readArrays, type TypedArray, writeArrays } from '../../src/store/arrays.ts'
import { sha256 } from '../../src/store/hash.ts'
import { temporaryFolder } from '../temporary.ts'

const contents = fc.dictionary(
  fc.stringMatching(/^[a-z]{1,8}$/),
  fc.oneof(
    fc.int8Array(),
    fc.uint8Array(),
    fc.int32Array(),
    fc.uint32Array(),
    fc.float32Array(),
    fc.float64Array(),
  ) satisfies fc.Arbitrary<TypedArray>,
)

test('arrays of every kind and any length come back as they were', () => {
  const path = join(temporaryFolder(), 'arrays')
  fc.assert(
    fc.property(
      contents,
      fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), fc.string()),
      (arrays, metadata) => {
        writeArrays(path, arrays, metadata)
        const read = readArrays(path)
        expect(Object.keys(read.arrays).sort()).toEqual(Object.keys(arrays).sort())
        for (const [name, content] of Object.entries(arrays)) expect(read.arrays[name]).toEqual(content)
        expect({ ...read.metadata }).toEqual({ ...metadata })
      },
    ),
    { numRuns: 100 },
  )
})

/** Bytes an element, by the names that safetensors gives types. */
const SIZES: Readonly<Record<string, number>> = { I8: 1, U8: 1, I32: 4, U32: 4, F32: 4, F64: 8 }

test('files keep the rules of safetensors: no holes, nothing left over, every array aligned', () => {
  const path = join(temporaryFolder(), 'arrays')
  fc.assert(
    fc.property(contents, fc.dictionary(fc.string(), fc.string()), (arrays, metadata) => {
      writeArrays(path, arrays, metadata)
      const bytes = readFileSync(path)
      const start = 8 + Number(bytes.readBigUInt64LE(0))
      expect(start % 8).toBe(0)
      expect(bytes.toString('utf8', 8, 9)).toBe('{')
      const { __metadata__, ...header } = JSON.parse(bytes.toString('utf8', 8, start))
      expect({ ...__metadata__ }).toEqual({ ...metadata })
      let end = 0
      type Entry = { dtype: string; shape: number[]; data_offsets: [number, number] }
      const entries = Object.values<Entry>(header)
      for (const { dtype, shape, data_offsets } of entries.sort(
        ({ data_offsets: a }, { data_offsets: b }) => a[0] - b[0] || a[1] - b[1],
      )) {
        const [from, to] = data_offsets
        expect([from, to]).toEqual([end, end + shape[0] * SIZES[dtype]])
        expect((start + from) % SIZES[dtype]).toBe(0)
        end = to
      }
      expect(bytes.length).toBe(start + end)
    }),
  )
})

const python = spawnSync('python3', ['-c', 'import safetensors']).status === 0

test.skipIf(!python)(
  python
    ? 'the official reader opens what is written, and reads the same bytes'
    : 'the official reader (skipped: `pip install safetensors` is not there)',
  () => {
    const folder = temporaryFolder()
    const cases = fc.sample(contents, { numRuns: 50, seed: 1 })
    cases.forEach((arrays, place) => {
      writeArrays(join(folder, `${place}.safetensors`), arrays, { place: String(place) })
    })
    const script = `import glob, hashlib, json, safetensors
read = {}
for path in glob.glob('*.safetensors'):
    tensors = safetensors.deserialize(open(path, 'rb').read())
    read[path] = {name: hashlib.sha256(bytes(one['data'])).hexdigest() for name, one in tensors}
print(json.dumps(read))`
    const { stdout, stderr } = spawnSync('python3', ['-c', script], { cwd: folder, encoding: 'utf8' })
    expect(stderr).toBe('')
    const hashes = (arrays: Record<string, TypedArray>) =>
      Object.fromEntries(
        Object.entries(arrays).map(([name, { buffer, byteOffset, byteLength }]) => [
          name,
          sha256(new Uint8Array(buffer, byteOffset, byteLength)),
        ]),
      )
    expect(JSON.parse(stdout)).toEqual(
      Object.fromEntries(cases.map((arrays, place) => [`${place}.safetensors`, hashes(arrays)])),
    )
  },
)
