import { z } from 'zod'
import type { Talk } from '../../models/answers/talk.ts'
import { modelParams, pinPrompt } from '../../models/prompts/params.ts'
import { fillPrompt, ownPrompt } from '../../models/prompts/prompt.ts'
import { contextText } from '../context.ts'
import { contextParams, defineAnswerer } from '../define.ts'

const HOLES = ['query', 'context']

/** A language model's answer from numbered passages alone, with citations, or a refusal. */
export const llm = defineAnswerer({
  name: 'llm',
  summary: 'a language model answers from the passages alone, cites them, or says that they do not answer',
  source:
    'retrieval-augmented generation: Lewis et al., NeurIPS 2020; citations: Gao et al., ALCE, EMNLP 2023',
  params: z.strictObject({ ...modelParams(HOLES), ...contextParams }),
  pin: pinPrompt(HOLES),
  asks: ({ question, context }, { template = ownPrompt('answer') }) => [
    { prompt: fillPrompt(template, { query: question, context }), calls: 1 },
  ],
  answer(question, context, { template = ownPrompt('answer'), repeat }, talk) {
    const values = { query: question, context: contextText(context) }
    return (talk as Talk).text({ template, values, repeat })
  },
})
