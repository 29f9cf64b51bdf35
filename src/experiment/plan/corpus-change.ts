import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { documentsTable } from '../../corpus/corpus.ts'
import { canonical, sha256 } from '../../store/hash.ts'
import { makeFolder, writeWhole } from '../../store/write.ts'
import { compareIds } from '../../text/ids.ts'
import type { Document } from '../../types.ts'
import type { OpenExperiment } from './open.ts'

/** Ids of documents, each list in byte order. */
export interface CorpusChange {
  readonly added: readonly string[]
  readonly changed: readonly string[]
  readonly removed: readonly string[]
}

/**
 * Compares a dataset's documents, which must be prepared, with those of the last call for this dataset and store, and stores
 * their hash. Undefined on the first call, if nothing changed, and if the store no longer has the previous documents.
 */
export async function corpusChange(open: OpenExperiment): Promise<CorpusChange | undefined> {
  const { experiment, dataset, store } = open
  const file = join(store.root, 'corpora', sha256(canonical(experiment.datasets[0])).slice(0, 32))
  const last = existsSync(file) ? readFileSync(file, 'utf8') : ''
  if (last === dataset.documentsHash) return undefined
  const [before, now] = [last, dataset.documentsHash].map((hash) =>
    documentsTable({ hash, load: () => Promise.reject(new Error('documents are not prepared')) }),
  )
  const change = store.has(before)
    ? corpusDifferences(await store.open(before), await store.open(now))
    : undefined
  makeFolder(join(store.root, 'corpora'))
  writeWhole(file, dataset.documentsHash)
  return change
}

export function corpusDifferences(before: readonly Document[], now: readonly Document[]): CorpusChange {
  const [was, is] = [before, now].map(
    (documents) => new Map(documents.map((document) => [document.id, canonical(document)])),
  )
  const ids = (texts: ReadonlyMap<string, string>, holds: (id: string) => boolean) =>
    [...texts.keys()].filter(holds).sort(compareIds)
  return {
    added: ids(is, (id) => !was.has(id)),
    changed: ids(is, (id) => was.has(id) && was.get(id) !== is.get(id)),
    removed: ids(was, (id) => !is.has(id)),
  }
}
