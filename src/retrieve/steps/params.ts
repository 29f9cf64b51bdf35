import { z } from 'zod'
import { FIELD } from '../../corpus/lexical/fields.ts'
import type { Norm } from '../../ranking/normalize.ts'

/** Params that several strategies share, so that one name means one thing with one range everywhere. */

export const pool = (chunks = 100) => count(chunks, 'chunks that each search returns', 10_000)

export const damping = (probability: number) =>
  z
    .number()
    .min(0)
    .lt(1)
    .default(probability)
    .describe('probability of following an edge, else the walk restarts')

export const projection = (start: 'max' | 'sum') =>
  z.enum(['max', 'sum', 'constant']).default(start).describe('aggregation of entity scores to chunk scores')

export const seed = (start: number, of: string) =>
  z
    .int()
    .min(0)
    .max(2 ** 32 - 1)
    .default(start)
    .describe(of)

export const count = (start: number, of: string, most = 1000) =>
  z.int().min(1).max(most).default(start).describe(of)

/** A path of a file, from the config's folder. */
export const filePath = (of: string) => z.string().min(1).optional().meta({ path: true }).describe(of)

export const share = (start: number, of: string) => weight(start, of, 1)

export const weight = (start: number, of: string, most = 1000) =>
  z.number().min(0).max(most).default(start).describe(of)

export const refuser = (context: z.RefinementCtx) => (param: string, message: string) =>
  context.addIssue({ code: 'custom', path: [param], message })

/** Norms that depend on the list alone; they need no lower bound of a search's scores. */
export const LIST_NORMS = ['none', 'minmax', 'zscore', 'dbsf'] as const satisfies readonly Norm[]

/** BM25 of strategies without params for it: Anserini's `k1` and `b`. */
export const BM25 = { k1: 0.9, b: 0.4, idf: 'lucene' } as const

export const bm25Shape = {
  k1: weight(BM25.k1, 'saturation of term frequency in a chunk: higher means later', 100),
  b: share(BM25.b, 'discount of long chunks'),
  idf: z
    .enum(['lucene', 'okapi'])
    .default(BM25.idf)
    .describe('ln(1 + (N-n+.5)/(n+.5)), or rank_bm25 ln((N-n+.5)/(n+.5))'),
  fields: z
    .record(z.string(), z.number().gt(0).max(1000))
    .refine(
      (fields) => Object.keys(fields).length > 0 && Object.keys(fields).every((name) => FIELD.test(name)),
      'must name fields: title, section, text, metadata.<name>',
    )
    .optional()
    .describe(
      'BM25F: weights of title, section, text and metadata.<name>, as {title: 2, text: 1}; by default, title and text are one text',
    ),
}

export function bm25Params({ k1, b, idf, fields }: z.output<z.ZodObject<typeof bm25Shape>>) {
  return { k1, b, idf, ...(fields && { fields }) }
}
