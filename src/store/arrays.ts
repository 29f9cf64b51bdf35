import { readFileSync, writeFileSync } from 'node:fs'

/**
 * Named typed arrays in one file, in the safetensors layout: 8 bytes of little-endian header length, a JSON header
 * `{name: {dtype, shape, data_offsets}}`, the raw little-endian data. Any safetensors reader opens it.
 * https://github.com/huggingface/safetensors
 */
export type TypedArray = Int8Array | Uint8Array | Int32Array | Uint32Array | Float32Array | Float64Array

const KINDS = {
  I8: Int8Array,
  U8: Uint8Array,
  I32: Int32Array,
  U32: Uint32Array,
  F32: Float32Array,
  F64: Float64Array,
} as const
type Kind = keyof typeof KINDS

function kindOf(array: TypedArray): Kind {
  const found = (Object.keys(KINDS) as Kind[]).find((kind) => array instanceof KINDS[kind])
  if (!found) throw new Error(`no safetensors dtype for ${array.constructor.name}`)
  return found
}

/** Writes `arrays` to `path`; `metadata` are strings kept in the header. */
export function writeArrays(
  path: string,
  arrays: Record<string, TypedArray>,
  metadata: Record<string, string> = {},
): void {
  const header: Record<string, unknown> = { __metadata__: metadata }
  const parts: Uint8Array[] = []
  let offset = 0
  for (const [name, array] of Object.entries(arrays)) {
    header[name] = {
      dtype: kindOf(array),
      shape: [array.length],
      data_offsets: [offset, offset + array.byteLength],
    }
    const padding = (8 - (array.byteLength % 8)) % 8
    parts.push(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), new Uint8Array(padding))
    offset += array.byteLength + padding
  }
  const json = Buffer.from(JSON.stringify(header))
  const text = Buffer.concat([json, Buffer.alloc((8 - (json.length % 8)) % 8, ' ')])
  const length = Buffer.alloc(8)
  length.writeBigUInt64LE(BigInt(text.length))
  writeFileSync(path, Buffer.concat([length, text, ...parts]))
}

/** Reads what `writeArrays` wrote; each array is a view into one buffer. */
export function readArrays(path: string): {
  arrays: Record<string, TypedArray>
  metadata: Record<string, string>
} {
  const bytes = readFileSync(path)
  const start = 8 + Number(bytes.readBigUInt64LE(0))
  const header = JSON.parse(bytes.toString('utf8', 8, start))
  // A copy where the file's buffer is not aligned for 8-byte elements.
  const data = bytes.buffer.slice(bytes.byteOffset + start, bytes.byteOffset + bytes.length)
  const arrays: Record<string, TypedArray> = {}
  for (const [name, entry] of Object.entries<{ dtype: Kind; data_offsets: [number, number] }>(header)) {
    if (name === '__metadata__') continue
    const [from, to] = entry.data_offsets
    const Kind = KINDS[entry.dtype]
    arrays[name] = new Kind(data, from, (to - from) / Kind.BYTES_PER_ELEMENT)
  }
  return { arrays, metadata: header.__metadata__ ?? {} }
}
