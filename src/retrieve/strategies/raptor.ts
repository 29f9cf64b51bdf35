import { z } from 'zod'
import { chunkSpans } from '../../corpus/corpus.ts'
import { denseIndex } from '../../corpus/dense/dense.ts'
import { collapseNodes, descendNodes, lift, type Tree, tree } from '../../corpus/summaries/tree.ts'
import type { Mask } from '../../ranking/mask.ts'
import { EMPTY_RANKING, rankPairs } from '../../ranking/order.ts'
import type { Evidence, Ranking } from '../../types.ts'
import { defineStep } from '../step.ts'
import { fallback } from '../steps/combine.ts'
import { count, pool } from '../steps/params.ts'
import { embedQuery, searchDense } from '../steps/search.ts'
import { defineStrategy } from './index.ts'

interface Read {
  readonly summaries: Pick<Ranking, 'rows' | 'scores'>
}

/** The summaries among the best nodes of all layers that fit into `tokens`, best first. `depth`: of the dense ranking. */
export const collapseTree = defineStep({
  name: 'collapse-tree',
  artifacts: (recipe, _: { readonly tokens: number; readonly depth: number }) => ({
    tree: tree(recipe),
    chunks: chunkSpans(recipe),
  }),
  run(
    [vector, dense]: [Float32Array, Ranking],
    { params: { tokens, depth }, artifacts: { tree, chunks } },
  ): Read {
    const tokensOf = {
      chunk: (row: number) => chunks[row].tokens,
      summary: (row: number) => tree.summaries[row].tokens,
    }
    const isCut = dense.rows.length === depth
    return { summaries: collapseNodes(dense, nodesOf(tree, vector), tokensOf, { tokens, isCut }) }
  },
})

const liftChunks = defineStep({
  name: 'lift-chunks',
  channel: 'graph',
  within: true,
  artifacts: (recipe, _: { readonly depth: number }) => ({ tree: tree(recipe), dense: denseIndex(recipe) }),
  run(
    [vector, ranked, { summaries }, mask]: [Float32Array, Ranking, Read, Mask?],
    { params: { depth }, artifacts: { tree, dense } },
  ) {
    return lift(tree, ranked, summaries, (rows) => dense.cosines(rows, vector), { depth, mask })
  },
})

export const descendTree = defineStep({
  name: 'descend-tree',
  artifacts: (recipe, _: { readonly nodes: number }) => ({ tree: tree(recipe) }),
  run: ([vector]: [Float32Array], { params: { nodes }, artifacts: { tree } }) =>
    descendNodes(tree, nodesOf(tree, vector), nodes),
})

export const rankSummaries = defineStep({
  name: 'rank-reached',
  channel: 'graph',
  within: true,
  artifacts: (recipe, _: { readonly depth: number }) => ({ dense: denseIndex(recipe) }),
  run(
    [vector, { chunks }, mask]: [Float32Array, { readonly chunks: readonly number[] }, Mask?],
    { params: { depth }, artifacts: { dense } },
  ) {
    const rows = chunks.filter((row) => mask?.kept[row] !== 0)
    return rankPairs(rows, dense.cosines(rows, vector), depth)
  },
})

export const citeSummaries = defineStep({
  name: 'cite-summaries',
  artifacts: (recipe) => ({ tree: tree(recipe) }),
  run: ([{ summaries }]: [Read], { artifacts: { tree } }): readonly Evidence[] =>
    Array.from(summaries.rows, (row) => {
      const { layer, text, tokens } = tree.summaries[row]
      return { kind: 'summary', id: `layer ${layer}, ${row}`, text, tokens }
    }),
})

/** All summaries by cosine, without those of which the embedder knows no word. */
function nodesOf({ summaries, index }: Tree, vector: Float32Array): Ranking {
  if (summaries.length === 0) return EMPTY_RANKING
  const [nodes] = index.search([vector], summaries.length)
  return nodes
}

export default defineStrategy({
  name: 'raptor',
  summary: 'searches chunks together with summaries of similar chunks, arranged in a tree',
  source: 'Sarthi et al., ICLR 2024',
  params: z.strictObject({
    search: z
      .enum(['collapsed', 'traversal'])
      .default('collapsed')
      .describe('collapsed: the whole tree as one list; traversal: layer by layer'),
    tokens: count(2000, 'o200k tokens of chunks and summaries that are read; collapsed', 1_000_000),
    lift: z
      .boolean()
      .default(true)
      .describe(
        'true if summaries raise their chunks; otherwise the ranking is that of dense search; collapsed',
      ),
    nodes: count(5, 'nodes selected in each layer; traversal'),
    pool: pool(),
  }),
  make: ({ search, tokens, lift, nodes, pool: depth }) => ({
    retrieve(query) {
      const vector = embedQuery([query])
      const dense = searchDense([vector], { depth })
      if (search === 'traversal') {
        const read = descendTree([vector], { nodes })
        const reached = rankSummaries([vector, read], { depth })
        return {
          ranking: fallback(reached, dense, 'no way leads down the tree'),
          evidence: citeSummaries([read]),
        }
      }
      const read = collapseTree([vector, dense], { tokens, depth })
      const ranking = lift ? liftChunks([vector, dense, read], { depth }) : dense
      return { ranking, evidence: citeSummaries([read]) }
    },
  }),
})
