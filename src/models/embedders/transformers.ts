import { availableParallelism } from 'node:os'
import { basename } from 'node:path'
import { isMainThread } from 'node:worker_threads'
import { z } from 'zod'
import { UserError } from '../../errors.ts'
import { defineArtifact } from '../../store/artifact.ts'
import { aroundShape } from '../around.ts'
import { defineEmbedder, type Embedder } from '../embedder.ts'
import { modelProblem } from '../transformers/check.ts'
import { DTYPES, hashModel, isFolder } from '../transformers/folder.ts'
import { ownSettings } from '../transformers/own-settings.ts'
import { openPool } from '../transformers/pool.ts'
import { openSession, requirePackage, type SessionOptions } from '../transformers/session.ts'
import type { Task } from '../transformers/thread.ts'
import { quoted, vectorProblem } from '../vector-problem.ts'

const params = z.strictObject({
  model: z
    .string()
    .min(1)
    .meta({ path: 'maybe' })
    .describe('a folder with an ONNX model, or its name on the Hugging Face hub'),
  maxTokens: z
    .int()
    .min(1)
    .max(100_000)
    .optional()
    .describe(
      "the most tokens of a text, a longer one is cut; what the model's files say if left out, else 256",
    ),
  dtype: z.enum(DTYPES).default('q8').describe("the export's precision; q8 is int8"),
  pooling: z
    .enum(['mean', 'cls'])
    .optional()
    .describe("how the vectors of tokens are pooled; what the model's files say if left out, else mean"),
  ...aroundShape,
  revision: z
    .string()
    .min(1)
    .default('main')
    .describe('the revision on the hub, for a model that is not a folder'),
  workers: z
    .int()
    .min(1)
    .max(256)
    .optional()
    .describe('threads that embed while preparing; all processors by default'),
  sha256: z.string().optional().describe("the hash of the folder's files; filled in"),
})
type Params = z.output<typeof params>

const MAX_TOKENS = 256

/** Below this many texts, starting threads costs more than it saves. */
const WORTHWHILE = 32

/** Any ONNX sentence-embedding model through transformers.js: one text a call, L2-normalised. */
export const transformers = defineEmbedder({
  name: 'transformers',
  summary: 'an ONNX sentence-embedding model from a folder or the Hugging Face hub, on this machine',
  params,
  tokens: true,
  around: ({ prefix, cut }) => ({ prefix, cut }),
  batch: 256,
  pin,
  artifact(given) {
    const pinned = given.sha256 === undefined ? pin(given) : given
    const { model, revision, dtype, sha256, workers } = pinned
    const { maxTokens = MAX_TOKENS, pooling = 'mean' } = pinned
    const source = sha256 === undefined ? { model, revision } : { sha256 }
    return defineArtifact({
      name: 'transformers',
      version: 2,
      // Where the folder lies and how many threads run change no vector.
      params: { ...source, maxTokens, dtype, pooling },
      inputs: {},
      open() {
        pin(pinned)
        const local = sha256 !== undefined
        const options = { model, local, revision, dtype, maxTokens, pooling }
        return createEmbedder(options, nameOf(pinned), isMainThread ? (workers ?? availableParallelism()) : 1)
      },
    })
  },
})

function pin(given: Params): Params {
  const own = ownSettings(given.model)
  const filled = {
    ...given,
    maxTokens: given.maxTokens ?? own.maxTokens,
    pooling: given.pooling ?? own.pooling,
    prefix: given.prefix ?? own.prefix,
  }
  if (!isFolder(given.model)) return filled
  const sha256 = hashModel(given.model, given.dtype)
  if (given.sha256 !== undefined && given.sha256 !== sha256)
    throw new UserError({
      file: given.model,
      message: 'the files of the model have changed since this was made',
    })
  return { ...filled, sha256 }
}

function nameOf({ model, revision, dtype, sha256 }: Params): string {
  return sha256 === undefined
    ? `${model}@${revision} (${dtype})`
    : `${basename(model)} (${dtype}, ${sha256.slice(0, 12)})`
}

async function createEmbedder(options: SessionOptions, name: string, workers: number): Promise<Embedder> {
  requirePackage()
  const session = await openSession(options)
  const wrong = await modelProblem(session, options)
  if (wrong) throw mistaken(wrong)
  const dims = (await session.embed('dims')).length
  let pool: ReturnType<typeof openPool> | undefined

  function mistaken(message: string): UserError {
    return new UserError(
      options.local
        ? { file: options.model, message: `the model ${message}` }
        : `the model \`${options.model}\` ${message}`,
    )
  }

  async function alone({ texts, by }: Task, done: (count: number) => void): Promise<Float32Array[]> {
    const vectors: Float32Array[] = []
    for (const text of texts) {
      vectors.push(await session[by](text))
      done(1)
    }
    return vectors
  }

  async function each(
    by: Task['by'],
    texts: readonly string[],
    progress?: (done: number, total: number) => void,
  ): Promise<Float32Array[]> {
    let finished = 0
    const done = (count: number) => {
      finished += count
      progress?.(finished, texts.length)
    }
    const shared = workers > 1 && texts.length >= WORTHWHILE
    if (shared) pool ??= openPool(options, workers)
    const found = await (shared && pool ? pool({ texts, by }, done) : alone({ texts, by }, done))
    found.forEach((vector, index) => {
      const problem = vectorProblem(vector)
      if (problem) throw mistaken(`gives a vector that ${problem} to the text ${quoted(texts[index])}`)
    })
    return found
  }

  return {
    model: name,
    dims,
    async embed(texts, progress) {
      const vectors = new Float32Array(texts.length * dims)
      const found = await each('embed', texts, progress)
      found.forEach((vector, index) => {
        vectors.set(vector, index * dims)
      })
      return vectors
    },
    tokens: (texts, progress) => each('embedTokens', texts, progress),
  }
}
