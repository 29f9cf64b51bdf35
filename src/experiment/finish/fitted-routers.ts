import type { FittedRouter } from '../../config/experiment.ts'
import type { RoutingSummary } from '../../results/summary.ts'
import { intentOf, type Policies } from '../../retrieve/router/intents.ts'
import { namesIn } from '../../retrieve/router/rules.ts'
import { type Artifact, artifactsBelow } from '../../store/artifact.ts'
import type { Store } from '../../store/store.ts'
import type { TermCounts } from '../../text/term-counts.ts'
import type { Analyzer } from '../../text/tokenize.ts'
import { allArtifactsOf, trialIndex } from '../plan/compile.ts'
import type { Part, PartRankings } from '../shard/parts.ts'
import type { FirstRanks } from '../shard/result.ts'
import { fitRouter } from './fit-router.ts'
import { rankingsOf } from './merge.ts'
import type { HeldOut, Router } from './routing.ts'
import type { Scored } from './rows.ts'

export interface RoutedQueries extends Router {
  /** Trial by query; -1 for dev queries of a split. */
  readonly picked: Int32Array
  readonly optimism: number
  readonly fitted: NonNullable<RoutingSummary['fitted']>
}

/** Fits the config's routers with features from the parts, so shards do no extra work. */
export async function fitRouters(scored: Scored, parts: readonly Part[]): Promise<RoutedQueries[]> {
  const { held, session } = scored
  if (!held) return []
  const fitted: RoutedQueries[] = []
  for (const router of session.plan.experiment.routers) fitted.push(await fitOne(router, scored, held, parts))
  return fitted
}

