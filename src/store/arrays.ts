import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs'

/**
 * Named typed arrays in one file, in the safetensors layout, those of the largest elements first, so that each is
 * aligned without padding. https://github.com/huggingface/safetensors
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
  const dtype = (Object.keys(KINDS) as Kind[]).find((kind) => array instanceof KINDS[kind])
  if (!dtype) throw new Error(`no safetensors dtype for ${array.constructor.name}`)
  return dtype
}

export function writeArrays(
  path: string,
  arrays: Record<string, TypedArray>,
  metadata: Record<string, string> = {},
): void {
  const ordered = Object.entries(arrays).sort(([, a], [, b]) => b.BYTES_PER_ELEMENT - a.BYTES_PER_ELEMENT)
  let offset = 0
  const entries = ordered.map(([name, array]) => {
    const from = offset
    offset += array.byteLength
    return [name, { dtype: kindOf(array), shape: [array.length], data_offsets: [from, offset] }] as const
  })
  const header = { __metadata__: metadata, ...Object.fromEntries(entries) }
  const parts = ordered.map(
    ([, { buffer, byteOffset, byteLength }]) => new Uint8Array(buffer, byteOffset, byteLength),
  )
  const json = Buffer.from(JSON.stringify(header))
  const text = Buffer.concat([json, Buffer.alloc((8 - (json.length % 8)) % 8, ' ')])
  const length = Buffer.alloc(8)
  length.writeBigUInt64LE(BigInt(text.length))
  // Written one after the other: joining them would need twice the memory.
  const file = openSync(path, 'w')
  try {
    for (const part of [length, text, ...parts]) writeFileSync(file, part)
  } finally {
    closeSync(file)
  }
}

/** Reads arrays as views into one buffer. */
export function readArrays<A = Record<string, TypedArray>>(
  path: string,
): { readonly arrays: A; readonly metadata: Record<string, string> } {
  const bytes = readFileSync(path)
  const start = 8 + Number(bytes.readBigUInt64LE(0))
  const header = JSON.parse(bytes.toString('utf8', 8, start))
  // Copies only if the data are not aligned to 8 bytes: a large index would need twice the memory.
  const begin = bytes.byteOffset + start
  const aligned = begin % 8 === 0
  const data = aligned ? bytes.buffer : bytes.buffer.slice(begin, begin + bytes.length - start)
  const arrays: Record<string, TypedArray> = {}
  for (const [name, entry] of Object.entries<{ dtype: Kind; data_offsets: [number, number] }>(header)) {
    if (name === '__metadata__') continue
    const [from, to] = entry.data_offsets
    const Kind = KINDS[entry.dtype]
    arrays[name] = new Kind(data, (aligned ? begin : 0) + from, (to - from) / Kind.BYTES_PER_ELEMENT)
  }
  return { arrays: arrays as A, metadata: header.__metadata__ ?? {} }
}
