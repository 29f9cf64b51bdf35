import { workerData } from 'node:worker_threads'
import { openSession, type SessionOptions } from './session.ts'

/** A worker thread's side of the `transformers` embedder: loads the model once, then embeds the texts it is sent. */

// tinypool hands a worker [its own data, the pool's workerData].
const session = openSession(workerData[1] as SessionOptions)

export default async function embed(texts: readonly string[]): Promise<Float32Array[]> {
  const one = await session
  const vectors: Float32Array[] = []
  for (const text of texts) vectors.push(await one(text))
  return vectors
}
