import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { temporaryName, writeWhole } from '../store/write.ts'
import { hashDownloaded, type Wanted } from './download.ts'

/** Files by their path in a folder, as they were when they were hashed. */
const schema = z.record(z.string(), z.object({ stamp: z.string(), sha256: z.string() }))
type Hashes = z.infer<typeof schema>

/** Nanoseconds for which a changed file is not recorded: it may change again within the same time stamp. */
const UNSETTLED = 2_000_000_000n

/**
 * SHA-256 of downloaded files by their path in the folder. `hashes.json` next to the folder keeps them: a file is read again
 * only if its size or one of its times changed, or if `readAll`: a disk may lose bits without a change of either. Throws a
 * UserError if its content is not that of the repository.
 */
export function hashesOf(
  folder: string,
  wanted: readonly Wanted[],
  readAll: boolean,
): Record<string, string> {
  const place = join(dirname(folder), 'hashes.json')
  const kept = read(place)
  const found: Record<string, string> = {}
  const fresh: Hashes = {}
  let now: bigint | undefined
  for (const one of wanted) {
    const path = one.target.slice(folder.length + 1)
    if (!readAll && kept[path]?.stamp === stampOf(one).stamp) {
      found[path] = kept[path].sha256
      continue
    }
    now ??= timeOfDisk(place)
    // Taken before the file is read: a change during this time gives another stamp.
    const { stamp, changed } = stampOf(one)
    found[path] = hashDownloaded(one)
    if (now - changed > UNSETTLED) fresh[path] = { stamp, sha256: found[path] }
  }
  if (Object.keys(fresh).length > 0)
    ifWritable(() => writeWhole(place, `${JSON.stringify({ ...kept, ...fresh }, null, 1)}\n`))
  return found
}

/** Content that the repository has, size and times. The time of a change (ctime) shows writes that restore the other one. */
function stampOf({ file, target }: Wanted): { readonly stamp: string; readonly changed: bigint } {
  const { size, mtimeNs, ctimeNs } = statSync(target, { bigint: true })
  return {
    stamp: [file.sha256 ?? file.blob, size, mtimeNs, ctimeNs].join(' '),
    changed: mtimeNs > ctimeNs ? mtimeNs : ctimeNs,
  }
}

/** Time that the disk gives a file written now; 0 in a cache that cannot be written. */
function timeOfDisk(place: string): bigint {
  const probe = temporaryName(place)
  try {
    return ifWritable(() => writeFileSync(probe, '')) ? statSync(probe, { bigint: true }).mtimeNs : 0n
  } finally {
    rmSync(probe, { force: true })
  }
}

/** Nothing if the file is missing or damaged: all files are then hashed again. */
function read(place: string): Hashes {
  try {
    return schema.parse(JSON.parse(readFileSync(place, 'utf8')))
  } catch {
    return {}
  }
}

/** False in a cache that cannot be written: the next command hashes again. */
function ifWritable(write: () => void): boolean {
  try {
    write()
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error
    return false
  }
}
