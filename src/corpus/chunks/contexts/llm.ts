import { z } from 'zod'
import { promptParams, promptText } from '../../../models/prompts/prompt.ts'
import { derived } from '../../../store/artifact.ts'
import { sha256 } from '../../../store/hash.ts'
import { withoutMarks } from '../../../text/passage-marks.ts'
import { titledText } from '../../../text/tokenize.ts'
import { cutTokens } from '../../../text/tokens.ts'
import type { Chunk, Document } from '../../../types.ts'
import { textUnits } from '../../corpus.ts'
import type { Recipe } from '../../recipe.ts'
import type { AskEach } from '../../writer.ts'
import { writtenByModel } from '../../written.ts'
import { contextOf, defineContext } from './index.ts'

const HOLES = ['document', 'text']

/** Contextual retrieval (Anthropic, 2024), which has no titles. */
export default defineContext({
  name: 'llm',
  version: 1,
  summary: "the chunk's title, and a sentence by a language model that situates it (contextual retrieval)",
  params: z.strictObject({
    ...promptParams(HOLES),
    documentTokens: z
      .int()
      .min(50)
      .max(1_000_000)
      .default(8000)
      .describe('maximum tokens of a document that the model reads, from its beginning'),
  }),
  files: ({ prompt }) => ({ prompt: sha256(templateOf(prompt)) }),
  make(params) {
    const sentences = (recipe: Recipe) =>
      writtenByModel(recipe, contextOf(recipe), {
        label: 'context: llm',
        lost: 'chunks have no header',
        inputs: { chunks: textUnits(recipe), documents: recipe.documents },
        write: (corpus, askEach) => situate(corpus, params, askEach),
      })!
    return {
      prefix: ({ title }, sentence) => [title, sentence].filter((line) => line !== '').join('\n'),
      sentences,
      texts: (recipe) =>
        derived('chunk_headers', { written: sentences(recipe) }, ({ written }) =>
          written.value.map((sentence) => sentence ?? ''),
        ),
    }
  },
})

export function situate(
  { chunks, documents }: { readonly chunks: readonly Chunk[]; readonly documents: readonly Document[] },
  { documentTokens, prompt }: { readonly documentTokens: number; readonly prompt?: string | undefined },
  askEach: AskEach,
): Promise<readonly (string | null)[]> {
  const template = templateOf(prompt)
  const texts = new Map(
    documents.map((document) => [document.id, withoutMarks(cutTokens(titledText(document), documentTokens))]),
  )
  return askEach(chunks, async (chat, { documentId, text }) => {
    const values = { document: texts.get(documentId) as string, text: withoutMarks(text) }
    return (await chat.text({ template, values })).replace(/\s+/g, ' ')
  })
}

function templateOf(prompt: string | undefined): string {
  return promptText(prompt, 'chunk-header', HOLES)
}
