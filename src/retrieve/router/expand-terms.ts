import { findTitles, longestSpans } from '../../corpus/graph/titles.ts'
import { ANCHORS, type TraversalIndex, traversalIndex } from '../../corpus/graph/traversal.ts'
import { entityKey } from '../../text/entity-key.ts'
import type { AnalyzerParams } from '../../text/tokenize.ts'
import type { Query } from '../../types.ts'
import { defineStep } from '../step.ts'
import type { Expansion, Term } from '../steps/traverse.ts'
import type { AskedTerms } from './ask-terms.ts'
import { intentOf, type Policies, ruledTerms } from './intents.ts'

export const EXPANDERS = ['rules', 'words'] as const

type Params = {
  readonly expander: (typeof EXPANDERS)[number]
  /** At most so many terms beside the question's own words. */
  readonly terms: number
  readonly policies: Policies
  readonly analysis: AnalyzerParams
}

/**
 * What to search for, all at once: names of the corpus (titles, entities, tags, traits) that stand in the question, terms
 * that rules add, what a model was asked for, and the question's own words in runs between stop words. Where nothing but the words is left to search
 * for, that is counted as `unexpanded`.
 */
export const expandTerms = defineStep({
  name: 'expand-terms',
  version: 1,
  artifacts: (recipe, { analysis }: Params) => ({ index: traversalIndex(recipe, analysis) }),
  counts: ({ terms }: Expansion) => ({ unexpanded: terms.every(({ from }) => from === 'words') ? 1 : 0 }),
  fellBack: ({ unread }) => (unread ? 'no terms of the model could be read' : null),
  run(
    [query, asked]: readonly [Query, AskedTerms?],
    { params: { expander, terms: limit, policies }, artifacts: { index } },
  ) {
    const text = query.lexical ?? query.text
    const { name, indexes, alpha } = intentOf(query.text, policies)
    const named = expander === 'rules' ? [...namesIn(text, index), ...added(text, policies)] : []
    for (const term of asked?.terms ?? []) named.push({ text: term, runs: index.runs(term), from: 'model' })
    const words = index.runs(text).map((run): Term => ({ text: run.join(' '), runs: [run], from: 'words' }))
    const terms = [...distinct(named).slice(0, limit), ...distinct(words)]
    return { intent: name, indexes, alpha, terms, ...(asked && { unread: asked.unread }) }

    function added(text: string, policies: Policies): Term[] {
      return ruledTerms(text, policies).map((term) => ({ text: term, runs: index.runs(term), from: 'rule' }))
    }
  },
})

/** Names of the corpus that stand in a text, in their order, the longest of those that overlap. */
function namesIn(text: string, { anchors, runs }: TraversalIndex): Term[] {
  const words = entityKey(text).split(' ')
  const spans = longestSpans(ANCHORS.flatMap((anchor) => findTitles(text, anchors[anchor])))
  return spans
    .sort((a, b) => a.start - b.start || b.words - a.words)
    .map(({ start, words: count }) => words.slice(start, start + count).join(' '))
    .filter((name) => runs(name).length > 0)
    .map((name) => ({ text: name, runs: runs(name), from: 'name' }))
}

function distinct(terms: readonly Term[]): Term[] {
  return [...new Map(terms.map((term) => [entityKey(term.text), term])).values()]
}
