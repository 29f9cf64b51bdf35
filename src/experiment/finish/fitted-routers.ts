import type { FittedRouter } from '../../config/experiment.ts'
import type { RoutingSummary } from '../../results/summary.ts'
import { intentOf, type Policies } from '../../retrieve/router/intents.ts'
import { artifactsBelow } from '../../store/artifact.ts'
import { artifactsOf, trialIndex } from '../plan/compile.ts'
import type { Part, PartRankings } from '../shard/parts.ts'
import type { Session } from '../shard/session.ts'
import { fitRouter } from './fit-router.ts'
import { type Merged, rankingsOf } from './merge.ts'
import { type ArmLists, type Features, rarityOf, routerFeatures } from './router-features.ts'
import type { Router } from './routing.ts'
import { queryPartNames } from './tuned-rows.ts'

export interface RoutedQueries extends Router {
  /** Trial by query; -1 for dev queries of a split. */
  readonly picked: Int32Array
  readonly optimism: number
  readonly fitted: NonNullable<RoutingSummary['fitted']>
}

/** Fits the config's routers with features from the parts, so shards do no extra work. */
export async function fitRouters(
  session: Session,
  merged: Merged,
  parts: readonly Part[],
): Promise<RoutedQueries[]> {
  const { routers, tuning } = session.plan.experiment
  if (tuning.kind === 'none' || routers.length === 0) return []
  const divided = { parts: queryPartNames(session.queries, tuning, session.clusters), kind: tuning.kind }
  const fitted: RoutedQueries[] = []
  for (const router of routers) fitted.push(await fitOne(router, session, merged, parts, divided))
  return fitted
}

async function fitOne(
  { name, arms: named, intents }: FittedRouter,
  session: Session,
  merged: Merged,
  files: readonly Part[],
  divided: { readonly parts: Uint8Array; readonly kind: 'folds' | 'split' },
): Promise<RoutedQueries> {
  const { plan, trials, queries, measures, store } = session
  const arms = named.map((arm) => ({ name: arm.name, trial: trialIndex(trials, arm.trial) }))
  const places = arms.map(({ trial }) => trial)
  const kept = await rankingsOf(session, places, files, merged)
  const lists = kept.map(
    (own, index): ArmLists => ({ name: arms[index].name, first: own.first, links: linksOf(own) }),
  )
  const rarity = await rarityOf(store, artifactsBelow(artifactsOf(arms.map(({ trial }) => trials[trial]))))
  const texts = queries.map(({ text }) => text)
  const known = intents ? kindsOf(texts, intents) : routerFeatures(texts, lists, rarity)
  const primary = measures.findIndex((measure) => measure.name === plan.experiment.compare.by)
  const values = arms.map(({ trial }) =>
    merged.values[primary].subarray(trial * merged.queries, (trial + 1) * merged.queries),
  )
  const { better } = measures[primary].metric
  const { picked, features, optimism } = fitRouter({
    features: known.rows,
    nominal: intents !== undefined,
    values,
    ...divided,
    better,
  })
  return {
    id: `tuned:${name}`,
    name,
    arms,
    chosen: Array.from(picked, (arm) => arms[arm]?.name ?? null),
    values: Float64Array.from(picked, (arm, query) => values[arm]?.[query] ?? Number.NaN),
    picked: picked.map((arm) => arms[arm]?.trial ?? -1),
    optimism,
    fitted: {
      offered: known.names.length,
      features: features.map((feature) => (feature === null ? null : known.names[feature])),
    },
  }
}

function kindsOf(texts: readonly string[], intents: Policies): Features {
  const names = [...intents.intents.map(({ name }) => name), intents.otherwise.name]
  return {
    names: ['intent'],
    rows: texts.map((text) => Float64Array.of(names.indexOf(intentOf(text, intents).name))),
  }
}

/** Null if the arm never reports links. */
function linksOf({ counters }: PartRankings): Float64Array | null {
  const links = counters?.map((own) => own?.links ?? null) ?? []
  return links.some((link) => link !== null) ? Float64Array.from(links, (link) => link ?? 0) : null
}
