import { z } from 'zod'
import { baseUrl } from '../models/http/params.ts'
import { dollarsPerMillion, LANGUAGE_MODELS, type Price } from '../models/prices.ts'
import { CORRECTIONS } from '../statistics/compare.ts'
import { PREPARE, type Preparation } from './prepare.ts'

/** Share of requests that may fail if a config does not say. */
export const FAILED_REQUESTS = 0.05

/**
 * Keys of a config: the source of validation, the JSON schema and the reference page. Choices are slots, filled by
 * registries.
 */

function slot(name: string): z.ZodUnknown {
  return z.unknown().meta({ slot: name })
}

const prepare = z.strictObject(
  Object.fromEntries(
    Object.entries<Preparation>(PREPARE).map(([key, { summary, otherwise, takes }]) => [
      key,
      slot(key)
        .optional()
        .describe(
          `${summary}: a choice${takes === 'one' ? '' : ' or a list of them'}${otherwise === undefined ? '' : `; default: \`${otherwise}\``}`,
        ),
    ]),
  ),
)

const seed = z
  .int()
  .min(0)
  .max(2 ** 32 - 1)

const compare = z.strictObject({
  by: z
    .string()
    .optional()
    .describe(
      'the primary measure; default: `recall@5` if it is measured, else the first measure with values from 0 to 1',
    ),
  answers: z
    .string()
    .optional()
    .describe(
      'measure of answers to compare by, or a judge; default: `answer_f1`, or `answer_grounded` without reference answers',
    ),
  baseline: z
    .string()
    .optional()
    .describe('the trial that others are compared with, by name or strategy; default: the first'),
  level: z.number().gt(0).lt(1).default(0.05).describe('significance level'),
  correction: z
    .enum(CORRECTIONS)
    .default('max-t')
    .describe(
      'correction of p-values and intervals for the size of the family; max-t resamples the whole family',
    ),
  family: z
    .enum(['best-per-strategy', 'all', 'pairs'])
    .default('best-per-strategy')
    .describe(
      "compared rows: each strategy's best trial with the baseline, all trials with it, or every pair of at most 20",
    ),
  margin: z
    .number()
    .gt(0)
    .lt(1)
    .optional()
    .describe(
      'rows are equivalent if the whole interval of their difference is within this margin; 0.01 is one point',
    ),
  cluster: z
    .string()
    .min(1)
    .optional()
    .describe(
      "queries that are sampled together: `gold` (they share a relevant id), `document` (they have gold in the same document), `category`, or a field of the queries' metadata; default: none",
    ),
  draws: z.int().min(100).max(1_000_000).default(10_000).describe('resamples of the bootstrap'),
  seed: seed.optional().describe("seed of the draws; default: the config's `seed`"),
})

const split = z.strictObject({
  dev: z.number().gt(0).lt(1).default(0.5).describe('share of the queries to choose on'),
  seed: seed.optional().describe("seed of the split; default: the config's `seed`"),
})

const latency = z.strictObject({
  queries: z.int().min(1).max(100_000).default(50).describe('queries that are timed'),
  repeats: z.int().min(1).max(1000).default(3).describe('times that each is measured'),
})

const prices = z.strictObject({
  model: z.string().min(1).describe('a name for the report'),
  input: dollarsPerMillion.describe('dollars per million tokens read'),
  output: dollarsPerMillion.describe('dollars per million tokens written'),
  date: z
    .string()
    .regex(/^\d{4}-\d\d-\d\d$/, 'must be a day as 2026-11-22')
    .optional()
    .describe('the day of the price'),
})

export const configSchema = z.strictObject({
  name: z
    .string()
    .regex(
      /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/,
      'must be a name for a folder: letters, digits, `.`, `_` and `-`, at most 100',
    )
    .optional()
    .describe("the experiment's name; default: the file's"),
  dataset: slot('dataset').describe(
    'a folder, or a map of one format to its params; a list of them is an experiment over several, with a macro mean',
  ),
  prepare: prepare
    .prefault({})
    .describe('preparation of the corpus; `{grid: [...]}` or `{grid: {label: ...}}` makes several variants'),
  trials: z
    .array(slot('trial'))
    .min(1)
    .describe('strategies by name, with params, grids and the transforms before and after'),
  runs: z
    .array(slot('run'))
    .default([])
    .describe(
      "other systems' runs as further trials: files (TREC, CSV, Parquet, JSON; `*` matches several), or maps of path and name; {trajectory: FILE} is an agent's calls",
    ),
  models: slot('models')
    .optional()
    .describe('language models by a name that you choose, each a provider and its params; roles name one'),
  rerankers: slot('rerankers')
    .optional()
    .describe('rerankers by a name that you choose, each a kind and its params; `rerank` names one'),
  engines: slot('engines')
    .optional()
    .describe(
      'external search engines by a name that you choose, each a kind and its params; `engine` in a trial names one',
    ),
  answer: slot('answer')
    .optional()
    .describe(
      "answerers that write answers from the finalists' chunks: one or a list, each with params and a grid; default: no answers",
    ),
  judge: slot('judge')
    .optional()
    .describe('LLM judges of the answers: one or a list, each with params and a grid'),
  budget: z
    .strictObject({
      dollars: z.number().gt(0).max(1e9).optional().describe('cost in dollars after which no call begins'),
      tokens: z
        .int()
        .min(1)
        .max(1e15)
        .optional()
        .describe('input and output tokens after which no call begins'),
      minutes: z
        .number()
        .gt(0)
        .max(1e6)
        .optional()
        .describe('minutes of calls after which no call begins; counted anew in every run'),
      failedRequests: z
        .number()
        .min(0)
        .max(1)
        .optional()
        .describe(
          `share of requests to language models that may fail, each failing its query or chunk; up to 20 always may; 20 in a row stop the run; 0 stops it at the first, 1 never; default: ${FAILED_REQUESTS}`,
        ),
    })
    .refine(
      (limits) => Object.keys(limits).length > 0,
      'needs `dollars`, `tokens`, `minutes` or `failedRequests`',
    )
    .optional()
    .describe(
      'limits of all model calls of the experiment; to continue, raise a limit and repeat the command',
    ),
  depth: z.int().min(1).max(10_000).default(100).describe('maximum number of ranks in a ranking'),
  context: z
    .strictObject({
      top: z
        .int()
        .min(1)
        .max(10_000)
        .optional()
        .describe(
          "number of first chunks sent to a model and counted in tokens, dollars and the Pareto front; default: the primary measure's cutoff, or 5",
        ),
    })
    .prefault({})
    .describe('chunks sent to a model for an answer'),
  measures: z
    .array(z.string())
    .min(1)
    .default(['recall@1', 'recall@5', 'recall@10', 'full_recall@5', 'mrr@10', 'ndcg@10'])
    .describe('measures, by name or by the file of a custom metric, as `./f1.mjs@5`'),
  folds: z
    .int()
    .min(2)
    .max(100)
    .optional()
    .describe(
      "cross-validation: choose trials on the other folds, score on this one; without folds or split, the winner's score is too optimistic",
    ),
  split: split.optional().describe('instead of folds: choose on dev, report on test'),
  compare: compare.prefault({}).describe('comparison of trials'),
  latency: z
    .union([z.literal(false), latency])
    .default(false)
    .describe('time the finalists after the run; `{}` for the defaults'),
  prices: z
    .union([z.enum(LANGUAGE_MODELS.map(({ model }) => model)), prices])
    .optional()
    .describe(
      'a language model whose price turns tokens into dollars in the report, or {model, input, output} in dollars per million tokens',
    ),
  track: z
    .strictObject({ mlflow: baseUrl.describe('address of an MLflow server') })
    .optional()
    .describe('server that receives the results after a run; changes no result'),
  seed: seed.default(0).describe('seed of everything random'),
})

export type RawConfig = z.output<typeof configSchema>

export function readPrices(price: RawConfig['prices']): Price | null {
  if (price === undefined) return null
  if (typeof price !== 'string') return { ...price, date: price.date ?? null, source: 'the config' }
  const listPrice = LANGUAGE_MODELS.find(({ model }) => model === price)
  if (!listPrice) return null
  const { model, input, output, date, source } = listPrice
  return { model, input, output, date, source }
}
