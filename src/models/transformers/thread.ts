import { workerData } from 'node:worker_threads'
import { type Diagnostic, UserError } from '../../errors.ts'
import { isStopping } from '../../stopping.ts'
import { openModelSession, type SessionOptions } from './session.ts'

/** A worker thread's side of the `transformers` embedder: loads the model once, then embeds the texts it is sent. */

// tinypool hands a worker [its own data, the pool's workerData].
const session = openModelSession(workerData[1] as SessionOptions)

/** Errors lose their class between threads; a user's mistakes must stay what they are. */
export type EmbeddingOutcome = readonly Float32Array[] | { readonly diagnostics: readonly Diagnostic[] }

/** Fewer vectors than texts once the process is asked to stop. */
export interface Task {
  readonly texts: readonly string[]
  readonly by: 'embed' | 'embedTokens'
}

export default async function embed({ texts, by }: Task): Promise<EmbeddingOutcome> {
  try {
    const opened = await session
    const vectors: Float32Array[] = []
    for (const text of texts) {
      if (isStopping()) break
      vectors.push(await opened[by](text))
    }
    return vectors
  } catch (error) {
    if (error instanceof UserError) return { diagnostics: error.diagnostics }
    throw error
  }
}
