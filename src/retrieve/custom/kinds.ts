import { z } from 'zod'
import type { Cutter } from '../../corpus/chunks/chunkers/index.ts'
import type { GraphSource } from '../../corpus/graph/extractors/index.ts'
import { askNobody } from '../../corpus/writer.ts'
import { aFunction, hashReads, type Reads, readsSchema } from '../../custom/files.ts'
import { createAsking } from '../../custom/guard.ts'
import type { CustomKind, ReadFile } from '../../custom/load.ts'
import { UserError } from '../../errors.ts'
import type { EmbedderSource } from '../../models/embedders/index.ts'
import type { Part } from '../../registry.ts'
import { isExpression } from '../step.ts'
import type { Retrieval, StrategyOutput } from '../strategies/index.ts'
import type { QueryRewriter, Ranker } from '../transforms/index.ts'
import { type CustomEmbedder, readExtraction, readPieces, readVectors } from './returned.ts'

/** Kinds of parts that a config may name by file, except metrics. Calls are guarded, results checked, inputs copied. */

interface CustomKeys {
  /** Files that it reads: their content is part of every key. */
  readonly files?: Reads<never>
  /** Seconds that a call may take. */
  readonly timeout?: number
}

type Asking = ReturnType<typeof createAsking>

/** Form of a custom part. `params` is checked for methods, not for a class: the file may bring its own copy of zod. */
const schema = z.strictObject({
  name: z.string().regex(/^\S+$/, 'must be one word'),
  summary: z.string(),
  source: z.string().optional(),
  params: z.custom<z.ZodObject>((value) => {
    const schema = value as Partial<z.ZodObject> | null | undefined
    return typeof schema?.shape === 'object' && typeof schema.safeParse === 'function'
  }, 'must be z.strictObject({...})'),
  make: aFunction,
  timeout: z.number().gt(0).optional(),
  files: readsSchema.optional(),
})

export const customStrategy = partKind<Retrieval>('strategy', 'retrieve', (strategy, asking, { path }) => ({
  retrieve(...input) {
    const retrieved = asking.now('`retrieve`', () => strategy.retrieve(...input))
    const { ranking, evidence } = (retrieved ?? {}) as Partial<StrategyOutput>
    if (isExpression(ranking) && (evidence === undefined || isExpression(evidence))) return retrieved
    const wrong = isExpression(ranking) ? 'evidence' : 'ranking'
    throw new UserError(
      `\`retrieve\` must give {ranking, evidence?}, each a step applied to its inputs; ${wrong} is not`,
      path,
    )
  },
}))

export const customQueryTransform = partKind<QueryRewriter>(
  'query transform',
  'rewrite',
  (rewriter, asking, file) => ({
    rewrite: (query) => applied('`rewrite`', () => rewriter.rewrite(query), asking, file),
  }),
)

export const customRankingTransform = partKind<Ranker>(
  'ranking transform',
  'rank',
  (ranker, asking, file) => ({
    rank: (ranking, query) => applied('`rank`', () => ranker.rank(ranking, query), asking, file),
  }),
)

function applied<T>(subject: string, call: () => T, asking: Asking, { path }: ReadFile): T {
  const returned = asking.now(subject, call)
  if (isExpression(returned)) return returned
  throw new UserError(`${subject} must give a step applied to its inputs`, path)
}

export const customChunker = partKind<Cutter>('chunker', 'split', (cutter, asking, file) => ({
  split(document) {
    const subject = `\`split\` on the document ${document.id}`
    const pieces = asking.now(subject, () => cutter.split(structuredClone(document)))
    return readPieces(pieces, document, { file, what: subject })
  },
}))

export const customEmbedder = partKind<EmbedderSource, CustomEmbedder>(
  'embedder',
  'embed',
  (embedder, asking, file) => ({
    batch: 256,
    artifact: () => readVectors(file, (texts) => asking.later('`embed`', () => embedder.embed([...texts]))),
  }),
)

export const customExtractor = partKind<GraphSource>('extractor', 'extract', (source, asking, file) => ({
  async extract(input) {
    const subject = '`extract`'
    const extraction = await asking.later(subject, () => source.extract(structuredClone(input), askNobody))
    return readExtraction(extraction, input.chunks.length, { file, what: subject })
  },
}))

/** Kind of parts whose `make` gives an object with the function `called`. `wrap` guards its calls and checks their results. */
function partKind<Made, Given extends object = Made & object>(
  word: string,
  called: keyof Given & string,
  wrap: (made: Given, asking: Asking, file: ReadFile) => Made,
): CustomKind<Part<Made>> {
  return {
    word,
    schema,
    example: 'export default { name, summary, params, make }',
    toolkit: async (guard, file) => (await import('./toolkit.ts')).toolkitOf(guard, file),
    define(exported, guard, file) {
      const { files: reads, timeout, ...part } = exported as Omit<Part<Given>, 'files'> & CustomKeys
      const asking = createAsking(guard, file.path, timeout)
      const files = (params: unknown) =>
        guard.call('`files`', () => hashReads(file, reads as Reads<unknown>, structuredClone(params)))
      return {
        ...part,
        code: file.sha256,
        ...(reads && { files }),
        make(params) {
          const made = asking.now('`make`', () => part.make(structuredClone(params)))
          if (typeof made?.[called] !== 'function')
            throw new UserError(`\`make\` must give {${called}}, a function`, file.path)
          return wrap(made, asking, { ...file, name: part.name, params, reads: reads && files(params) })
        },
      }
    },
  }
}
