/** Files that ranx saves as `.lz4`: runs and qrels in CBOR, in LZ4 frames, one inside the other. */

const MAGIC = 0x184d2204
/** Bytes that a file may decompress to. */
const MOST = 2 ** 30

/** True if the bytes begin an LZ4 frame. */
export function isLz4(bytes: Uint8Array): boolean {
  return bytes.length >= 7 && viewOf(bytes).getUint32(0, true) === MAGIC
}

/** Bytes of JSON for a file of ranx. Throws an Error with the reason if it is damaged or holds anything else. */
export function ranxJson(bytes: Uint8Array): Buffer {
  let inner = bytes
  for (let frames = 0; isLz4(inner); frames++) {
    if (frames === 2) throw new Error('it holds more than two frames of LZ4 inside each other')
    inner = decodeFrame(inner)
  }
  const { value, end } = decodeCbor(inner, 0, 0)
  if (end !== inner.length) throw new Error('bytes follow the end of its content')
  return Buffer.from(JSON.stringify(value))
}

/** Content of one frame (https://github.com/lz4/lz4/blob/dev/doc/lz4_Frame_format.md); checksums are not verified. */
function decodeFrame(bytes: Uint8Array): Uint8Array {
  const view = viewOf(bytes)
  const flags = bytes[4]
  if (flags >> 6 !== 1 || flags & 1) throw new Error('it is of another version of LZ4, or needs a dictionary')
  let at = 7 + (flags & 8 ? 8 : 0)
  const out = createOutput()
  for (;;) {
    if (at + 4 > bytes.length) throw new Error('it ends too early')
    const word = view.getUint32(at, true)
    at += 4
    if (word === 0) return out.bytes()
    const size = word & 0x7fffffff
    if (at + size > bytes.length) throw new Error('it ends too early')
    const block = bytes.subarray(at, at + size)
    if (word >>> 31) out.append(block)
    else decodeBlock(block, out)
    at += size + (flags & 16 ? 4 : 0)
  }
}

function decodeBlock(block: Uint8Array, out: ReturnType<typeof createOutput>): void {
  let at = 0
  const length = (start: number) => {
    let sum = start
    if (start === 15)
      for (let more = 255; more === 255; sum += more) {
        if (at >= block.length) throw new Error('it ends too early')
        more = block[at++]
      }
    return sum
  }
  while (at < block.length) {
    const token = block[at++]
    const literals = length(token >> 4)
    if (at + literals > block.length) throw new Error('it ends too early')
    out.append(block.subarray(at, at + literals))
    at += literals
    if (at === block.length) return
    if (at + 2 > block.length) throw new Error('it ends too early')
    const distance = block[at] | (block[at + 1] << 8)
    at += 2
    out.repeat(distance, length(token & 15) + 4)
  }
}

function createOutput() {
  let bytes = new Uint8Array(2 ** 16)
  let length = 0
  const room = (more: number) => {
    if (length + more > MOST) throw new Error(`it decompresses to more than ${MOST / 2 ** 20} MB`)
    if (length + more <= bytes.length) return
    const larger = new Uint8Array(Math.max(2 * bytes.length, length + more))
    larger.set(bytes)
    bytes = larger
  }
  return {
    append(piece: Uint8Array) {
      room(piece.length)
      bytes.set(piece, length)
      length += piece.length
    },
    /** Copies from `distance` bytes back, also from what it writes. */
    repeat(distance: number, count: number) {
      if (distance === 0 || distance > length) throw new Error('it refers to bytes before its beginning')
      room(count)
      for (let end = length + count; length < end; length++) bytes[length] = bytes[length - distance]
    },
    bytes: () => bytes.subarray(0, length),
  }
}

type Content = string | number | { readonly [key: string]: Content }

/** Maps, texts and numbers of CBOR (RFC 8949); anything else is an error, because no run or qrels holds it. */
function decodeCbor(bytes: Uint8Array, start: number, depth: number): { value: Content; end: number } {
  const view = viewOf(bytes)
  if (start >= bytes.length) throw new Error('its content ends too early')
  const kind = bytes[start] >> 5
  const info = bytes[start] & 31
  const size = info < 24 ? 0 : info < 28 ? 2 ** (info - 24) : Number.NaN
  let at = start + 1 + size
  if (Number.isNaN(size) || at > bytes.length) throw new Error('its content ends too early')
  const read = () =>
    [view.getUint8, view.getUint16, view.getUint32][info - 24]?.call(view, start + 1) ??
    Number(view.getBigUint64(start + 1))
  if (kind === 7 && info > 24 && info < 28) {
    const value =
      info === 25
        ? halfOf(view.getUint16(start + 1))
        : info === 26
          ? view.getFloat32(start + 1)
          : view.getFloat64(start + 1)
    return { value, end: at }
  }
  const count = size === 0 ? info : read()
  if (kind === 0) return { value: count, end: at }
  if (kind === 1) return { value: -1 - count, end: at }
  if (kind === 3) {
    if (at + count > bytes.length) throw new Error('its content ends too early')
    return {
      value: new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(at, at + count)),
      end: at + count,
    }
  }
  if (kind !== 5 || depth > 2) throw new Error('its content is not a run or qrels of ranx')
  const map: Record<string, Content> = Object.create(null)
  for (let index = 0; index < count; index++) {
    const key = decodeCbor(bytes, at, depth + 1)
    const value = decodeCbor(bytes, key.end, depth + 1)
    if (typeof key.value === 'object') throw new Error('its content is not a run or qrels of ranx')
    map[String(key.value)] = value.value
    at = value.end
  }
  return { value: map, end: at }
}

function halfOf(bits: number): number {
  const exponent = (bits >> 10) & 31
  const fraction = bits & 1023
  const value =
    exponent === 0
      ? fraction * 2 ** -24
      : exponent === 31
        ? fraction === 0
          ? Number.POSITIVE_INFINITY
          : Number.NaN
        : (1024 + fraction) * 2 ** (exponent - 25)
  return bits >> 15 ? -value : value
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
