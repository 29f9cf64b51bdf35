import { gzipSync, inflateRawSync } from 'node:zlib'

/** File in a zip archive. */
export interface Member {
  readonly name: string
  /** Length of its content, as the archive states it. */
  readonly size: number
  /** Content. Throws an Error if it has not the length and the CRC-32 that the archive states. */
  content(): Buffer
}

/** Signatures of the parts of an archive (APPNOTE 6.3.10, section 4.3). */
const FILE = 0x04034b50
const ENTRY = 0x02014b50
const END = Buffer.of(0x50, 0x4b, 5, 6)
const LOCATOR_64 = 0x07064b50
/** Value of a field of 4 bytes whose number is in the extra field for large files. */
const LARGE = 0xffffffff

/** Members of a zip archive in the order of its directory, without folders. Throws an Error for a damaged archive. */
export function membersOf(bytes: Uint8Array): Member[] {
  const archive = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const end = archive.lastIndexOf(END)
  if (end < 0) throw new Error('no directory')
  let count = archive.readUInt16LE(end + 10)
  let at = archive.readUInt32LE(end + 16)
  if (end >= 20 && archive.readUInt32LE(end - 20) === LOCATOR_64) {
    const end64 = long(archive, end - 12)
    count = long(archive, end64 + 32)
    at = long(archive, end64 + 48)
  }
  const members: Member[] = []
  for (let index = 0; index < count; index++) {
    if (archive.readUInt32LE(at) !== ENTRY) throw new Error('damaged directory')
    const flags = archive.readUInt16LE(at + 8)
    const nameEnd = at + 46 + archive.readUInt16LE(at + 28)
    const extraEnd = nameEnd + archive.readUInt16LE(at + 30)
    const name = archive.toString(flags & 0x800 ? 'utf8' : 'latin1', at + 46, nameEnd)
    const [size, packedSize, start] = numbers(archive, at, archive.subarray(nameEnd, extraEnd))
    const [method, crc] = [archive.readUInt16LE(at + 10), archive.readUInt32LE(at + 16)]
    at = extraEnd + archive.readUInt16LE(at + 32)
    if (name.endsWith('/')) continue
    members.push({
      name,
      size,
      content() {
        if (flags & 1) throw new Error(`${name} is encrypted`)
        if (archive.readUInt32LE(start) !== FILE) throw new Error(`${name} is not where the directory says`)
        const begin = start + 30 + archive.readUInt16LE(start + 26) + archive.readUInt16LE(start + 28)
        const content = unpack(archive.subarray(begin, begin + packedSize), method, size)
        if (content?.length !== size || crcOf(content) !== crc)
          throw new Error(`${name} has not the length or the checksum that the zip states`)
        return content
      },
    })
  }
  return members
}

/** Sizes and place of an entry: content, packed content, offset of the file. */
function numbers(archive: Buffer, entry: number, extra: Buffer): number[] {
  let large = 0
  while (large < extra.length && extra.readUInt16LE(large) !== 1) large += 4 + extra.readUInt16LE(large + 2)
  large += 4
  return [24, 20, 42].map((field) => {
    const value = archive.readUInt32LE(entry + field)
    if (value !== LARGE) return value
    large += 8
    return long(extra, large - 8)
  })
}

/** Content of a member; undefined for one that cannot be unpacked. */
function unpack(packed: Buffer, method: number, size: number): Buffer | undefined {
  if (method === 0) return packed
  if (method !== 8) throw new Error(`the packing method ${method} is not supported`)
  try {
    return inflateRawSync(packed, { maxOutputLength: size + 1 })
  } catch {
    return undefined
  }
}

/** CRC-32, which zlib writes behind what it packs. */
function crcOf(content: Buffer): number {
  const packed = gzipSync(content, { level: 0 })
  return packed.readUInt32LE(packed.length - 8)
}

function long(bytes: Buffer, at: number): number {
  return Number(bytes.readBigUInt64LE(at))
}
