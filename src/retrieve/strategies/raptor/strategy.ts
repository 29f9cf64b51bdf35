import { z } from 'zod'
import { embedQuery } from '../../steps/embed.ts'
import { fallback } from '../../steps/fallback.ts'
import { pool } from '../../steps/params.ts'
import { searchDense } from '../../steps/search.ts'
import { defineStrategy } from '../define.ts'
import { citeSummaries, collapseTree, descendTree, liftChunks, rankSummaries } from './steps.ts'

/**
 * Search over a tree of summaries: chunks are clustered and summarised, the summaries again, and so on (`prepare.tree`).
 *
 *     collapsed  summaries of all layers and chunks by cosine, as many as `tokens` hold; a summary that is read lifts the
 *                chunks under it to its place
 *     traversal  the best `nodes` of the uppermost layer, of their children, ...; the chunks at the end by their cosine
 *
 * A summary is no passage: what is judged are the chunks, and the summaries ride along as evidence.
 */
export const raptor = defineStrategy({
  name: 'raptor',
  summary: 'searches chunks together with summaries of similar chunks, arranged in a tree',
  source: 'Sarthi et al., ICLR 2024',
  params: z.strictObject({
    search: z
      .enum(['collapsed', 'traversal'])
      .default('collapsed')
      .describe('collapsed: the whole tree as one list; traversal: layer by layer'),
    tokens: z
      .int()
      .min(1)
      .max(1_000_000)
      .default(2000)
      .describe('o200k tokens of chunks and summaries that are read; collapsed'),
    lift: z
      .boolean()
      .default(true)
      .describe(
        'true if summaries raise their chunks; otherwise the ranking is that of dense search; collapsed',
      ),
    nodes: z.int().min(1).max(1000).default(5).describe('nodes selected in each layer; traversal'),
    pool: pool(),
  }),
  retrieve({ query, params: { search, tokens, lift, nodes, pool: depth } }) {
    const vector = embedQuery([query], null)
    const dense = searchDense([vector], { depth })
    if (search === 'traversal') {
      const read = descendTree([vector], { nodes })
      const reached = rankSummaries([vector, read], { depth })
      return {
        ranking: fallback(reached, dense, 'no way leads down the tree'),
        evidence: citeSummaries([read], null),
      }
    }
    const read = collapseTree([vector, dense], { tokens, depth })
    const ranking = lift ? liftChunks([vector, dense, read], { depth }) : dense
    return { ranking, evidence: citeSummaries([read], null) }
  },
})
