import { z } from 'zod'
import { FIELD } from '../../corpus/lexical/fields.ts'
import type { Norm } from '../../ranking/normalize.ts'
import { ANALYSIS, STEMMERS, STOPWORDS } from '../../text/tokenize.ts'

/** Params that several strategies share, so that one name means one thing with one range everywhere. */

export const pool = (chunks = 100) =>
  z.int().min(1).max(10_000).default(chunks).describe('chunks that each search returns')

export const damping = (probability: number) =>
  z
    .number()
    .min(0)
    .lt(1)
    .default(probability)
    .describe('probability of following an edge, else the walk restarts')

export const seed = (start: number, of: string) =>
  z
    .int()
    .min(0)
    .max(2 ** 32 - 1)
    .default(start)
    .describe(of)

export const bonus = (start: number, of: string) => z.number().min(0).max(1000).default(start).describe(of)

/** Norms that depend on the list alone; they need no lower bound of a search's scores. */
export const LIST_NORMS = ['none', 'minmax', 'zscore', 'dbsf'] as const satisfies readonly Norm[]

/** BM25 of strategies without params for it: Anserini's `k1` and `b`. */
export const BM25 = { k1: 0.9, b: 0.4, idf: 'lucene', ...ANALYSIS } as const

/** Params of a BM25 index and its text analysis. */
export const bm25Shape = {
  k1: z
    .number()
    .min(0)
    .max(100)
    .default(BM25.k1)
    .describe('saturation of term frequency in a chunk: higher means later'),
  b: z.number().min(0).max(1).default(BM25.b).describe('discount of long chunks'),
  idf: z
    .enum(['lucene', 'okapi'])
    .default(BM25.idf)
    .describe('ln(1 + (N-n+.5)/(n+.5)), or rank_bm25 ln((N-n+.5)/(n+.5))'),
  stemmer: z
    .enum(STEMMERS)
    .default(BM25.stemmer)
    .describe("stemmer: that of each word's language, or always Porter2"),
  stopwords: z
    .enum(STOPWORDS)
    .default(BM25.stopwords)
    .describe("stop words: those of each word's language, or always the English ones"),
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

/** The part of a strategy's params that makes its BM25 index. */
export function bm25Params<P extends z.output<z.ZodObject<typeof bm25Shape>>>({
  k1,
  b,
  idf,
  stemmer,
  stopwords,
  fields,
}: P) {
  return { k1, b, idf, stemmer, stopwords, ...(fields && { fields }) }
}
