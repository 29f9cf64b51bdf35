import type { Finding, IndexSummary, Result, TrialSummary } from '../../results/summary.ts'
import type { Board } from '../board.ts'
import { queriesOf } from '../notes.ts'
import { percent, plural, quantity } from '../numbers.ts'
import { placeOf } from '../representatives.ts'
import { note, warning } from './finding.ts'

/** Findings on what trials read. */

const REMEDY = 'Check that corpus and labels use the same document ids.'

/** One finding if no trial finds gold, otherwise one for each such run. */
export function foundNothing(
  _: unknown,
  { trials, datasets }: Pick<Result, 'trials' | 'datasets'>,
): Finding[] {
  const ran = trials.filter(({ failed }) => failed < queriesOf(datasets))
  if (datasets.every(({ judged }) => judged === 0) || ran.length === 0) return []
  if (ran.every(findsNothing))
    return warning('No gold found', `No trial finds a relevant passage for any query. ${REMEDY}`)
  return ran
    .filter((trial) => trial.strategy === 'run' && findsNothing(trial))
    .flatMap(({ name }) =>
      warning('No gold found', `${name}: none of its documents is relevant to any query. ${REMEDY}`),
    )
}

function findsNothing({ funnel }: TrialSummary): boolean {
  return funnel.length > 0 && funnel.every(({ stage, lost }) => stage !== 'found' || lost === 0)
}

const NAMED = 12

/** Trials that used a fallback, most often first; a warning for the winner. */
export function fallbacks({ ranked }: Board, result: Result): Finding[] {
  const { trials } = result
  const winner = ranked[0] && trials[placeOf(result, ranked[0].id)]
  const highest = ({ fallbacks }: TrialSummary) => Math.max(...fallbacks.map(({ share }) => share))
  const fell = trials.filter(({ fallbacks }) => fallbacks.length > 0).sort((a, b) => highest(b) - highest(a))
  const more = fell.length - NAMED
  return [
    ...fell.slice(0, NAMED).flatMap((trial) => {
      const shares = trial.fallbacks.map(({ when, share }) => `${percent(share)} % of queries (${when})`)
      const text = `${trial.name} used a fallback on ${shares.join(' and ')}.`
      return (trial === winner ? warning : note)('Fallback', text)
    }),
    ...(more > 0 ? note('Fallback', `${plural(more, 'more trial')} used a fallback.`) : []),
  ]
}

export function cutQueries(_: unknown, { trials }: Result): Finding[] {
  return trials.flatMap(({ name, perQuery: { leftNothing = 0 } }) =>
    leftNothing > 0
      ? warning('Filter', `${name}: the filter leaves no chunk for ${percent(leftNothing)} % of queries.`)
      : [],
  )
}

/** Share, and number, of chunks above which neighbours say little. */
const WIDE = 0.05
const FEW = 20

/** Graph boosts that reach nearly all chunks, or choose among ties. */
export function wideGraphs(_: unknown, { trials, indexes }: Result): Finding[] {
  return trials.flatMap(({ name, perQuery: { neighbors = 0, tiedAtLimit = 0 }, variant }) => {
    const chunks = indexes[variant]?.counts.chunks ?? 0
    const isMany = (number: number) => number > Math.max(FEW, WIDE * chunks)
    const share = (number: number) => `${percent(number / chunks)} % of the corpus`
    const reasons = [
      isMany(neighbors)
        ? `one of its best chunks has ${quantity(Math.round(neighbors))} neighbours on average (${share(neighbors)})`
        : '',
      isMany(tiedAtLimit)
        ? `${quantity(Math.round(tiedAtLimit))} chunks (${share(tiedAtLimit)}) tie at \`limit\` on average, and their row decides`
        : '',
    ].filter(Boolean)
    if (reasons.length === 0) return []
    return warning(
      'Wide graph',
      `${name}: ${reasons.join('; ')}. Nearness in this graph says little; choose \`relations\` or another \`over\` for graph-boost.`,
    )
  })
}

type Counted = Pick<IndexSummary, 'name' | 'counts'>

/** Graphs over fewer than half of the chunks, or with relationships of fewer than half of the entities. */
export function thinGraphs(indexes: readonly Counted[]): Finding[] {
  return indexes.flatMap(({ name, counts }) => {
    const whose = indexes.length > 1 ? ` of ${name}` : ''
    const texts = [entityText(whose, counts), titleText(whose, counts)]
    return texts.flatMap((text) => warning('Thin graph', text))
  })
}

function entityText(whose: string, counts: Counted['counts']): string {
  const { chunks, entities, relationships, isolatedEntities, isolatedChunks, entitiesPerChunk } = counts
  if (entities === 0) return `The graph${whose} is empty: it has no entity, so nothing can be linked.`
  if (entities === undefined) return ''
  const size = `${plural(entities, 'entity', 'entities')} and ${plural(relationships, 'relationship')}`
  if (2 * isolatedChunks > chunks)
    return `The graph${whose} covers few chunks: ${size}, ${quantity(entitiesPerChunk)} entities per chunk, and ${percent(1 - isolatedChunks / chunks)} % of the chunks have an entity. Graph strategies will mostly return their initial ranking, or nothing.`
  if (!(2 * isolatedEntities > entities)) return ''
  return `The graph${whose} has few relationships: ${size}; ${percent(isolatedEntities / entities)} % of the entities have none. Strategies over relationships will mostly return their initial ranking, or nothing.`
}

function titleText(whose: string, counts: Counted['counts']): string {
  const { chunks, titleLinks, chunksWithoutTitleLink } = counts
  if (titleLinks === 0) return `No passage${whose} mentions another's title: there are no title links.`
  if (titleLinks === undefined || 2 * chunksWithoutTitleLink <= chunks) return ''
  return `The title links${whose} reach ${percent(1 - chunksWithoutTitleLink / chunks)} % of the chunks; title-ppr will mostly return its initial ranking.`
}

export const FAILURES = 'Failures'

/** Failed trials, answers and judges, each with the first reason. */
export function failures({ missing }: Board, { trials, datasets, answers }: Result): Finding[] {
  const all = queriesOf(datasets)
  const broken = trials
    .filter(({ failed }) => failed > 0)
    .map(({ name, failed, failures: [first] }) => {
      const often =
        failed === all ? 'every query' : `${quantity(failed)} of ${plural(all, 'query', 'queries')}`
      return `${name} failed on ${often}; first on ${first?.query}, in the step ${first?.step}: ${first?.message}`
    })
  const unanswered = (answers?.rows ?? [])
    .filter(({ failed }) => failed > 0)
    .map(
      ({ answerer, trial, failed, failures }) =>
        `${answerer} gave no answer ${trial ? `from ${trial.name} ` : ''}to ${quantity(failed)} of ${plural(all, 'question')}; ${firstOf(failures)}`,
    )
  const unjudged = (answers?.judges ?? [])
    .filter(({ failed }) => failed > 0)
    .map(
      ({ name, failed, failures }) =>
        `${name} gave no verdict on ${plural(failed, 'answer')}; ${firstOf(failures)}`,
    )
  const lines = [...broken, ...unanswered, ...unjudged]
  if (lines.length > NAMED) lines.splice(NAMED, lines.length, `${quantity(lines.length - NAMED)} more failed`)
  if (missing.length > 0) lines.push(`No macro mean (every query failed): ${missing.join(', ')}`)
  return lines.flatMap((line) => warning(FAILURES, line))
}

function firstOf([{ query, message }]: readonly { readonly query: string; readonly message: string }[]) {
  return `first on ${query}: ${message}`
}
