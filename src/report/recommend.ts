import type { Candidate, Costs, Excluded, Limits, Recommendation } from '../results/recommend.ts'
import type { Summary } from '../results/summary.ts'
import { measured, signOf } from './measured.ts'
import {
  corrected,
  dollarsInWords,
  equals,
  interval,
  milliseconds,
  plural,
  points,
  quantity,
} from './numbers.ts'
import { bracketed, countVerdicts, isIdentical, limitsInWords, lossesOf, lossInWords } from './outcome.ts'

interface RecommendationWords {
  readonly choice: string
  readonly because: string
  readonly costs: string
  /** Categories in which another strategy is far better; may be empty. */
  readonly losses: string
  /** Empty without another strategy. */
  readonly runnerUp: string
  /** Facts that would change the decision. */
  readonly changes: readonly string[]
}

export function recommendationWords(
  recommendation: Recommendation,
  summary: Summary,
  limits: Limits,
  /** Reason for unknown costs of indexing. */
  unknownIndex?: string,
): RecommendationWords {
  const { choice, runnerUp, members } = recommendation
  const others = members.filter((candidate) => candidate !== choice)
  const losses = lossesOf(
    [choice, ...others].map((candidate) => rivalOf(candidate, summary)),
    signOf(summary),
  )
  return {
    choice: choice.trial.name,
    because: because(recommendation, summary),
    costs: costsInWords(choice.costs),
    losses: losses.slice(0, 5).map(lossInWords).join('; '),
    runnerUp: runnerUp
      ? `${runnerUp.trial.name}: ${meanOf(runnerUp, summary)}; ${costsInWords(runnerUp.costs)}`
      : '',
    changes: [
      ...changes(recommendation, summary, limits),
      ...(unknownIndex ? [`Costs of indexing are unknown: ${unknownIndex}`] : []),
    ],
  }
}

export function recommendationText(words: RecommendationWords): string {
  const { choice, because, costs, losses, runnerUp, changes } = words
  return [
    `Take ${choice}. ${because}`,
    '',
    `Costs: ${costs}.`,
    `Where it loses: ${losses || 'nowhere; no other strategy is far better in a category of 10 queries or more'}.`,
    ...(runnerUp ? [`Runner-up: ${runnerUp}.`] : []),
    ...(changes.length > 0 ? ['', 'To change the decision:', ...changes.map((line) => `- ${line}`)] : []),
  ].join('\n')
}

function because(recommendation: Recommendation, summary: Summary): string {
  const { choice, leader, reason, cheaper, open, close, members, runnerUp, comparison, comparisons } =
    recommendation
  const mean = meanOf(choice, summary)
  const questions = `over ${plural(choice.trial.measures[summary.primary].n, 'question')}`
  const score = `${summary.primary} of ${mean} ${questions}`
  if (reason === 'only') return `It is the only strategy within the limits: ${score}. Nothing was compared.`
  const { name } = runnerUp?.trial ?? { name: '' }
  const test = comparison
    ? isIdentical(comparison)
      ? `It scores the same as ${name} on every query.`
      : comparison.untested
        ? `The difference from ${name}, ${points(comparison.difference)} points, is not tested (${comparison.untested}).`
        : `The difference from ${name} is ${points(comparison.difference)} points ${bracketed(limitsInWords(comparison))}, adjusted p ${equals(comparison.adjusted)} (paired test over ${plural(countVerdicts(comparison), 'query', 'queries')}, ${corrected(correctionOf(summary), [comparison])}, ${plural(comparisons, 'pair')}).`
    : ''
  if (reason === 'better')
    return `It is better than ${members.length === 2 ? 'the other strategy' : `each of the ${quantity(members.length - 1)} other strategies`}: ${score}. ${test}`
  const names = (some: readonly Candidate[]) => some.map(({ trial }) => trial.name).join(', ')
  const all = `Not significantly worse than the best mean: ${names(open)}.`
  if (reason === 'best mean')
    return `${all} It has the best mean, and no other is close to it: ${score}. ${test}`
  const why = cheaper
    ? `It is the cheapest of them by ${COSTS[cheaper].name}.`
    : 'The cheapest of them cost the same within a tenth. Of those it has the best mean.'
  const led = choice === leader ? '' : ` ${leader.trial.name} has the best mean, ${meanOf(leader, summary)}.`
  return `${all} Means close to the best: ${names(close)}. ${why} Its ${summary.primary} is ${mean} ${questions}.${led} ${test}`
}

