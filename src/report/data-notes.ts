import type {
  CutSummary,
  IndexSummary,
  SearchedWords,
  Summary,
  TrialSummary,
  WordsSummary,
} from '../results/summary.ts'
import { UNSPACED } from '../text/scripts.ts'
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

/** One line per search that finds nothing for some queries because their words are not in the corpus. */
export function lostWordsLines(indexes: readonly Pick<IndexSummary, 'name' | 'words'>[]): string[] {
  return indexes.flatMap(({ name, words }) => {
    if (!words) return []
    const whose = indexes.length > 1 ? ` of ${name}` : ''
    return words.searches
      .filter(({ wordless, unknown }) => wordless + unknown > 0)
      .map(
        (search) =>
          `${search.name}${whose}: ${lossesOf(search)} (${readingOf(words)})${adviceOn(words, search)}.`,
      )
  })
}

function lossesOf({ queries, wordless, unknown }: SearchedWords): string {
  const all = plural(queries, 'judged query', 'judged queries')
  const why = [
    unknown > 0
      ? `${quantity(unknown)} of ${all}, which ${unknown === 1 ? 'shares' : 'share'} no word with the corpus`
      : '',
    wordless > 0
      ? `${quantity(wordless)} of ${all}, which ${wordless === 1 ? 'has' : 'have'} no word besides stop words`
      : '',
  ]
  return `finds nothing for ${why.filter(Boolean).join(', and for ')}`
}

function readingOf({ tokenizer, language, scripts }: WordsSummary): string {
  const named = [...new Set(scripts.flatMap(({ language }) => language ?? []))]
  const languages =
    language === 'none'
      ? 'none'
      : `${named.join(', ') || 'not recognised'}${language === 'auto' ? ' (auto)' : ''}`
  return `tokenizer ${tokenizer}, language ${languages}`
}

/** Suggests a tokenizer or language setting, or another cause. */
function adviceOn({ tokenizer, language, scripts }: WordsSummary, { unknown }: SearchedWords): string {
  const other =
    tokenizer === 'words' ? scripts.some(({ script }) => script in UNSPACED) : tokenizer !== 'auto'
  if (other) return '; try `prepare.tokenizer: auto`'
  const wrong = scripts.some(({ recognised, language }) => recognised !== null && recognised !== language)
  if (language !== 'auto' && wrong) return '; try `prepare.language: auto`'
  return unknown > 0 ? '; they may be in another language, in other words or misspelled' : ''
}

/** 'tokenizer auto; language auto: Han (98.1 % of the letters) chinese, Latin (1.9 %) treated as english; based on 240 texts'. */
export function wordsInWords({ tokenizer, language, scripts, texts }: WordsSummary): string {
  const parts = scripts.map(({ script, share, recognised, language }, index) => {
    const taken =
      language === null ? 'no language' : recognised === language ? language : `treated as ${language}`
    return `${script} (${percent(share)} %${index === 0 ? ' of the letters' : ''}) ${taken}`
  })
  return `tokenizer ${tokenizer}; language ${language}: ${parts.join(', ') || 'no letter'}; based on ${plural(texts, 'text')}`
}

/** A line for each model and kind of text that it truncates, with a remedy. */
export function cutTextLines(indexes: readonly Pick<IndexSummary, 'name' | 'cut'>[]): string[] {
  return indexes.flatMap(({ name, cut = [] }) =>
    cut.map(
      (one) => `${lossOf(one)}${indexes.length > 1 ? ` (${name})` : ''}. ${REMEDIES[one.what] ?? OTHER}`,
    ),
  )
}

function lossOf({ what, paired, model, limit, texts, cut, tokens, unread }: CutSummary): string {
  const are = cut === 1 ? 'is' : 'are'
  const reads = `the ${quantity(limit)} tokens that ${model} reads${paired ? ' of a chunk and a query of median length together' : ''}`
  return `${quantity(cut)} of ${quantity(texts)} ${what.replaceAll('_', ' ')} ${are} longer than ${reads}; ${percent(unread / tokens, 0)} % of their ${quantity(tokens)} tokens are not read`
}

const OTHER = 'A higher `maxTokens` helps if the model was trained for it.'

const REMEDIES: Readonly<Record<string, string>> = {
  chunks:
    'Use smaller chunks (`prepare.chunk`), or index small units of them (`prepare.index: {tokens: {size: 128}}`).',
  queries: 'The end of these queries has no effect. Use a model that reads longer texts, or a `rewrite`.',
}

/** Trials that are named; the report has all. */
const NAMED = 12

/** A line for each trial that used a fallback, most often first, and the lines on indexes. */
export function fallbackLines(summary: Summary): string[] {
  const { trials } = summary
  const fell = trials
    .filter(({ fallbacks }) => fallbacks.length > 0)
    .sort((a, b) => highestShare(b) - highestShare(a))
  const lines = fell
    .slice(0, NAMED)
    .map(
      ({ name, fallbacks }) =>
        `${name}: ${fallbacks.map(({ when, share }) => `${percent(share)} % of queries used the fallback (${when})`).join(', ')}`,
    )
  if (fell.length > NAMED)
    lines.push(`${plural(fell.length - NAMED, 'more trial')} used a fallback; the report lists all`)
  return [...lines, ...indexLines(summary)]
}

/**
 * A line for each filter that leaves queries nothing, graph that leaves out most chunks, search that does not know the words of
 * some queries, and model that reads only the beginning of some texts.
 */
export function indexLines(summary: Summary): string[] {
  const { trials, indexes } = summary
  const lines: string[] = []
  for (const { name, perQuery } of trials)
    if (perQuery.leftNothing > 0)
      lines.push(`${name}: the filter leaves no chunk for ${percent(perQuery.leftNothing)} % of queries`)
  for (const { name, perQuery } of trials)
    if (perQuery.cutPassages > 0)
      lines.push(
        `${name}: the reranker reads only the beginning of ${quantity(perQuery.cutPassages)} passages a query on average. ${REMEDIES.chunks}`,
      )
  lines.push(
    ...foundNothingLines(summary),
    ...thinGraphLines(indexes),
    ...wideGraphLines(summary),
    ...lostWordsLines(indexes),
    ...cutTextLines(indexes),
  )
  return lines
}

function highestShare({ fallbacks }: TrialSummary): number {
  return Math.max(...fallbacks.map(({ share }) => share))
}
