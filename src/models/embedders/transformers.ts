import { availableParallelism } from 'node:os'
import { Tinypool } from 'tinypool'
import { z } from 'zod'
import { UserError } from '../../errors.ts'
import { defineArtifact } from '../../store/artifact.ts'
import { builtUrl, isCoordinator } from '../../threads.ts'
import { aroundShape, type Embedder, quoted, vectorProblem } from '../embedder.ts'
import { localKey, localName, localOptions, localShape, pinLocal } from '../transformers/local-params.ts'
import { modelSettings } from '../transformers/model-settings.ts'
import { openReader } from '../transformers/open.ts'
import {
  embedUntilStopped,
  localModelProblem,
  openModelSession,
  type SessionOptions,
} from '../transformers/session.ts'
import type { EmbeddingOutcome } from '../transformers/thread.ts'
import { defineBuiltInEmbedder } from './index.ts'

const { sha256, ...local } = localShape
const params = z.strictObject({
  ...local,
  pooling: z
    .enum(['mean', 'cls'])
    .optional()
    .describe("pooling of token vectors; default: that of the model's files, else mean"),
  ...aroundShape,
  workers: z
    .int()
    .min(1)
    .max(256)
    .optional()
    .describe('threads for embedding in `prepare`; default: all processors'),
  sha256,
})
type Params = z.output<typeof params>

/** Below so many texts, starting threads costs more than it saves. */
const WORTHWHILE = 32

export default defineBuiltInEmbedder({
  name: 'transformers',
  summary: 'an ONNX sentence-embedding model from a folder or the Hugging Face hub, on this machine',
  params,
  pin,
  make: (params) => ({
    around: { prefix: params.prefix, cut: params.cut },
    batch: 256,
    artifact() {
      const pinned = params.sha256 === undefined ? pin(params) : params
      const { workers, pooling = 'mean' } = pinned
      return defineArtifact({
        name: 'transformers',
        version: 2,
        // The folder's path and the number of threads change no vector.
        params: { ...localKey(pinned), pooling },
        inputs: {},
        reader: () => openReader(localOptions(pinned), localName(pinned)),
        open() {
          pin(pinned)
          const options = { ...localOptions(pinned), pooling }
          return createEmbedder(
            options,
            localName(pinned),
            isCoordinator() ? (workers ?? availableParallelism()) : 1,
          )
        },
      })
    },
  }),
})

function pin(params: Params): Params {
  const { pooling, prefix } = modelSettings(params.model)
  return { ...pinLocal(params), pooling: params.pooling ?? pooling, prefix: params.prefix ?? prefix }
}

async function createEmbedder(options: SessionOptions, name: string, workers: number): Promise<Embedder> {
  const session = await openModelSession(options)
  const wrong = await localModelProblem(session, options)
  if (wrong) throw failure(wrong)
  const dims = (await session.embed('dims')).length
  let pool: ReturnType<typeof openPool> | undefined
  const sharedBetween = () => {
    pool ??= openPool(options, workers)
    return pool
  }

  function failure(message: string): UserError {
    return new UserError(`the model ${message}`, options.model)
  }

  return {
    model: name,
    dims,
    async embed(texts, progress) {
      let finished = 0
      const done = (count: number) => {
        finished += count
        progress?.(finished, texts.length)
      }
      const rows = await (workers > 1 && texts.length >= WORTHWHILE
        ? sharedBetween()(texts, done)
        : embedUntilStopped(session, texts, done))
      const vectors = new Float32Array(rows.length * dims)
      rows.forEach((vector, index) => {
        const problem = vectorProblem(vector)
        if (problem) throw failure(`gives a vector that ${problem} to the text ${quoted(texts[index])}`)
        vectors.set(vector, index * dims)
      })
      return vectors
    },
  }
}

/** Texts that a thread gets at a time. */
const TASK = 8

type Embed = (texts: readonly string[], done: (count: number) => void) => Promise<Float32Array[]>

/** Embeds over `workers` threads, each with the model loaded once; idle threads keep no process alive. */
function openPool(options: SessionOptions, workers: number): Embed {
  const pool = new Tinypool({
    filename: builtUrl('models/transformers/thread.js').href,
    minThreads: workers,
    maxThreads: workers,
    workerData: options,
    execArgv: [],
    isolateWorkers: false,
  })
  return inTasks((texts) => pool.run(texts) as Promise<EmbeddingOutcome>)
}

/**
 * Embeds in tasks that run at once. Asked to stop, it gives the vectors of the first texts. Returns once no task
 * runs.
 */
function inTasks(run: (texts: readonly string[]) => Promise<EmbeddingOutcome>): Embed {
  return async (texts, done) => {
    const tasks: Promise<readonly Float32Array[]>[] = []
    for (let from = 0; from < texts.length; from += TASK) {
      const task = run(texts.slice(from, from + TASK))
      tasks.push(
        task.then((outcome) => {
          if ('diagnostics' in outcome) throw new UserError(outcome.diagnostics)
          done(outcome.length)
          return outcome
        }),
      )
    }
    const results: Float32Array[] = []
    await Promise.allSettled(tasks)
    for (const [index, vectors] of (await Promise.all(tasks)).entries()) {
      results.push(...vectors)
      if (results.length < Math.min(texts.length, (index + 1) * TASK)) break
    }
    return results
  }
}
