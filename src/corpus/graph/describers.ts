import { z } from 'zod'
import { BadCompletion } from '../../models/chat/json.ts'
import { type Chat, together } from '../../models/completions/chat.ts'
import { createRegistry } from '../../registry.ts'
import { sha256 } from '../../store/hash.ts'
import { withoutMarks } from '../../text/passage-marks.ts'
import { countTokens } from '../../text/tokens.ts'
import { modelParam, promptOf, promptParam } from './ask-chunks.ts'

/** An entity or a relationship with every distinct description of it, in the order in which chunks say them. */
export interface Described {
  readonly row: number
  /** What it is called in a sentence. */
  readonly names: string
  readonly pieces: readonly string[]
}

/** What a model makes of several descriptions, by row; null where no answer could be read. */
export type DescribedEntities = readonly (readonly [row: number, summary: string | null])[]

/** What becomes of several descriptions of one entity, or of one relationship. */
export interface Describer<S extends z.ZodObject = z.ZodObject> {
  readonly name: string
  /** Raised whenever the same descriptions and params would give others. */
  readonly version: number
  readonly summary: string
  readonly params: S
  /** SHA-256 of each file that the params name. Throws a UserError where one is missing. */
  files?(params: z.output<S>): Readonly<Record<string, string>>
  /** What a language model does, the one that the param `model` names; without, descriptions are joined. */
  readonly asks?: {
    /** Which are summarised; the others stay as they are joined. */
    isSummarized(pieces: readonly string[], params: z.output<S>): boolean
    summarize(chat: Chat, described: readonly Described[], params: z.output<S>): Promise<DescribedEntities>
  }
}

function defineDescriber<S extends z.ZodObject>(describer: Describer<S>): Describer<S> {
  return describer
}

const joined = defineDescriber({
  name: 'joined',
  version: 1,
  summary: 'distinct descriptions one after the other, cut (the default)',
  params: z.strictObject({}),
})

/**
 * GraphRAG's description summaries: where chunks say several things of one entity, or of one relationship, a language
 * model makes one description of them. What one call cannot read is folded: the summary so far, then the rest.
 * `minDescriptions: 8, minTokens: 1200` is when LightRAG asks; GraphRAG asks from two on. GraphRAG sorts the
 * descriptions; here they stand in the order of the chunks. Where an answer cannot be used, the descriptions stay joined.
 * Edge et al., From Local to Global: A Graph RAG Approach to Query-Focused Summarization (2024); Guo et al., LightRAG:
 * Simple and Fast Retrieval-Augmented Generation (2024).
 */
const llm = defineDescriber({
  name: 'llm',
  version: 1,
  summary: 'one summary of several descriptions, by a language model (GraphRAG, LightRAG)',
  params: z.strictObject({
    model: modelParam,
    minDescriptions: z.int().min(2).max(1000).default(2).describe('summarised from so many descriptions on'),
    minTokens: z
      .int()
      .min(1)
      .max(1_000_000)
      .default(1200)
      .describe('or where several have more tokens than this together'),
    inputTokens: z
      .int()
      .min(50)
      .max(1_000_000)
      .default(4000)
      .describe(
        'descriptions that one call reads, in tokens, two at least; with more, its summary is read with the rest',
      ),
    words: z.int().min(10).max(2000).default(500).describe('how long a summary may be, as the prompt says'),
    prompt: promptParam(
      '',
      '`{{descriptions}}` stands for them, `{{names}}` for whose they are, `{{words}}`',
    ),
  }),
  files: ({ prompt }) => ({ prompt: sha256(templateOf(prompt)) }),
  asks: {
    isSummarized: (pieces, { minDescriptions, minTokens }) =>
      pieces.length >= minDescriptions || (pieces.length > 1 && sum(pieces.map(countTokens)) > minTokens),
    summarize(chat, described, { inputTokens, words, prompt }) {
      const template = templateOf(prompt)
      return together(described, async ({ row, names, pieces }) => {
        const ask = (few: readonly string[]) => {
          const descriptions = few.map((piece) => `- ${piece.replace(/\s+/g, ' ').trim()}`).join('\n')
          return chat.text({
            template,
            values: {
              names: withoutMarks(names),
              descriptions: withoutMarks(descriptions),
              words: String(words),
            },
          })
        }
        try {
          return [row, await fold(pieces, inputTokens, ask)] as const
        } catch (error) {
          if (!(error instanceof BadCompletion)) throw error
          return [row, null] as const
        }
      })
    },
  },
})

/** Every way to describe what several chunks describe. */
export const describers = createRegistry<Describer>('description', [joined, llm])

function templateOf(prompt: string | undefined): string {
  return promptOf(prompt, 'summarize-descriptions', ['descriptions'])
}

/** One text of many: `ask` reads as many as have `tokens` together, two at least, and its answer comes before the rest. */
export async function fold(
  pieces: readonly string[],
  tokens: number,
  ask: (few: readonly string[]) => Promise<string>,
): Promise<string> {
  let rest = pieces
  do {
    let held = 0
    const end = rest.findIndex((piece, index) => {
      held += countTokens(piece)
      return held > tokens && index >= 2
    })
    const few = end < 0 ? rest : rest.slice(0, end)
    rest = [await ask(few), ...rest.slice(few.length)]
  } while (rest.length > 1)
  return rest[0]
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
