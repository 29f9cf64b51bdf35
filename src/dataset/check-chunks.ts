import type { Chunk } from '../types.ts'
import { near } from './check-qrels.ts'
import { collectDiagnostics } from './diagnostics.ts'
import type { Dataset } from './types.ts'

/**
 * Where chunks are judged: throws a UserError for every judged chunk that this chunking does not make. Judgements of
 * chunks hold for the chunker that made them only.
 */
export function checkJudgedChunks(
  { judgedUnit, qrels }: Pick<Dataset, 'judgedUnit' | 'qrels'>,
  chunks: readonly Pick<Chunk, 'id'>[],
): void {
  if (judgedUnit !== 'chunk') return
  const known = new Map(chunks.map(({ id }) => [id, true]))
  const diagnostics = collectDiagnostics()
  for (const [queryId, grades] of qrels)
    for (const id of grades.keys())
      if (!known.has(id))
        diagnostics.add(() => ({
          message: `query "${queryId}": the chunking makes no chunk "${id}"${near(id, known)}`,
        }))
  diagnostics.close()
}
