import { z } from 'zod'
import type { ChatOutcome } from '../../models/completions/chat.ts'
import { promptText } from '../../models/prompts/prompt.ts'
import type { Query } from '../../types.ts'
import { defineStep } from '../step.ts'
import { askAboutQuery, askParams, queryPrompt } from '../steps/ask-model.ts'
import { defineQueryTransform } from './define.ts'

/** Repetitions of the query before the passage, for lexical search: n of the paper. */
const COPIES = 5

const appendPassage = defineStep<null, [Query, ChatOutcome<string>], Record<never, never>, Query>({
  name: 'query2doc',
  version: 1,
  yields: 'query',
  run([query, { value: text }]) {
    const words = query.lexical ?? query.text
    return {
      ...query,
      text: `${query.text} ${text}`,
      lexical: [...new Array<string>(COPIES).fill(words), text].join(' '),
    }
  },
})

/**
 * Query expansion with few-shot examples: the passage that a model writes is put behind the query. Lexical search reads
 * the query n times before it, so that its terms keep their weight: q+ = (q x n) d'; dense search reads q d'.
 * Wang, Yang and Wei, Query2doc: Query Expansion with Large Language Models (EMNLP 2023); n = 5.
 */
export const query2doc = defineQueryTransform({
  kind: 'query',
  name: 'query2doc',
  summary: 'expands the query by a passage that a model wrote after examples',
  source: 'Wang et al. 2023',
  params: z.strictObject(askParams),
  files: queryPrompt,
  apply({ query, params }) {
    const { model, seed } = params
    const said = askAboutQuery([query], { model, seed, template: promptText(params.prompt, 'query2doc') })
    return appendPassage([query, said], null)
  },
})
