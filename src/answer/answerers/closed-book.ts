import { z } from 'zod'
import type { Chat } from '../../models/completions/chat.ts'
import { modelParams, promptFiles, promptText } from '../../models/prompts/prompt.ts'
import { withoutMarks } from '../../text/passage-marks.ts'
import { defineAnswerer } from './index.ts'

const HOLES = ['query']

export default defineAnswerer({
  name: 'closed-book',
  summary: 'a language model answers without any context: one row, whatever the trials retrieve',
  source:
    'Roberts, Raffel and Shazeer, How Much Knowledge Can You Pack Into the Parameters of a Language Model?, EMNLP 2020',
  params: z.strictObject(modelParams(HOLES)),
  files: promptFiles(HOLES),
  make: ({ prompt, seed }) => ({
    closedBook: true,
    answer: (question, _, chat) =>
      (chat as Chat).text({
        template: promptText(prompt, 'answer-closed-book'),
        values: { query: withoutMarks(question) },
        seed,
      }),
  }),
})
