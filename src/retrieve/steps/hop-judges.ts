import { z } from 'zod'
import { chunkColumns, chunkTexts } from '../../corpus/corpus.ts'
import type { Csr } from '../../corpus/graph/csr.ts'
import { findTitles, longestSpans, type Titles, titleLinks } from '../../corpus/graph/titles.ts'
import { analyzer, termCounts, termsOf } from '../../corpus/lexical/term-counts.ts'
import { oncePer } from '../../maps.ts'
import { rankMap } from '../../ranking/order.ts'
import { derived } from '../../store/artifact.ts'
import { hashFile } from '../../store/input.ts'
import { readYaml } from '../../store/yaml-input.ts'
import { entityKey, writtenKey } from '../../text/entity-key.ts'
import { withoutMarks } from '../../text/passage-marks.ts'
import { phraseTest } from '../../text/phrases.ts'
import { ratioFrom } from '../../text/similarity.ts'
import { countTokens } from '../../text/tokens.ts'
import type { Query, Ranking } from '../../types.ts'
import { defineStep, type StepFacts } from '../step.ts'
import { type Asked, defineAsking, passagesText } from './asking.ts'

/** Decision on the chunks so far; `missing` names what to look for, separated by commas. */
export interface HopDecision {
  /** The hop that would follow, from 1. */
  readonly hop: number
  readonly canAnswer: boolean
  readonly reasoning: string
  readonly missing: string
}

export const JUDGES = ['rules', 'links'] as const

/** Maximum linked headings of a verdict. */
const LINKED = 3

const decisionFacts = ({ hop, canAnswer, reasoning, missing }: HopDecision) => ({
  notes: {
    [`hop ${hop} can_answer`]: canAnswer ? 'yes' : 'no',
    [`hop ${hop} reasoning`]: reasoning,
    [`hop ${hop} missing_query`]: missing,
  },
})

/**
 * A judge by rules. Missing are titles in the question that no chunk so far has, its words that no chunk so far
 * contains, and with `links` the three titles with the rarest links to the chunks so far.
 */
export const judgeHop = defineStep({
  name: 'judge-hop',
  artifacts: (recipe, _: { readonly hop: number; readonly judge: (typeof JUDGES)[number] }) => ({
    analyze: analyzer(recipe),
    known: derived('known_terms', { terms: termsOf(termCounts(recipe)) }, ({ terms }) => new Set(terms)),
    links: titleLinks(recipe),
    texts: chunkTexts(recipe),
    titles: derived('titles', { chunks: chunkColumns(recipe, 'title') }, ({ chunks }) =>
      chunks.map(({ title }) => title),
    ),
  }),
  facts: decisionFacts,
  run([{ text }, { rows }]: [Query, Ranking], { params: { hop, judge }, artifacts }): HopDecision {
    const { analyze, known, links, texts, titles } = artifacts
    const foundWords = new Set(Array.from(rows, (row) => texts[row]).flatMap(analyze))
    const named = missingNames(text, links.titles, new Set(rows))
    const lacks = (word: string) => analyze(word).some((term) => known.has(term) && !foundWords.has(term))
    const words = [...new Set(text.split(/\s+/).filter(lacks))]
    const linked = judge === 'links' ? linkedRows(rows, links.csr).map((row) => titles[row]) : []
    const reasons = [
      named.length > 0 && `named, and no chunk of it: ${named.join('; ')}`,
      words.length > 0 && `in no chunk: ${words.join(' ')}`,
      linked.length > 0 && `linked: ${linked.join('; ')}`,
    ].filter((reason) => reason !== false)
    return {
      hop,
      canAnswer: reasons.length === 0,
      reasoning: reasons.join('. ') || 'a chunk of every title that is named, and every word, is there',
      missing: [...named, ...linked.map(withoutCommas), withoutCommas(words.join(' '))]
        .filter((part) => part !== '')
        .join(', '),
    }
  },
})

const withoutCommas = (text: string) => text.replace(/[,\s]+/g, ' ').trim()

function missingNames(text: string, titles: Titles, titled: ReadonlySet<number>): string[] {
  const spans = longestSpans(findTitles(text, titles))
  const keys = [...new Set(spans.map(({ key }) => key))]
  const missing = keys.filter((key) => !titles.rows.get(key)?.some((row) => titled.has(row)))
  return missing.map(writtenKey)
}

function linkedRows(rows: Uint32Array, { offsets, targets, weights }: Csr): number[] {
  const best = new Map<number, number>()
  rows.forEach((row, index) => {
    for (let at = offsets[row]; at < offsets[row + 1]; at++) {
      const weight = weights[at] / (1 + index)
      best.set(targets[at], Math.max(best.get(targets[at]) ?? 0, weight))
    }
  })
  for (const row of rows) best.delete(row)
  return [...rankMap(best, LINKED).rows]
}

type HopParams = Asked & { readonly hop: number }
type JudgeParams = HopParams & { readonly groups?: Groups; readonly filter?: boolean }

const VERDICT = z.strictObject({ can_answer: z.boolean(), reasoning: z.string(), missing_query: z.string() })

