import type { FittedRouter } from '../../config/experiment.ts'
import { artifactsOf, trialIndex } from '../../plan/compile.ts'
import { rarityOf } from '../../plan/describe-words.ts'
import type { RoutingSummary } from '../../results/summary.ts'
import type { FirstRanks } from '../../shard/first-ranks.ts'
import { type Part, type PartRankings, readRankings } from '../../shard/parts.ts'
import type { Session } from '../../shard/session.ts'
import { fitRouter } from '../../statistics/fitted-router.ts'
import { artifactsBelow } from '../../store/artifact.ts'
import type { Merged } from './merge.ts'
import { type ArmLists, routerFeatures } from './router-features.ts'
import type { Router } from './routing.ts'
import { partsOf } from './tuned-rows.ts'

/** A router that was fitted to what its arms retrieved, and whom it chose. */
export interface RoutedQueries extends Router {
  /** By query: the trial that was chosen, by index; -1 on a split's dev queries. */
  readonly picked: Int32Array
  readonly optimism: number
  readonly fitted: NonNullable<RoutingSummary['fitted']>
}

/** Fits the config's routers: features from the parts alone, so that they cost no shard anything. `parts` in order. */
export async function fitRouters(
  session: Session,
  merged: Merged,
  parts: readonly Part[],
): Promise<RoutedQueries[]> {
  const { routers, tuning } = session.plan.experiment
  if (tuning.kind === 'none' || routers.length === 0) return []
  const divided = { parts: partsOf(session.queries, tuning), kind: tuning.kind }
  const fitted: RoutedQueries[] = []
  for (const router of routers) fitted.push(await fitOne(router, session, merged, parts, divided))
  return fitted
}

async function fitOne(
  { name, arms: named }: FittedRouter,
  { plan, trials, queries, measures, store }: Session,
  merged: Merged,
  files: readonly Part[],
  divided: { readonly parts: Uint8Array; readonly kind: 'folds' | 'split' },
): Promise<RoutedQueries> {
  const arms = named.map((arm) => ({ name: arm.name, trial: trialIndex(trials, arm.trial) }))
  const kept: PartRankings[][] = []
  for (const file of files) {
    const read = await readRankings(
      file,
      arms.map(({ trial }) => trial),
    )
    kept.push(read)
  }
  const lists = arms.map((arm, index): ArmLists => {
    const own = kept.map((part) => part[index])
    return { name: arm.name, first: joined(own.map(({ first }) => first)), links: linksOf(own) }
  })
  const rarity = await rarityOf(store, artifactsBelow(artifactsOf(arms.map(({ trial }) => trials[trial]))))
  const texts = queries.map(({ text }) => text)
  const features = routerFeatures(texts, lists, rarity)
  const primary = measures.findIndex((measure) => measure.name === plan.experiment.compare.by)
  const values = arms.map(({ trial }) =>
    merged.values[primary].subarray(trial * merged.queries, (trial + 1) * merged.queries),
  )
  const { better } = measures[primary].metric
  const { picked, penalties, optimism } = fitRouter({ features: features.rows, values, ...divided, better })
  return {
    id: `tuned:${name}`,
    name,
    arms,
    chosen: Array.from(picked, (arm) => arms[arm]?.name ?? null),
    values: Float64Array.from(picked, (arm, query) => values[arm]?.[query] ?? Number.NaN),
    picked: picked.map((arm) => arms[arm]?.trial ?? -1),
    optimism,
    fitted: {
      models: penalties.length,
      routing: penalties.filter(Number.isFinite).length,
      features: features.names,
    },
  }
}

function joined(parts: readonly FirstRanks[]): FirstRanks {
  return {
    ranks: parts[0].ranks,
    counts: Uint8Array.from(parts.flatMap(({ counts }) => [...counts])),
    rows: Uint32Array.from(parts.flatMap(({ rows }) => [...rows])),
    scores: Float64Array.from(parts.flatMap(({ scores }) => [...scores])),
  }
}

/** How much each query linked; null where the arm never says. */
function linksOf(parts: readonly PartRankings[]): Float64Array | null {
  const links = parts.flatMap(({ first, counters }) =>
    Array.from(first.counts, (_, query) => counters?.[query]?.links ?? null),
  )
  return links.some((link) => link !== null) ? Float64Array.from(links, (link) => link ?? 0) : null
}
