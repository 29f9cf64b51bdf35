import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { hasFormat } from '../results/format.ts'
import type { Manifest, Summary } from '../results/summary.ts'
import { hashOf, sha256 } from '../store/hash.ts'
import { RESULT_FILES } from './manifest.ts'
import type { Plan } from './plan.ts'

/**
 * What a folder holds of `plan`'s result: nothing finished; or the summary, every file having the hash that the manifest
 * gives it; or the files that were altered since they were written.
 */
export function readFinished(
  folder: string,
  plan: Plan,
): { readonly summary: Summary } | { readonly altered: readonly string[] } | null {
  const [manifestFile, summaryFile] = ['manifest.json', 'summary.json'].map((file) => join(folder, file))
  if (!existsSync(manifestFile) || !existsSync(summaryFile)) return null
  const manifest = readManifest(manifestFile)
  if (!manifest) return { altered: ['manifest.json'] }
  if (manifest.plan !== plan.hash) return null
  const altered = RESULT_FILES.filter((file) => {
    const path = join(folder, file)
    return !existsSync(path) || sha256(readFileSync(path)) !== manifest.files[file]
  })
  if (altered.length > 0) return { altered }
  const text = readFileSync(summaryFile, 'utf8')
  const whole = text.endsWith('\n') ? text.slice(0, -1) : text
  if (hashOf({ files: manifest.files, summary: sha256(whole) }) !== manifest.result)
    return { altered: ['summary.json'] }
  return { summary: JSON.parse(whole) }
}

function readManifest(file: string): Manifest | null {
  try {
    const manifest: unknown = JSON.parse(readFileSync(file, 'utf8'))
    return hasFormat(manifest) && typeof (manifest as Manifest).files === 'object'
      ? (manifest as Manifest)
      : null
  } catch {
    return null
  }
}