type HopReply = HopDecision & { readonly shown?: ShownGroups }

/** Seed document 002's judge: a model says if the chunks so far answer the question, and what is missing. */
export const askHopJudge = defineAsking({
  name: 'ask-hop-judge',
  artifacts: (recipe, _: JudgeParams) => ({ texts: chunkTexts(recipe) }),
  facts: ({ shown, ...decision }: HopReply): StepFacts => ({
    notes: {
      ...decisionFacts(decision).notes,
      ...(shown && { [`hop ${decision.hop} groups`]: shown.named.join(', ') || 'none named: all' }),
    },
    counts: shown ? { groupTokens: shown.tokens, groupTokensOfAll: shown.allTokens } : {},
  }),
  async ask(chat, [{ text }, { rows }]: [Query, Ranking], { params, artifacts }): Promise<HopReply> {
    const { hop, groups, filter = true } = params
    const shown = groups && showGroups(text, groups, filter)
    const said = await chat.json(VERDICT, {
      passages: passagesText(Array.from(rows, (row) => artifacts.texts[row])),
      ...(shown && { groups: shown.text }),
    })
    const missing = said.missing_query.trim()
    // A judge that misses nothing has nothing more to search for.
    const canAnswer = said.can_answer || missing === ''
    return { hop, canAnswer, reasoning: said.reasoning, missing, ...(shown && { shown }) }
  },
})

const ANSWERED = /\bthe answer is\b/i

/** IRCoT (Trivedi et al., ACL 2023): the model reads the chunks of all hops, not its chain of thought. */
export const askNextThought = defineAsking({
  name: 'ask-next-thought',
  artifacts: (recipe, _: HopParams) => ({ texts: chunkTexts(recipe) }),
  facts: decisionFacts,
  async ask(
    chat,
    [, { rows }]: [Query, Ranking],
    { params: { hop }, artifacts: { texts } },
  ): Promise<HopDecision> {
    const thought = await chat.text({ passages: passagesText(Array.from(rows, (row) => texts[row])) })
    return { hop, canAnswer: ANSWERED.test(thought), reasoning: thought, missing: thought }
  },
})

/**
 * The group filter of seed document 002 (its teams): a judge learns what belongs together in a corpus, but only the
 * groups that the question names; all of them where it names none.
 */

const NAMES = z.array(z.string().trim().min(1)).default([])

const GROUPS = z.record(
  z.string().trim().min(1),
  z.strictObject({ members: NAMES, abilities: NAMES, aliases: NAMES }),
)

type Groups = Readonly<
  Record<string, Readonly<Record<'members' | 'abilities' | 'aliases', readonly string[]>>>
>

export function readGroups(file: string): Groups {
  return readYaml(file, GROUPS, 'a list of groups').value
}

export function hashGroups(file: string | undefined): Readonly<Record<string, string>> {
  if (file === undefined) return {}
  readGroups(file)
  return { groups: hashFile(file) }
}

/** Minimum similarity of a group's name and words of the question, 0 to 1. */
const ALIKE = 0.8

/**
 * The groups that a text names, in their order: by a member, an ability or an alias as whole words in any case, or by
 * words that are alike to the group's name (ratio >= .8 of as many words, one more or one fewer).
 */
export function namedGroups(text: string, groups: Groups): string[] {
  const words = entityKey(text).split(' ')
  return testsOf(groups)
    .filter(({ isExact, key }) => isExact(text) || looksLike(key, words))
    .map(({ name }) => name)
}

const testsOf = oncePer((groups: Groups) =>
  Object.entries(groups).map(([name, { members, abilities, aliases }]) => ({
    name,
    key: entityKey(name),
    isExact: phraseTest([...members, ...abilities, ...aliases]),
  })),
)

function looksLike(name: string, words: readonly string[]): boolean {
  const length = name.split(' ').length
  return [length - 1, length, length + 1].some((size) =>
    words.some(
      (_, at) =>
        at + size <= words.length && ratioFrom(ALIKE, name, words.slice(at, at + size).join(' ')) > 0,
    ),
  )
}

interface ShownGroups {
  readonly text: string
  readonly named: readonly string[]
  /** Tokens of `text`, and of the whole list. */
  readonly tokens: number
  readonly allTokens: number
}

/** Groups in the judge's prompt: those that the question names if `filter` is set, otherwise all. */
export function showGroups(question: string, groups: Groups, filter: boolean): ShownGroups {
  const named = namedGroups(question, groups)
  const all = listed(Object.keys(groups), groups)
  const text = filter && named.length > 0 ? listed(named, groups) : all
  return { text, named, tokens: countTokens(text), allTokens: countTokens(all) }
}

function listed(names: readonly string[], groups: Groups): string {
  const kinds = ['members', 'abilities', 'aliases'] as const
  const lines = names.map((name) => {
    const parts = kinds.flatMap((kind) =>
      groups[name][kind].length > 0 ? [`${kind}: ${groups[name][kind].join(', ')}`] : [],
    )
    return [name, ...parts].join('; ')
  })
  return withoutMarks(lines.join('\n'))
}
