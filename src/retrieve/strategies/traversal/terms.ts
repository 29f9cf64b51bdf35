import { z } from 'zod'
import { findTitles, indexNames, longestSpans, type Titles } from '../../../corpus/graph/titles.ts'
import { ANCHORS, type TraversalIndex, traversalIndex } from '../../../corpus/graph/traversal.ts'
import { BadCompletion, listOf, Unasked } from '../../../models/chat/json.ts'
import { hashFile } from '../../../store/input.ts'
import { readYaml } from '../../../store/yaml-input.ts'
import { entityKey, spacedKey, writtenKey } from '../../../text/entity-key.ts'
import { oncePer } from '../../../text/once.ts'
import { withoutMarks } from '../../../text/passage-marks.ts'
import type { Query } from '../../../types.ts'
import { intentOf, type Policies, ruledTerms } from '../../router/intents.ts'
import { defineStep } from '../../step.ts'
import { defineAsking } from '../../steps/asking.ts'
import type { Expansion, Term } from './steps.ts'

/** A question and the terms that one would search for, shown to a model before it is asked for others. */
const example = z.strictObject({
  question: z.string().min(1).max(1000),
  terms: z.array(z.string().min(1).max(200)).min(1).max(50),
})

const examplesSchema = z.array(example).min(1).max(100)

type ExpansionExample = z.output<typeof example>

/** Built-in examples, independent of the corpus: a name that is just described, a procedure, a comparison. */
const OWN: readonly ExpansionExample[] = [
  {
    question: 'Who wrote the novel about the whale that Gregory Peck hunts in the film?',
    terms: ['Moby-Dick', 'Herman Melville', 'Gregory Peck', 'Moby Dick (1956 film)', 'Captain Ahab'],
  },
  {
    question: 'How do I make a function run again when the network fails?',
    terms: ['retry', 'exponential backoff', 'timeout', 'error handling', 'network error'],
  },
  {
    question: 'Is the train or the bus faster from the airport to the old town?',
    terms: ['airport train', 'airport bus', 'travel time', 'old town station', 'timetable'],
  },
]

const WHAT = 'examples of expanded questions'

/** The examples in a YAML or JSON file, a list of {question, terms}; those that come with Touchstone where it is left out. */
export function readExamples(path: string | undefined): readonly ExpansionExample[] {
  return path === undefined ? OWN : readYaml(path, examplesSchema, WHAT).value
}

/** SHA-256 of an examples file, by param. */
export function hashExamples(path: string | undefined): Readonly<Record<string, string>> {
  return path === undefined ? {} : { examples: hashFile(path, WHAT) }
}

type AskParams = {
  readonly model: string
  readonly template: string
  readonly seed: number
  /** At most so many. */
  readonly terms: number
  readonly policies: Policies
  readonly examples: readonly ExpansionExample[]
}

/** Terms that a model would search for; none, and why, where its answer could not be read. */
interface AskedTerms {
  readonly terms: readonly string[]
  readonly unread: string | null
}

const schema = (most: number) => z.strictObject({ terms: listOf(z.string(), most) })

/**
 * Terms for a question by one call of a model, which gets the question's intent and examples. An answer that cannot be
 * read gives none: the question's own words are searched for then, as without a model, and the query is counted.
 */
export const askTerms = defineAsking({
  name: 'ask-terms',
  version: 1,
  notes: ({ terms, unread }: AskedTerms) => ({ 'terms of the model': unread ?? terms.join(', ') }),
  async ask(
    chat,
    [{ text }]: readonly [Query],
    { params: { template, seed, terms: most, policies, examples } }: { readonly params: AskParams },
  ): Promise<AskedTerms> {
    const shown = examples.map(
      ({ question, terms }) => `Question: ${question}\n${JSON.stringify({ terms: terms.slice(0, most) })}`,
    )
    const values = {
      query: withoutMarks(text),
      intent: intentOf(text, policies).name,
      terms: String(most),
      examples: shown.join('\n\n'),
    }
    try {
      const { terms } = await chat.json({ template, values, seed }, schema(most))
      const named = terms.map((term) => term.trim().slice(0, LONGEST)).filter((term) => term !== '')
      return { terms: [...new Set(named)].slice(0, most), unread: null }
    } catch (error) {
      if (!(error instanceof BadCompletion) || error instanceof Unasked) throw error
      return { terms: [], unread: error.message }
    }
  },
})

/** Characters of a term. */
const LONGEST = 200

export const EXPANDERS = ['rules', 'words'] as const

type Params = {
  readonly expander: (typeof EXPANDERS)[number]
  /** Maximum number of terms in addition to the question's words. */
  readonly terms: number
  readonly policies: Policies
}

/**
 * Search terms of a question: names of the policies and of the corpus (titles, entities, tags, traits) in the question, terms
 * that rules or a model add, and the question's words in runs between stop words. A question with nothing but its words counts
 * as `unexpanded`.
 */
export const expandTerms = defineStep({
  name: 'expand-terms',
  version: 2,
  artifacts: (recipe, _params: Params) => ({ index: traversalIndex(recipe) }),
  counts: ({ terms }: Expansion) => ({ unexpanded: terms.every(({ from }) => from === 'words') ? 1 : 0 }),
  fellBack: ({ unread }) => (unread ? 'no terms of the model could be read' : null),
  run(
    [query, asked]: readonly [Query, AskedTerms?],
    { params: { expander, terms: limit, policies }, artifacts: { index } },
  ) {
    const text = query.lexical ?? query.text
    const { name, indexes, alpha } = intentOf(query.text, policies)
    const named = expander === 'rules' ? [...listed(), ...namesIn(text, index), ...added(text, policies)] : []
    for (const term of asked?.terms ?? []) named.push({ text: term, runs: index.runs(term), from: 'model' })
    const words = index.runs(text).map((run): Term => ({ text: run.join(' '), runs: [run], from: 'words' }))
    const terms = [...distinct(named).slice(0, limit), ...distinct(words)]
    return { intent: name, indexes, alpha, terms, ...(asked && { unread: asked.unread }) }

    function listed(): Term[] {
      return namesOf(text, [listedNames(policies)], index)
    }

    function added(text: string, policies: Policies): Term[] {
      return ruledTerms(text, policies).map((term) => ({ text: term, runs: index.runs(term), from: 'rule' }))
    }
  },
})

/** Names of the corpus in a text, in their order, the longest of those that overlap. */
function namesIn(text: string, index: TraversalIndex): Term[] {
  return namesOf(
    text,
    ANCHORS.map((anchor) => index.anchors[anchor]),
    index,
  )
}

/** Names of the policies. */
const listedNames = oncePer(({ names = {} }: Policies): Titles => indexNames([Object.values(names).flat()]))

function namesOf(text: string, titles: readonly Titles[], { runs }: TraversalIndex): Term[] {
  const words = spacedKey(text).split(' ')
  const spans = longestSpans(titles.flatMap((one) => findTitles(text, one)))
  return spans
    .sort((a, b) => a.start - b.start)
    .map(({ start, words: count }) => writtenKey(words.slice(start, start + count).join(' ')))
    .filter((name) => runs(name).length > 0)
    .map((name) => ({ text: name, runs: runs(name), from: 'name' }))
}

/** Terms in their order, each once: the first of those with the same key. */
function distinct(terms: readonly Term[]): Term[] {
  const keys = terms.map(({ text }) => entityKey(text))
  return terms.filter((_, place) => keys.indexOf(keys[place]) === place)
}
