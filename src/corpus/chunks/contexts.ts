import { z } from 'zod'
import { together } from '../../models/completions/chat.ts'
import { createRegistry, resolve } from '../../registry.ts'
import { type Artifact, derived } from '../../store/artifact.ts'
import { sha256 } from '../../store/hash.ts'
import { headingPath } from '../../text/headings.ts'
import { withoutMarks } from '../../text/passage-marks.ts'
import { titledText } from '../../text/tokenize.ts'
import { cutTokens } from '../../text/tokens.ts'
import type { Chunk, Document } from '../../types.ts'
import { chunkColumns, textUnits } from '../corpus.ts'
import { modelParam, promptOf, promptParam } from '../graph/ask-chunks.ts'
import type { FromModel } from '../model-artifact.ts'
import { oncePerRecipe, type Recipe } from '../recipe.ts'
import { usable, type Writer, writtenByModel } from '../writer.ts'

/** One sentence per chunk row; null if the model's completion could not be parsed. */
type ChunkHeaders = readonly (string | null)[]

/** Text that is put before a chunk when it is searched and embedded; a language model may write a sentence of it. */
export interface ChunkContext<S extends z.ZodObject = z.ZodObject>
  extends Writer<S, SituatedCorpus, ChunkHeaders> {
  /** True if the prefix uses the title of the chunk's document. */
  readonly readsDocument?: true
  /**
   * Prefix of a chunk; '' for none. `beside` is the model's sentence or the title of the document, '' if there is none.
   */
  prefix(chunk: Pick<Chunk, 'title' | 'section'>, beside: string): string
}

interface SituatedCorpus {
  readonly chunks: readonly Chunk[]
  readonly documents: readonly Document[]
}

function defineContext<S extends z.ZodObject>(context: ChunkContext<S>): ChunkContext<S> {
  return context
}

const params = z.strictObject({})

const title = defineContext({
  name: 'title',
  version: 1,
  summary: "the chunk's title (the default)",
  params,
  prefix: ({ title }) => title,
})

const section = defineContext({
  name: 'section',
  version: 1,
  summary: "the path of headings down to the chunk; the chunk's title if there are no headings",
  params,
  prefix: headingPath,
})

const document = defineContext({
  name: 'document',
  version: 1,
  summary: "the title of the chunk's document and the path of headings down to the chunk",
  params,
  readsDocument: true,
  prefix({ section }, title) {
    const path = section[0] === title ? section : [title, ...section]
    return path.filter((name) => name !== '').join(' > ')
  },
})

const none = defineContext({
  name: 'none',
  version: 1,
  summary: 'no context: only the text',
  params,
  prefix: () => '',
})

/**
 * Contextual retrieval: a language model reads a document and a chunk of it and writes a sentence that situates the chunk;
 * the chunk's title, that sentence and the chunk's text are searched and embedded. The original has no titles. The model reads
 * the first `documentTokens` tokens of a document. A chunk whose completion cannot be parsed has only its title.
 * Anthropic, Introducing Contextual Retrieval (2024), https://www.anthropic.com/news/contextual-retrieval
 */
const llm = defineContext({
  name: 'llm',
  version: 1,
  summary: "the chunk's title, and a sentence by a language model that situates it (contextual retrieval)",
  params: z.strictObject({
    model: modelParam,
    documentTokens: z
      .int()
      .min(50)
      .max(1_000_000)
      .default(8000)
      .describe('maximum tokens of a document that the model reads, from its beginning'),
    prompt: promptParam('', '`{{document}}` stands for the document, `{{text}}` for the chunk'),
  }),
  files: ({ prompt }) => ({ prompt: sha256(templateOf(prompt)) }),
  ask(chat, { chunks, documents }, { documentTokens, prompt }) {
    const template = templateOf(prompt)
    const texts = new Map(
      documents.map((one) => [one.id, withoutMarks(cutTokens(titledText(one), documentTokens))]),
    )
    return together(chunks, ({ documentId, text }) => {
      const values = { document: texts.get(documentId) as string, text: withoutMarks(text) }
      return usable(async () => (await chat.text({ template, values })).replace(/\s+/g, ' '))
    })
  },
  prefix: ({ title }, sentence) => [title, sentence].filter((line) => line !== '').join('\n'),
})

export const contexts = createRegistry<ChunkContext>('context', [title, section, document, none, llm])

function templateOf(prompt: string | undefined): string {
  return promptOf(prompt, 'chunk-header', ['document', 'text'])
}

/** The context of a recipe and its params. */
export function headerContext(recipe: Recipe) {
  return resolve(contexts, recipe.context ?? { name: 'title', params: {} })
}

/** Sentences of a language model on each chunk; undefined if `prepare.context` uses no model. */
export const modelHeaders = oncePerRecipe((recipe: Recipe): Artifact<FromModel<ChunkHeaders>> | undefined => {
  const context = headerContext(recipe)
  return writtenByModel(recipe, context, {
    name: 'heard_headers',
    label: `context: ${context.definition.name}`,
    inputs: { chunks: textUnits(recipe), documents: recipe.documents },
    inputOf: (corpus) => corpus,
  })
})

/** Extra text for the context of each chunk; undefined if the context reads only the chunk. */
export function contextTexts(recipe: Recipe): Artifact<readonly string[]> | undefined {
  const heard = modelHeaders(recipe)
  if (heard)
    return derived('chunk_headers', { heard }, ({ heard }) => heard.value.map((sentence) => sentence ?? ''))
  if (!headerContext(recipe).definition.readsDocument) return undefined
  const inputs = { chunks: chunkColumns(recipe, 'documentId'), documents: recipe.documents }
  return derived('document_titles', inputs, ({ chunks, documents }) => {
    const titles = new Map(documents.map(({ id, title }) => [id, title]))
    return chunks.map(({ documentId }) => titles.get(documentId) as string)
  })
}
