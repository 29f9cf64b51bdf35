import { gzipSync } from 'node:zlib'
import { unzipSync } from 'fflate'

/** Signatures of an entry and of the end of a zip's directory (APPNOTE 6.3.10, section 4.3). */
const ENTRY = Buffer.from('PK\u0001\u0002')
const END = Buffer.from('PK\u0005\u0006')
const IN_ZIP64 = 0xffffffff

/**
 * Files of a zip archive by name, of those that `wants` accepts by name and stated length. Throws an Error for a damaged archive,
 * and for a file whose content has not the CRC-32 that the directory states, as one that is cut.
 */
export function unzip(
  bytes: Uint8Array,
  wants: (name: string, length: number) => boolean,
): Readonly<Record<string, Uint8Array>> {
  const archive = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const end = archive.lastIndexOf(END)
  if (end < 0) throw new Error('it has no directory')
  let entry = archive.readUInt32LE(end + 16)
  if (entry === IN_ZIP64) entry = longAt(archive, longAt(archive, end - 12) + 48)
  const stated = new Map<string, number>()
  const files = unzipSync(bytes, {
    filter({ name, originalSize }) {
      if (archive.indexOf(ENTRY, entry) !== entry) throw new Error('its directory is damaged')
      const isWanted = wants(name, originalSize)
      if (isWanted) stated.set(name, archive.readUInt32LE(entry + 16))
      entry += [28, 30, 32].reduce((length, field) => length + archive.readUInt16LE(entry + field), 46)
      return isWanted
    },
  })
  for (const [name, sum] of stated)
    if (crcOf(files[name]) !== sum) throw new Error(`${name} has not the stated checksum`)
  return files
}

/** CRC-32, which zlib writes behind what it packs. */
function crcOf(content: Uint8Array): number {
  const packed = gzipSync(content, { level: 0 })
  return packed.readUInt32LE(packed.length - 8)
}

const longAt = (bytes: Buffer, at: number) => Number(bytes.readBigUInt64LE(at))
