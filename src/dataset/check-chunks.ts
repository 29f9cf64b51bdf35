import type { Chunk } from '../types.ts'
import { near } from './check-gold.ts'
import { collectDatasetDiagnostics } from './diagnostics.ts'
import type { Dataset } from './types.ts'

/**
 * Throws a UserError with every judged chunk that this chunking does not make. Qrels of chunks hold for the chunker that
 * made the chunks only.
 */
export function checkJudgedChunks(
  { judgedUnit, qrels }: Pick<Dataset, 'judgedUnit' | 'qrels'>,
  chunks: readonly Pick<Chunk, 'id'>[],
): void {
  if (judgedUnit !== 'chunk') return
  const known = new Map(chunks.map(({ id }) => [id, true]))
  const diagnostics = collectDatasetDiagnostics()
  for (const [queryId, grades] of qrels)
    for (const id of grades.keys())
      if (!known.has(id))
        diagnostics.add(() => ({
          message: `query "${queryId}": the chunking makes no chunk "${id}"${near(id, known)}`,
        }))
  diagnostics.close()
}
