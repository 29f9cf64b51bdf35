import { z } from 'zod'
import type { ChatOutcome } from '../../models/completions/chat.ts'
import { promptText } from '../../models/prompts/prompt.ts'
import type { Query } from '../../types.ts'
import { defineStep } from '../step.ts'
import { askAboutQuery, askParams, queryPrompt } from '../steps/ask-model.ts'
import { defineQueryTransform } from './define.ts'

const putPassage = defineStep<null, [Query, ChatOutcome<string>], Record<never, never>, Query>({
  name: 'hyde',
  version: 1,
  yields: 'query',
  run: ([query, { value: text }]) => ({ ...query, text, lexical: query.lexical ?? query.text }),
})

/**
 * Hypothetical document embeddings: a model writes a passage that might answer the question, and dense search looks for
 * passages near that one; lexical search keeps the question's words. One passage, where the paper averages the vectors of
 * several and the question's.
 * Gao, Ma, Lin and Callan, Precise Zero-Shot Dense Retrieval without Relevance Labels (ACL 2023).
 */
export const hyde = defineQueryTransform({
  kind: 'query',
  name: 'hyde',
  summary: 'dense search for passages near one that a model wrote to answer the question',
  source: 'Gao et al. 2023',
  params: z.strictObject(askParams),
  files: queryPrompt,
  apply({ query, params }) {
    const { model, seed } = params
    const said = askAboutQuery([query], { model, seed, template: promptText(params.prompt, 'hyde') })
    return putPassage([query, said], null)
  },
})
