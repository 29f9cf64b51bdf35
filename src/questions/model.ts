import { z } from 'zod'
import type { GoldSpan } from '../dataset/types.ts'
import { addTo } from '../maps.ts'
import type { Chat } from '../models/completions/chat.ts'
import { builtInPrompt } from '../models/prompts/prompt.ts'
import { createRandom, shuffle } from '../random.ts'
import { withoutMarks } from '../text/passage-marks.ts'
import type { Document } from '../types.ts'
import type { Draft, Dropped, MODEL_KINDS } from './draft.ts'
import { contentWords, goldFrom, nameKey, sectionsWithParagraphs } from './passages.ts'

export type ModelKind = (typeof MODEL_KINDS)[number]

/** Fewest words of a passage that a model drafts from, function words apart. */
export const FEWEST_WORDS = 20
/** Passages that the check of an unanswerable question sees. */
const CHECKED = 5

export interface Passage {
  readonly gold: GoldSpan
  readonly text: string
  /** Last heading above it, or the document's title. */
  readonly heading: string
}

/** Passages that are long enough to ask about, in the order of the corpus. */
export function passagesOf(documents: readonly Document[]): Passage[] {
  return documents.flatMap((document) =>
    sectionsWithParagraphs(document).flatMap(({ path, paragraphs }) =>
      paragraphs.flatMap((paragraph): Passage[] => {
        const gold = goldFrom(document, paragraph)
        if (!gold) return []
        const text = document.text.slice(gold.start, gold.end)
        return contentWords(text).length < FEWEST_WORDS
          ? []
          : [{ gold, text, heading: path.at(-1) || document.title }]
      }),
    ),
  )
}

/** Request to a model: a kind, its passages, and the voice of somebody who asks. */
export interface Task {
  readonly kind: ModelKind
  readonly passages: readonly Passage[]
  readonly persona?: string
}

/** Tasks at random, kinds and documents in turn; personas too, the first task without one if there are none. */
export function tasksOf(
  passages: readonly Passage[],
  {
    kinds,
    personas,
    count,
    seed,
  }: {
    readonly kinds: readonly ModelKind[]
    readonly personas: readonly string[]
    readonly count: number
    readonly seed: number
  },
): Task[] {
  const random = createRandom(seed)
  const byDocument = new Map<string, Passage[]>()
  for (const passage of shuffle([...passages], random)) addTo(byDocument, passage.gold.documentId, passage)
  const documents = [...byDocument.values()]
  const longest = documents.reduce((most, { length }) => Math.max(most, length), 0)
  // One passage of each document, then the next of each.
  const turns = Array.from({ length: longest }, (_, turn) =>
    documents.flatMap((passagesOfDocument) => passagesOfDocument.slice(turn, turn + 1)),
  ).flat()
  const tasks: Task[] = []
  for (const [index, passage] of turns.entries()) {
    if (tasks.length === count) break
    const kind = kinds[index % kinds.length]
    const others = kind === 'passages' ? (byDocument.get(passage.gold.documentId) ?? []) : turns
    const second =
      kind === 'passages' || kind === 'comparison'
        ? mostAlike(
            passage,
            others.filter((candidate) => apart(candidate, passage)),
          )
        : undefined
    if ((kind === 'passages' || kind === 'comparison') && !second) continue
    const persona = personas[tasks.length % Math.max(1, personas.length)]
    tasks.push({
      kind,
      passages: second ? [passage, second] : [passage],
      ...(persona !== undefined && { persona }),
    })
  }
  return tasks
}

function apart(a: Passage, b: Passage): boolean {
  return a !== b && nameKey(a.heading) !== nameKey(b.heading)
}

function mostAlike(passage: Passage, others: readonly Passage[]): Passage | undefined {
  const words = new Set(contentWords(passage.text))
  let best: { readonly other: Passage; readonly shared: number } | undefined
  for (const other of others) {
    const shared = new Set(contentWords(other.text).filter((word) => words.has(word))).size
    if (!best || shared > best.shared) best = { other, shared }
  }
  return best?.other
}

const PROMPTS = {
  fact: 'draft-fact',
  passages: 'draft-passages',
  comparison: 'draft-comparison',
  unanswerable: 'draft-unanswerable',
} as const satisfies Record<ModelKind, string>

const drafted = z.strictObject({ question: z.string(), answer: z.string().optional() })
const checked = z.strictObject({ answerable: z.boolean(), answer: z.string().optional() })

/** Words for what only the model saw, as "the given text" or "source 1". */
const SPEAKS_OF_PASSAGE =
  /\b(?:the|this|these|both|two|which|given|provided|above|following|first|second) (?:passages?|texts?|excerpts?)\b|\bsource \d/i

/**
 * Drafts one question and checks it by a second call that sees the question and passages alone: they must answer it. An unanswerable
 * question must have no answer in the passages of `all` that share most words with it.
 */
export async function draftWithModel(
  chat: Chat,
  task: Task,
  all: readonly Passage[],
): Promise<Draft | Dropped> {
  const { kind, passages, persona } = task
  const { question, answer } = await chat.json(
    {
      template: builtInPrompt(PROMPTS[kind]),
      values: {
        context: passages.length > 1 ? marked(passages) : withoutMarks(titled(passages[0])),
        persona: persona === undefined ? '' : `Ask as this person would: ${withoutMarks(persona)}. `,
      },
    },
    drafted,
  )
  const text = question.replace(/\s+/g, ' ').trim()
  const from = [...new Set(passages.map(({ gold }) => gold.documentId))]
  const draft: Draft = {
    kind,
    text,
    from,
    gold: kind === 'unanswerable' ? [] : passages.map(({ gold }) => gold),
    ...(kind !== 'unanswerable' && answer !== undefined && { answer }),
  }
  const drop = (reason: string): Dropped => ({ draft: { kind, text, from }, reason })
  if (contentWords(text).length < 2) return drop('it asks nothing')
  if (SPEAKS_OF_PASSAGE.test(text)) return drop('it speaks of the passage')
  const seen = kind === 'unanswerable' ? closest(text, all) : passages
  const verdict = await chat.json(
    { template: builtInPrompt('draft-check'), values: { query: withoutMarks(text), context: marked(seen) } },
    checked,
  )
  if (kind === 'unanswerable') return verdict.answerable ? drop('a passage of the corpus answers it') : draft
  return verdict.answerable ? draft : drop('its passages do not answer it, says the second call')
}

function closest(text: string, all: readonly Passage[]): Passage[] {
  const words = [...new Set(contentWords(text))]
  const scored = all.map((passage) => {
    const passageWords = new Set(contentWords(`${passage.heading} ${passage.text}`))
    return { passage, shared: words.filter((word) => passageWords.has(word)).length }
  })
  return scored
    .sort((a, b) => b.shared - a.shared)
    .slice(0, CHECKED)
    .map(({ passage }) => passage)
}

function titled({ heading, text }: Passage): string {
  return heading === '' ? text : `${heading}\n${text}`
}

function marked(passages: readonly Passage[]): string {
  return passages
    .map(
      (passage, index) =>
        `<passage kind="source ${index + 1}">\n${withoutMarks(titled(passage))}\n</passage>`,
    )
    .join('\n\n')
}
