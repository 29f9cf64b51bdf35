import { z } from 'zod'
import { listOf } from '../../models/chat/json.ts'
import { modelParams, promptFiles } from '../../models/prompts/params.ts'
import { promptText } from '../../models/prompts/prompt.ts'
import { withoutMarks } from '../../text/passage-marks.ts'
import type { Query } from '../../types.ts'
import { defineAsking } from '../steps/asking.ts'
import { fuseSides } from '../steps/fuse.ts'
import { noRanking, queryAt, rankingAt } from '../steps/queries.ts'
import { modelValue } from '../steps/roles.ts'
import { defineStrategy } from './define.ts'

type Params = {
  readonly model: string
  readonly template: string
  readonly seed: number
  readonly count: number
}

const schema = (count: number) => z.strictObject({ queries: listOf(z.string(), count) })

/** Queries that a model makes of one: distinct, other than it, at most `count`. */
const askQueries = defineAsking({
  name: 'ask-queries',
  version: 1,
  notes: (queries: readonly string[]) => ({ queries: queries.join(' | ') }),
  async ask(
    chat,
    [{ text }]: readonly [Query],
    { params: { template, seed, count } }: { readonly params: Params },
  ): Promise<readonly string[]> {
    const values = { query: withoutMarks(text), count: String(count) }
    const { queries } = await chat.json({ template, values, seed }, schema(count))
    const distinct = [...new Set(queries.map((query) => query.trim()))]
    return distinct.filter((query) => query !== '' && query !== text).slice(0, count)
  },
})

const PROMPTS = { variations: 'fusion-queries', parts: 'sub-questions' } as const

const HOLES = ['query', 'count']

/** Constant added to ranks, as in the paper. */
const RRF_K = 60

const params = z.strictObject({
  of: z.string().min(1).describe('the trial that searches for each query, by name'),
  by: z
    .enum(['variations', 'parts'])
    .default('variations')
    .describe(
      'the question in other words (RAG-Fusion), or the questions that it is made of (decomposition)',
    ),
  queries: z
    .int()
    .min(1)
    .max(10)
    .default(4)
    .describe('maximum number of queries in addition to the question'),
  ...modelParams(HOLES),
})

/**
 * A model makes several queries of one; each is searched for by the same trial, and the rankings are fused with that of the
 * question: sum of 1 / (60 + rank). A question without variants keeps its ranking.
 */
export const ragFusion = defineStrategy({
  name: 'rag-fusion',
  summary: "a model's variations of a question, or its parts, each searched for and fused",
  source:
    'Rackauckas, RAG-Fusion (2024); parts: Press et al., Measuring and Narrowing the Compositionality Gap (EMNLP Findings 2023)',
  params,
  files: promptFiles(HOLES),
  retrieve({ query, params, inner }) {
    const { of, by, queries: count, model, seed, prompt } = params
    const own = inner(of, query)
    const queries = modelValue(
      askQueries([query], { model, seed, template: promptText(prompt, PROMPTS[by]), count }),
    )
    const nothing = noRanking([query], null)
    const others = Array.from({ length: count }, (_, index) => {
      const asked = queryAt([query, queries], { index })
      return rankingAt([queries, inner(of, asked).ranking, nothing], { index })
    })
    const sides = [own.ranking, ...others].map((ranking) => ({ ranking, weight: 1 }))
    return { ranking: fuseSides(sides, { fusion: 'rrf', rrfK: RRF_K }), evidence: own.evidence }
  },
})
