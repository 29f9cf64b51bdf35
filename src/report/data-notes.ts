import type { IndexSummary, Summary, TrialSummary } from '../results/summary.ts'
import { percent, plural, quantity } from './numbers.ts'

const REMEDY = 'Check that corpus and labels use the same document ids.'

/** One line if no trial finds any gold, otherwise one for each run that finds none: its ids may differ. */
export function foundNothingLines({ trials, dataset }: Pick<Summary, 'trials' | 'dataset'>): string[] {
  const ran = trials.filter(({ failed }) => failed < dataset.queries)
  if (dataset.judged === 0 || ran.length === 0) return []
  if (ran.every(findsNothing)) return [`No trial finds a relevant passage for any query. ${REMEDY}`]
  return ran
    .filter((trial) => trial.strategy === 'run' && findsNothing(trial))
    .map(({ name }) => `${name}: none of its documents is relevant to any query. ${REMEDY}`)
}

function findsNothing({ funnel }: TrialSummary): boolean {
  return funnel.length > 0 && funnel.every(({ stage, lost }) => stage !== 'found' || lost === 0)
}

/** Share of the corpus above which neighbours say little, in corpora where that is more than `FEW` chunks. */
const WIDE = 0.05
const FEW = 20

/** One line per trial whose graph boost moves chunks that are near nearly everything, or chooses among equals. */
export function wideGraphLines({ trials, indexes }: Pick<Summary, 'trials' | 'indexes'>): string[] {
  return trials.flatMap(({ name, perQuery: { neighbors = 0, tiedAtLimit = 0 }, variant }) => {
    const chunks = indexes[variant]?.counts.chunks ?? 0
    const isMany = (number: number) => number > Math.max(FEW, WIDE * chunks)
    const share = (number: number) => `${percent(number / chunks)} % of the corpus`
    const found = [
      isMany(neighbors)
        ? `one of its best chunks has ${quantity(Math.round(neighbors))} neighbours on average (${share(neighbors)})`
        : '',
      isMany(tiedAtLimit)
        ? `${quantity(Math.round(tiedAtLimit))} chunks (${share(tiedAtLimit)}) tie at \`limit\` on average, and their row decides`
        : '',
    ].filter(Boolean)
    return found.length === 0
      ? []
      : [
          `${name}: ${found.join('; ')}. Nearness in this graph says little; choose \`relations\` or another \`over\` for graph-boost.`,
        ]
  })
}

type Counted = Pick<IndexSummary, 'name' | 'counts'>

/**
 * A line for each graph that leaves out most chunks: fewer than half of the chunks have an entity or a title link,
 * or fewer than half of the entities have a relationship.
 * Strategies over it mostly give what they start from, or nothing.
 */
export function thinGraphLines(indexes: readonly Counted[]): string[] {
  return indexes.flatMap(({ name, counts }) => {
    const whose = indexes.length > 1 ? ` of ${name}` : ''
    return [...entityLine(whose, counts), ...titleLine(whose, counts)]
  })
}

function entityLine(whose: string, counts: Counted['counts']): string[] {
  const { chunks, entities, relationships, isolatedEntities, isolatedChunks, entitiesPerChunk } = counts
  if (entities === 0) return [`The graph${whose} is empty: it has no entity, so nothing can be linked.`]
  if (entities === undefined) return []
  const size = `${plural(entities, 'entity', 'entities')} and ${plural(relationships, 'relationship')}`
  if (2 * isolatedChunks > chunks)
    return [
      `The graph${whose} covers few chunks: ${size}, ${quantity(entitiesPerChunk)} entities per chunk, and ${percent(1 - isolatedChunks / chunks)} % of the chunks have an entity. Graph strategies will mostly return their initial ranking, or nothing.`,
    ]
  if (!(2 * isolatedEntities > entities)) return []
  return [
    `The graph${whose} has few relationships: ${size}; ${percent(isolatedEntities / entities)} % of the entities have none. Strategies over relationships will mostly return their initial ranking, or nothing.`,
  ]
}

function titleLine(
  whose: string,
  { chunks, titleLinks, chunksWithoutTitleLink }: Counted['counts'],
): string[] {
  if (titleLinks === 0) return [`No passage${whose} mentions another's title: there are no title links.`]
  if (titleLinks === undefined || 2 * chunksWithoutTitleLink <= chunks) return []
  return [
    `The title links${whose} reach ${percent(1 - chunksWithoutTitleLink / chunks)} % of the chunks; title-ppr will mostly return its initial ranking.`,
  ]
}

/** Trials that are named; the report has all. */
const NAMED = 12

/** A line for each trial that used a fallback, most often first. */
export function fallbackLines({ trials }: Pick<Summary, 'trials'>): string[] {
  return trials
    .filter(({ fallbacks }) => fallbacks.length > 0)
    .sort((a, b) => highestShare(b) - highestShare(a))
    .map(
      ({ name, fallbacks }) =>
        `${name}: ${fallbacks.map(({ when, share }) => `${percent(share)} % of queries used the fallback (${when})`).join(', ')}`,
    )
}

/** The lines on fallbacks, the first few of many, and those on indexes. */
export function notedLines(summary: Summary): string[] {
  const lines = fallbackLines(summary)
  const more = lines.length - NAMED
  return [
    ...lines.slice(0, NAMED),
    ...(more > 0 ? [`${plural(more, 'more trial')} used a fallback; the report lists all`] : []),
    ...indexLines(summary),
  ]
}

/** A line for each filter that leaves queries nothing, graph that leaves out most chunks, and text without effect. */
export function indexLines(summary: Summary): string[] {
  const { trials, indexes, unread } = summary
  const lines: string[] = []
  for (const { name, perQuery } of trials)
    if (perQuery.leftNothing > 0)
      lines.push(`${name}: the filter leaves no chunk for ${percent(perQuery.leftNothing)} % of queries`)
  for (const { name, perQuery } of trials)
    if (perQuery.cutPassages > 0)
      lines.push(
        `${name}: the reranker reads only the beginning of ${quantity(perQuery.cutPassages)} passages a query on average. Use smaller chunks (\`prepare.chunk\`).`,
      )
  lines.push(
    ...foundNothingLines(summary),
    ...thinGraphLines(indexes),
    ...wideGraphLines(summary),
    ...unread.map((line) => `${line}.`),
  )
  return lines
}

function highestShare({ fallbacks }: TrialSummary): number {
  return Math.max(...fallbacks.map(({ share }) => share))
}
