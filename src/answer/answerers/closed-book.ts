import { z } from 'zod'
import type { Talk } from '../../models/answers/talk.ts'
import { modelParams, pinPrompt } from '../../models/prompts/params.ts'
import { fillPrompt, ownPrompt } from '../../models/prompts/prompt.ts'
import { withoutMarks } from '../../text/passage-marks.ts'
import { defineAnswerer } from '../define.ts'

const HOLES = ['query']

/** What the model knows without a context: what retrieval must beat. */
export const closedBook = defineAnswerer({
  name: 'closed-book',
  summary: 'a language model answers without any context: one row, whatever the trials retrieve',
  source:
    'Roberts, Raffel and Shazeer, How Much Knowledge Can You Pack Into the Parameters of a Language Model?, EMNLP 2020',
  params: z.strictObject(modelParams(HOLES)),
  pin: pinPrompt(HOLES),
  closedBook: true,
  asks: ({ question }, { template = ownPrompt('answer-closed-book') }) => [
    { prompt: fillPrompt(template, { query: question }), calls: 1 },
  ],
  answer: (question, _, { template = ownPrompt('answer-closed-book'), repeat }, talk) =>
    (talk as Talk).text({ template, values: { query: withoutMarks(question) }, repeat }),
})
