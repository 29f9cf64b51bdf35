import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { alteredFiles, isManifest } from '../results/finished.ts'
import type { Manifest, Summary } from '../results/summary.ts'
import type { Plan } from './plan/plan.ts'

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
  const altered = alteredFiles(folder, manifest)
  return altered.length > 0 ? { altered } : { summary: JSON.parse(readFileSync(summaryFile, 'utf8')) }
}

function readManifest(file: string): Manifest | null {
  try {
    const manifest: unknown = JSON.parse(readFileSync(file, 'utf8'))
    return isManifest(manifest) ? manifest : null
  } catch {
    return null
  }
}
