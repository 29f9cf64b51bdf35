import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { alteredFiles, isManifest } from '../results/finished.ts'
import type { Manifest, Summary } from '../results/summary.ts'
import type { Plan } from './plan/plan.ts'

/**
 * Result of `plan` in a folder: null if not finished, the summary if every file has the hash in the manifest, otherwise the
 * altered files.
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
