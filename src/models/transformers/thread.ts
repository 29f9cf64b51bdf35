import { workerData } from 'node:worker_threads'
import { type Diagnostic, UserError } from '../../errors.ts'
import { embedUntilStopped, openModelSession, type SessionOptions } from './session.ts'

/** A worker thread's side of the `transformers` embedder: loads the model once, then embeds the texts it is sent. */

// tinypool hands a worker [its own data, the pool's workerData].
const session = openModelSession(workerData[1] as SessionOptions)

/** Errors lose their class between threads; a user's errors must stay what they are. */
export type EmbeddingOutcome = readonly Float32Array[] | { readonly diagnostics: readonly Diagnostic[] }

/** Gives fewer vectors than texts once the process is asked to stop. */
export default async function embed(texts: readonly string[]): Promise<EmbeddingOutcome> {
  try {
    return await embedUntilStopped(await session, texts)
  } catch (error) {
    if (error instanceof UserError) return { diagnostics: error.diagnostics }
    throw error
  }
}
