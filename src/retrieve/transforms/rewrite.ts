import { z } from 'zod'
import type { ChatOutcome } from '../../models/completions/chat.ts'
import { promptText } from '../../models/prompts/prompt.ts'
import type { Query } from '../../types.ts'
import { defineStep } from '../step.ts'
import { askAboutQuery, askParams, queryPrompt } from '../steps/ask-model.ts'
import { defineQueryTransform } from './define.ts'

const putRewritten = defineStep<null, [Query, ChatOutcome<string>], Record<never, never>, Query>({
  name: 'rewrite',
  version: 1,
  yields: 'query',
  run: ([{ id, metadata }, { value: text }]) => ({ id, text, metadata }),
})

/** A model writes the question anew; everything after it, dense and lexical, sees what it wrote. */
export const rewrite = defineQueryTransform({
  kind: 'query',
  name: 'rewrite',
  summary: 'a model rewrites the question; all searches read the new text',
  source: 'Ma et al., Query Rewriting in Retrieval-Augmented Large Language Models (EMNLP 2023)',
  params: z.strictObject(askParams),
  files: queryPrompt,
  apply({ query, params }) {
    const { model, seed } = params
    const said = askAboutQuery([query], { model, seed, template: promptText(params.prompt, 'rewrite') })
    return putRewritten([query, said], null)
  },
})
