import { z } from 'zod'
import type { Chat } from '../../models/completions/chat.ts'
import { modelParams, promptFiles, promptText } from '../../models/prompts/prompt.ts'
import { withoutMarks } from '../../text/passage-marks.ts'
import { contextParams, contextText, userAndContext, userParams } from '../context.ts'
import { defineAnswerer } from './index.ts'

const HOLES = ['query', 'context']

export default defineAnswerer({
  name: 'llm',
  summary: 'a language model answers from the passages only, cites them, or says that they do not answer',
  source:
    'retrieval-augmented generation: Lewis et al., NeurIPS 2020; citations: Gao et al., ALCE, EMNLP 2023',
  params: z.strictObject({
    ...modelParams(HOLES),
    ...contextParams,
    summary: z
      .string()
      .min(1)
      .optional()
      .describe(
        'a field of the metadata that contains a summary of the document or page; it precedes the text, with `page` of the metadata',
      ),
    ...userParams,
    suggest: z
      .boolean()
      .optional()
      .describe('let a refusal suggest a question that the passages answer; ignored with a custom prompt'),
  }),
  files: promptFiles(HOLES),
  make: ({ suggest, prompt, seed, userContext }) => ({
    answer(question, passages, chat) {
      const context = userAndContext(userContext, contextText(passages))
      const template = promptText(prompt, suggest ? 'answer-suggest' : 'answer')
      return (chat as Chat).text({ template, values: { query: withoutMarks(question), context }, seed })
    },
  }),
})
