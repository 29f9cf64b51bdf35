import { z } from 'zod'
import { listOf } from '../../models/chat/json.ts'
import { modelParams, promptFiles, promptText } from '../../models/prompts/prompt.ts'
import type { Query } from '../../types.ts'
import { type Asked, defineAsking } from '../steps/asking.ts'
import { fuseRanks, noRanking, queryAt, rankingAt } from '../steps/combine.ts'
import { count } from '../steps/params.ts'
import { defineStrategy } from './index.ts'

/** Queries that a model makes of one: distinct, other than it, at most `count`. */
const askQueries = defineAsking<Asked & { readonly count: number }, [Query], readonly string[]>({
  name: 'ask-queries',
  facts: (queries) => ({ notes: { queries: queries.join(' | ') } }),
  async ask(chat, [{ text }], { params: { count } }) {
    const form = z.strictObject({ queries: listOf(z.string(), count) })
    const { queries } = await chat.json(form, { count: String(count) })
    const distinct = [...new Set(queries.map((query) => query.trim()))]
    return distinct.filter((query) => query !== '' && query !== text).slice(0, count)
  },
})

const PROMPTS = { variations: 'fusion-queries', parts: 'sub-questions' } as const

const HOLES = ['query', 'count']

const params = z.strictObject({
  of: z.string().min(1).describe('the trial that searches for each query, by name'),
  by: z
    .enum(['variations', 'parts'])
    .default('variations')
    .describe(
      'the question in other words (RAG-Fusion), or the questions that it is made of (decomposition)',
    ),
  queries: count(4, 'maximum number of queries in addition to the question', 10),
  ...modelParams(HOLES),
})

export default defineStrategy({
  name: 'rag-fusion',
  summary: "a model's variations of a question, or its parts, each searched for and fused",
  source:
    'Rackauckas, RAG-Fusion (2024); parts: Press et al., Measuring and Narrowing the Compositionality Gap (EMNLP Findings 2023)',
  params,
  files: promptFiles(HOLES),
  make: (params) => ({
    retrieve(query, inner) {
      const { of, by, queries: count, model, seed, prompt } = params
      const first = inner(of, query)
      const queries = askQueries([query], { model, seed, template: promptText(prompt, PROMPTS[by]), count })
      const nothing = noRanking([query])
      const others = Array.from({ length: count }, (_, index) => {
        const variantQuery = queryAt([query, queries], { index })
        return rankingAt([queries, inner(of, variantQuery).ranking, nothing], { index })
      })
      return { ranking: fuseRanks([first.ranking, ...others]), evidence: first.evidence }
    },
  }),
})
