import { z } from 'zod'
import { together } from '../../models/completions/chat.ts'
import { createRegistry } from '../../registry.ts'
import { sha256 } from '../../store/hash.ts'
import { withoutMarks } from '../../text/passage-marks.ts'
import { countTokens } from '../../text/tokens.ts'
import { usable, type Writer } from '../writer.ts'
import { modelParam, promptOf, promptParam } from './ask-chunks.ts'

/** Entity or relationship with its distinct descriptions in chunk order. */
export interface Described {
  readonly row: number
  /** Name, or the names of both ends joined by "and". */
  readonly names: string
  readonly pieces: readonly string[]
}

/** Summaries of several descriptions, by row; null if the completion could not be parsed. */
export type DescribedEntities = readonly (readonly [row: number, summary: string | null])[]

/** One value of entities, one of relationships. */
export interface OfBoth<T> {
  readonly entities: T
  readonly relationships: T
}

/** Combines several descriptions of an entity or a relationship; without a language model they stay joined. */
export type Describer<S extends z.ZodObject = z.ZodObject> = Writer<
  S,
  OfBoth<readonly Described[]>,
  OfBoth<DescribedEntities>
>

function defineDescriber<S extends z.ZodObject>(describer: Describer<S>): Describer<S> {
  return describer
}

const joined = defineDescriber({
  name: 'joined',
  version: 1,
  summary: 'distinct descriptions joined and cut (the default)',
  params: z.strictObject({}),
})

/**
 * GraphRAG's description summaries: a language model combines several descriptions of an entity or a relationship. Text
 * that does not fit into one call is folded: the summary so far, then the rest. LightRAG's thresholds are
 * `minDescriptions: 8, minTokens: 1200`; GraphRAG summarises from two on. GraphRAG sorts the descriptions; here they are in
 * chunk order. If the completion cannot be parsed, the descriptions stay joined.
 * Edge et al., From Local to Global: A Graph RAG Approach to Query-Focused Summarization (2024); Guo et al., LightRAG:
 * Simple and Fast Retrieval-Augmented Generation (2024).
 */
const llm = defineDescriber({
  name: 'llm',
  version: 1,
  summary: 'one summary of several descriptions, by a language model (GraphRAG, LightRAG)',
  params: z.strictObject({
    model: modelParam,
    minDescriptions: z
      .int()
      .min(2)
      .max(1000)
      .default(2)
      .describe('minimum number of descriptions to summarise'),
    minTokens: z
      .int()
      .min(1)
      .max(1_000_000)
      .default(1200)
      .describe('or minimum tokens of several descriptions together'),
    inputTokens: z
      .int()
      .min(50)
      .max(1_000_000)
      .default(4000)
      .describe(
        'maximum tokens of descriptions per call, at least two descriptions; further calls read the summary and the rest',
      ),
    words: z
      .int()
      .min(10)
      .max(2000)
      .default(500)
      .describe('maximum length of a summary, as written in the prompt'),
    prompt: promptParam(
      '',
      '`{{descriptions}}` stands for these, `{{names}}` for the entity or relationship, `{{words}}` for the length',
    ),
  }),
  files: ({ prompt }) => ({ prompt: sha256(templateOf(prompt)) }),
  async ask(chat, both, { minDescriptions, minTokens, inputTokens, words, prompt }) {
    const template = templateOf(prompt)
    const isSummarized = ({ pieces }: Described) =>
      pieces.length >= minDescriptions || (pieces.length > 1 && sum(pieces.map(countTokens)) > minTokens)
    const summarize = ({ row, names, pieces }: Described) => {
      const read = (few: readonly string[]) => {
        const descriptions = few.map((piece) => `- ${piece.replace(/\s+/g, ' ').trim()}`).join('\n')
        const values = { names: withoutMarks(names), descriptions: withoutMarks(descriptions) }
        return chat.text({ template, values: { ...values, words: String(words) } })
      }
      return usable(() => fold(pieces, inputTokens, read)).then((summary) => [row, summary] as const)
    }
    const [entities, relationships] = await together([both.entities, both.relationships], (described) =>
      together(described.filter(isSummarized), summarize),
    )
    return { entities, relationships }
  },
})

/** Built-in describers. */
export const describers = createRegistry<Describer>('description', [joined, llm])

function templateOf(prompt: string | undefined): string {
  return promptOf(prompt, 'summarize-descriptions', ['descriptions'])
}

/** Folds texts to one: `ask` reads as many as fit into `tokens`, at least two, and its result precedes the rest. */
export async function fold(
  pieces: readonly string[],
  tokens: number,
  ask: (few: readonly string[]) => Promise<string>,
): Promise<string> {
  let rest = pieces
  do {
    let used = 0
    const end = rest.findIndex((piece, index) => {
      used += countTokens(piece)
      return used > tokens && index >= 2
    })
    const few = end < 0 ? rest : rest.slice(0, end)
    rest = [await ask(few), ...rest.slice(few.length)]
  } while (rest.length > 1)
  return rest[0]
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