async function fitOne(
  { name, arms: named, intents }: FittedRouter,
  { session, merged, primary, valuesOf }: Scored,
  heldOut: HeldOut,
  parts: readonly Part[],
): Promise<RoutedQueries> {
  const { trials, queries, store } = session
  const arms = named.map((arm) => ({ name: arm.name, trial: trialIndex(trials, arm.trial) }))
  const places = arms.map(({ trial }) => trial)
  const rankings = await rankingsOf(session, places, parts, merged)
  const lists = rankings.map(
    (ranking, index): ArmLists => ({ name: arms[index].name, first: ranking.first, links: linksOf(ranking) }),
  )
  const rarity = await rarityOf(store, allArtifactsOf(arms.map(({ trial }) => trials[trial])))
  const texts = queries.map(({ text }) => text)
  const featureValues = intents ? kindsOf(texts, intents) : routerFeatures(texts, lists, rarity)
  const values = places.map((trial) => valuesOf(trial))
  const { picked, features, optimism } = fitRouter({
    features: featureValues.rows,
    nominal: intents !== undefined,
    values,
    ...heldOut,
    better: primary.metric.better,
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
      offered: featureValues.names.length,
      features: features.map((feature) => (feature === null ? null : featureValues.names[feature])),
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

function linksOf({ counters }: PartRankings): Float64Array | null {
  const links = counters?.map((counts) => counts?.links ?? null) ?? []
  return links.some((link) => link !== null) ? Float64Array.from(links, (link) => link ?? 0) : null
}

/**
 * Features of a fitted router, by query, all of them without gold:
 *
 *     query        number of words (log), of names, of words with a digit; share of Latin letters; if an arm looks up words,
 *                  highest and mean idf of its terms, and number of unknown terms
 *     each arm     first score, gaps from the first score to the second and to the fifth, number of chunks; mean overlap of
 *                  its first five with the other arms' first five, and share of the other arms with the same first chunk
 *     some arms    number of linked entities or titles (log)
 */
interface ArmLists {
  readonly name: string
  readonly first: FirstRanks
  readonly links: Float64Array | null
}

/** Idf of a text's terms; Infinity for an unknown one. */
type Rarity = (text: string) => readonly number[]

const FIRST = 5

interface Features {
  readonly names: readonly string[]
  readonly rows: readonly Float64Array[]
}

function routerFeatures(
  texts: readonly string[],
  arms: readonly ArmLists[],
  rarity: Rarity | null,
): Features {
  const names = [
    'words',
    'names',
    'numbers',
    'latin',
    ...(rarity ? ['rarest word', 'mean rarity', 'unknown words'] : []),
    ...arms.flatMap(({ name, links }) => [
      ...[
        'first score',
        'gap to the second',
        'gap to the fifth',
        'chunks',
        'shared first five',
        'same first',
      ].map((feature) => `${name}: ${feature}`),
      ...(links ? [`${name}: linked`] : []),
    ]),
  ]
  const rows = texts.map((text, query) =>
    Float64Array.from([
      ...ofText(text),
      ...(rarity ? ofTerms(rarity(text)) : []),
      ...arms.flatMap((arm) => ofArm(arm, arms, query)),
    ]),
  )
  return { names, rows }
}

function ofText(text: string): number[] {
  const words = text.match(/[\p{L}\p{N}]+/gu) ?? []
  return [
    Math.log1p(words.length),
    namesIn(text).length,
    words.filter((word) => /\p{N}/u.test(word)).length,
    latin(text),
  ]
}

function latin(text: string): number {
  const count = (letter: RegExp) => text.match(letter)?.length ?? 0
  return count(/\p{Script=Latin}/gu) / Math.max(1, count(/\p{L}/gu))
}

function ofTerms(rarities: readonly number[]): number[] {
  const finite = rarities.filter(Number.isFinite)
  return [
    Math.max(0, ...finite),
    finite.reduce((sum, value) => sum + value, 0) / Math.max(1, finite.length),
    rarities.length - finite.length,
  ]
}

function ofArm(arm: ArmLists, arms: readonly ArmLists[], query: number): number[] {
  const { first, links } = arm
  const count = first.counts[query]
  const score = (rank: number) => (rank < count ? first.scores[query * first.ranks + rank] : 0)
  const rows = firstRows(arm, query)
  const others = arms.filter((other) => other !== arm).map((other) => firstRows(other, query))
  const mean = (of: (other: readonly number[]) => number) =>
    others.reduce((sum, other) => sum + of(other), 0) / Math.max(1, others.length)
  return [
    score(0),
    score(0) - score(1),
    score(0) - score(FIRST - 1),
    count,
    mean((other) => rows.filter((row) => other.includes(row)).length / FIRST),
    mean((other) => (rows.length > 0 && rows[0] === other[0] ? 1 : 0)),
    ...(links ? [Math.log1p(links[query])] : []),
  ]
}

function firstRows({ first }: ArmLists, query: number): readonly number[] {
  const begin = query * first.ranks
  return [...first.rows.subarray(begin, begin + Math.min(FIRST, first.counts[query]))]
}

/** Artifacts with an index of words, the preferred first. */
const INDEXES = [['lexicon', 'field_lexicon'], ['lsa']]

/**
 * Inverse document frequencies of a text's terms, from the index of BM25 (or else LSA): ln(1 + (N - n + .5) / (n + .5))
 * for n of N texts, Infinity for an unknown term. Null without an index of words.
 */
async function rarityOf(
  store: Store,
  read: readonly Artifact<unknown>[],
): Promise<((text: string) => number[]) | null> {
  const [index] = INDEXES.flatMap((names) => read.filter(({ name }) => names.includes(name)))
  if (!index) return null
  const counts = new Map<string, number>()
  let texts = 0
  for (const artifact of artifactsBelow([index.inputs.counts])) {
    if (artifact.name !== 'term_counts') continue
    const { terms, offsets, lengths } = (await store.open(artifact)) as TermCounts
    texts = Math.max(texts, lengths.length)
    // Uses the field that has the term most often.
    for (const [term, word] of terms.entries())
      counts.set(word, Math.max(counts.get(word) ?? 0, offsets[term + 1] - offsets[term]))
  }
  const analyze = (await store.open(index.inputs.analyze)) as Analyzer
  return (text) =>
    [...new Set(analyze(text))].map((word) => {
      const n = counts.get(word)
      return n === undefined ? Number.POSITIVE_INFINITY : Math.log1p((texts - n + 0.5) / (n + 0.5))
    })
}