function correctionOf({ comparison }: Summary): string {
  return comparison?.correction ?? 'max-t'
}

function meanOf({ trial }: Candidate, summary: Summary): string {
  const { mean, low, high } = trial.measures[summary.primary]
  return `${measured(summary, summary.primary, mean)} ${interval(low, high)}`.trim()
}

const gigabytes = (bytes: number) => `${(bytes / 1e9).toFixed(1)} GB`

const COSTS: {
  readonly [K in keyof Required<Costs>]: { readonly name: string; show(value: Required<Costs>[K]): string }
} = {
  indexModels: {
    name: 'language models at indexing',
    show: (uses) => `${uses ? 'a' : 'no'} language model at indexing`,
  },
  indexDollars: {
    name: 'dollars of indexing',
    show: (dollars) => (dollars > 0 ? `${dollarsInWords(dollars)} for indexing` : ''),
  },
  callTokens: {
    name: 'tokens of its own model calls',
    show: (tokens) => (tokens > 0 ? `${quantity(tokens)} of them by its own model calls` : ''),
  },
  tokens: { name: 'tokens of a query', show: (tokens) => `${quantity(tokens)} tokens a query` },
  dollars: {
    name: 'dollars of a query',
    show: (dollars) => `${dollarsInWords(1000 * dollars)} per 1,000 queries`,
  },
  p95: { name: 'p95', show: (time) => `p95 ${milliseconds(time)} ms` },
  memory: { name: 'memory', show: (bytes) => `about ${gigabytes(bytes)} of memory` },
}

const SHOWN = ['tokens', 'callTokens', 'dollars', 'p95', 'indexModels', 'indexDollars', 'memory'] as const

function costsInWords(costs: Costs): string {
  return SHOWN.flatMap((key) => {
    const value = costs[key]
    return value === undefined ? [] : [(COSTS[key].show as (value: unknown) => string)(value)]
  })
    .filter((words) => words !== '')
    .join(', ')
}

const DOUBTS = ['Synthetic questions', 'Stand-in embedder']

function changes(recommendation: Recommendation, summary: Summary, limits: Limits): string[] {
  const { choice, comparison, excluded } = recommendation
  return [
    moreQueries(comparison),
    ...limitChanges(choice, excluded, summary, limits),
    ...summary.findings.filter(({ about }) => DOUBTS.includes(about)).map(({ text }) => text),
  ].filter(Boolean)
}

/** Number of queries that would probably decide between choice and runner-up. */
function moreQueries(comparison: Recommendation['comparison']): string {
  if (comparison?.verdict !== 'cannot tell' || !comparison.detectable || comparison.difference === 0)
    return ''
  const needed = Math.ceil(comparison.n * (comparison.detectable / Math.abs(comparison.difference)) ** 2)
  if (needed <= comparison.n) return ''
  return `Ask more questions: if ${points(Math.abs(comparison.difference)).replace('+', '')} points is the true difference, about ${quantity(needed)} questions find it four times in five; there are ${quantity(comparison.n)}.`
}

/** Best excluded trial of each limit, if it has a better mean than the choice. */
function limitChanges(
  choice: Candidate,
  excluded: readonly Excluded[],
  summary: Summary,
  limits: Limits,
): string[] {
  const sign = signOf(summary)
  const mean = ({ trial }: Candidate) => sign * trial.measures[summary.primary].mean
  return (Object.keys(limits) as (keyof Limits)[]).flatMap((key) => {
    const [best] = excluded
      .filter(({ broken, unknown }) => [...broken, ...unknown].includes(key))
      .sort((a, b) => mean(b.candidate) - mean(a.candidate))
    if (!best || mean(best.candidate) <= mean(choice)) return []
    const { candidate, unknown } = best
    const value = unknown.includes(key)
      ? 'not measured'
      : (COSTS[key].show as (value: unknown) => string)(candidate.costs[key])
    return [
      `Raise the limit on ${COSTS[key].name}: ${candidate.trial.name} (${value}) has ${meanOf(candidate, summary)}, which was not tested here.`,
    ]
  })
}

function rivalOf({ trial }: Candidate, { primary }: Summary) {
  const groups = Object.entries(trial.categories).map(
    ([name, measures]) => [name, measures[primary]] as const,
  )
  return { name: trial.name, whole: trial.measures[primary], groups: Object.fromEntries(groups) }
}
