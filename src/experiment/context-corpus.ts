import type { ContextCorpus } from '../answer/context.ts'
import { textUnits } from '../corpus/corpus.ts'
import type { Store } from '../store/store.ts'
import { compareIds } from '../text/order.ts'
import type { CompiledTrial } from './plan/compile.ts'

/** Loads a corpus's chunks and the rows of each document in text order. */
export async function contextCorpus(store: Store, { ranking }: CompiledTrial): Promise<ContextCorpus> {
  const chunks = await store.open(textUnits(ranking.recipe))
  const byDocument = new Map<string, number[]>()
  chunks.forEach(({ documentId }, row) => {
    const rows = byDocument.get(documentId)
    if (rows) rows.push(row)
    else byDocument.set(documentId, [row])
  })
  for (const rows of byDocument.values())
    rows.sort((a, b) => chunks[a].position - chunks[b].position || compareIds(chunks[a].id, chunks[b].id))
  return { chunks, rowsOf: (id) => byDocument.get(id) ?? [] }
}
