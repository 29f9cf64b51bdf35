import { existsSync, rmSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { collectDiagnostics, UserError } from '../errors.ts'
import { readCompletionRecording } from '../models/completions/recorded.ts'
import type { StoredCompletion } from '../models/completions/request.ts'
import { completionFiles, readCompletion } from '../models/completions/store.ts'
import { readSummary } from '../results/read.ts'
import { requireStore, type StoreEntry } from '../store/folder.ts'

/** Folders of an experiment's datasets. Throws a UserError if one is not finished. */
export function finishedFolders(experiment: string): string[] {
  return readSummary(experiment).datasets.map(({ folder = '.' }) => join(experiment, folder))
}

/** Completions that an experiment used. Throws a UserError if it is not finished. */
export function usedCompletions(experiment: string): StoredCompletion[] {
  return finishedFolders(experiment).flatMap((folder) => {
    const file = join(folder, 'answers.jsonl')
    return existsSync(file) ? [...readCompletionRecording(file).values()] : []
  })
}

/** Throws a UserError with every altered file. */
export function storedCompletions(store: string): StoredCompletion[] {
  requireStore(store)
  const diagnostics = collectDiagnostics()
  const completions = completionFiles(store).map((file) => diagnostics.attempt(() => readCompletion(file)))
  diagnostics.throwIfAny()
  return completions.filter((completion) => completion !== undefined)
}

/** Completions that no experiment of `keep` used, or those of failed requests; altered files too. */
export function unusedCompletions(
  store: string,
  { keep, failed }: { readonly keep: readonly string[]; readonly failed: boolean },
): StoreEntry[] {
  const used = new Set(keep.flatMap((experiment) => usedCompletions(experiment).map(({ key }) => key)))
  const isUnused = (file: string): boolean => {
    try {
      const { key, completion } = readCompletion(file)
      return !used.has(key) && (!failed || completion.finish === 'failed')
    } catch (error) {
      if (error instanceof UserError) return true
      throw error
    }
  }
  return completionFiles(store)
    .filter(isUnused)
    .map((file) => ({
      name: 'completion',
      key: basename(file, '.json'),
      folder: file,
      bytes: statSync(file).size,
      inputs: [],
    }))
}

export function removeCompletions(entries: readonly StoreEntry[]): void {
  for (const { folder } of entries) rmSync(folder, { force: true })
}
