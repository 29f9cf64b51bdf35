import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Experiment } from '../../config/experiment.ts'
import { UserError } from '../../errors.ts'
import { changed } from '../../results/finished.ts'
import { FORMAT, type Format, requireFormat } from '../../results/format.ts'
import type { MeasureScale } from '../../results/summary.ts'
import { hashOf, unsealed } from '../../store/hash.ts'
import { VERSION } from '../../version.ts'
import { type CompiledTrial, rootsOf, withSeeds } from './compile.ts'
import { callPrices } from './spending.ts'

export interface Plan {
  readonly format: Format
  readonly version: string
  /** Hash of everything that decides the result; without paths, workers and shard size. */
  readonly hash: string
  readonly experiment: Experiment
  readonly dataset: PlannedDataset
  readonly store: string
  readonly shardSize: number
  readonly queries: number
  /** SHA-256 of the completions; absent if no trial calls a model. */
  readonly answers?: string
}

export interface StoredPlan extends Plan {
  readonly questions: Readonly<Record<string, string>>
  readonly trials: readonly { readonly name: string; readonly strategy: string }[]
  readonly scale: MeasureScale
}

interface PlannedDataset {
  readonly name: string
  readonly hash: string
  readonly documentsHash: string
  readonly judgedUnit: 'document' | 'chunk' | 'span'
}

/** Enough to share a dense scan, few enough to give every core several shards. */
export const SHARD_SIZE = 32

export const MAX_FINALISTS = 20

export function makePlan({
  trials,
  ...plan
}: Omit<Plan, 'format' | 'version' | 'hash'> & { readonly trials: readonly CompiledTrial[] }): Plan {
  const { experiment, dataset } = plan
  const { routers, depth, context, answering, judging, measures, metrics, tuning, compare, prices, seed } =
    experiment
  const hash = hashOf({
    format: FORMAT,
    version: VERSION,
    dataset: dataset.hash,
    judgedUnit: dataset.judgedUnit,
    trials: trials.map(({ id, name }) => ({ id, name })),
    ...(routers.length > 0 && {
      routers: routers.map(({ arms, ...router }) => ({ ...router, arms: [...arms] })),
    }),
    expressions: rootsOf(withSeeds(trials)).map(({ key }) => key),
    depth,
    context,
    ...(answering.length > 0 && { answering: answering.map(({ name, content }) => [name, content]) }),
    ...(judging.length > 0 && { judging: judging.map(({ name, content }) => [name, content]) }),
    measures,
    ...(experiment.sample && { sample: { ...experiment.sample } }),
    ...(metrics.length > 0 && {
      metrics: Object.fromEntries(metrics.map(({ name, sha256 }) => [name, sha256])),
    }),
    tuning: { ...tuning },
    compare: { ...compare },
    ...(prices && { prices: { ...prices }, callPrices: { ...callPrices(experiment) } }),
    seed,
    answers: plan.answers,
  })
  // `view` recognises an experiment's files by their first key.
  return { format: FORMAT, version: VERSION, hash, ...plan }
}

/** Throws a UserError if the plan is missing or of another version. */
export function readPlan(folder: string): StoredPlan {
  const file = join(folder, 'plan.json')
  let parsed: unknown
  try {
    parsed = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new UserError(`is not the plan of an experiment: ${reason}`, file)
  }
  requireFormat(file, parsed)
  const plan = unsealed(parsed) as StoredPlan | undefined
  if (plan === undefined) throw new UserError(changed(file))
  if (!plan.experiment)
    throw new UserError('is over several datasets; name the folder of one, below this one', file)
  return plan
}

/** Indexes of queries in id order; `end` excluded. */
export interface Shard {
  readonly begin: number
  readonly end: number
}

/** Every `count`-th shard, `number` from 1. */
export interface ShardShare {
  readonly number: number
  readonly count: number
}

export function shardsOf({ queries, shardSize }: Pick<Plan, 'queries' | 'shardSize'>): Shard[] {
  return Array.from({ length: Math.ceil(queries / shardSize) }, (_, shard) => {
    const begin = shard * shardSize
    return { begin, end: Math.min(begin + shardSize, queries) }
  })
}
