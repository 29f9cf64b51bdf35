import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { documentsTable } from '../../corpus/corpus.ts'
import { canonical, sha256 } from '../../store/hash.ts'
import { makeFolder } from '../../store/make-folder.ts'
import { writeWhole } from '../../store/write.ts'
import { compareIds } from '../../text/ids.ts'
import type { Document } from '../../types.ts'
import type { OpenExperiment } from './open.ts'

/** Ids of documents in byte order. */
export interface CorpusChange {
  readonly added: readonly string[]
  readonly changed: readonly string[]
  readonly removed: readonly string[]
}

/**
 * Compares a dataset's prepared documents with those of the last call for this dataset and store. Undefined without a
 * change, or without the previous documents.
 */
export async function corpusChange({
  experiment,
  dataset,
  store,
}: OpenExperiment): Promise<CorpusChange | undefined> {
  const place = sha256(canonical(experiment.datasets[0])).slice(0, 32)
  const file = join(store.root, 'corpora', `${place}.json`)
  const hash = dataset.documentsHash
  const last = lastHash(file)
  if (last === hash) return undefined
  const before = last === undefined ? undefined : prepared(last)
  const change =
    before && store.has(before)
      ? corpusDifferences(await store.open(before), await store.open(prepared(hash)))
      : undefined
  makeFolder(dirname(file))
  writeWhole(file, `${JSON.stringify({ hash })}\n`)
  return change
}

function lastHash(file: string): string | undefined {
  if (!existsSync(file)) return undefined
  try {
    const { hash } = JSON.parse(readFileSync(file, 'utf8')) as { readonly hash?: unknown }
    return typeof hash === 'string' ? hash : undefined
  } catch {
    return undefined
  }
}

function prepared(hash: string) {
  return documentsTable({
    hash,
    load: () => {
      throw new Error('documents are compared after they are prepared')
    },
  })
}

export function corpusDifferences(before: readonly Document[], now: readonly Document[]): CorpusChange {
  const was = new Map(before.map((document) => [document.id, document]))
  const is = new Set(now.map(({ id }) => id))
  const [added, changed]: string[][] = [[], []]
  for (const document of now) {
    const old = was.get(document.id)
    if (!old) added.push(document.id)
    else if (canonical(old) !== canonical(document)) changed.push(document.id)
  }
  const removed = before.map(({ id }) => id).filter((id) => !is.has(id))
  for (const ids of [added, changed, removed]) ids.sort(compareIds)
  return { added, changed, removed }
}
