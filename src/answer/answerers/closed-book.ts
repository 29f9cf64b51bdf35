import { z } from 'zod'
import type { Chat } from '../../models/completions/chat.ts'
import { modelParams, pinPromptFile } from '../../models/prompts/params.ts'
import { builtInPrompt, fillPrompt } from '../../models/prompts/prompt.ts'
import { withoutMarks } from '../../text/passage-marks.ts'
import { defineAnswerer } from '../define.ts'

const HOLES = ['query']

/** Answers from the model's own knowledge, without a context: the baseline that retrieval must beat. */
export const closedBook = defineAnswerer({
  name: 'closed-book',
  summary: 'a language model answers without any context: one row, whatever the trials retrieve',
  source:
    'Roberts, Raffel and Shazeer, How Much Knowledge Can You Pack Into the Parameters of a Language Model?, EMNLP 2020',
  params: z.strictObject(modelParams(HOLES)),
  pin: pinPromptFile(HOLES),
  closedBook: true,
  asks: ({ question }, { template = builtInPrompt('answer-closed-book') }) => [
    { prompt: fillPrompt(template, { query: question }), calls: 1 },
  ],
  answer: (question, _, { template = builtInPrompt('answer-closed-book'), seed }, chat) =>
    (chat as Chat).text({ template, values: { query: withoutMarks(question) }, seed }),
})
