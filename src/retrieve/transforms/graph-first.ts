import { z } from 'zod'
import { membersOf } from '../../corpus/graph/csr.ts'
import { neighborhood } from '../../corpus/graph/neighbors.ts'
import { type Mask, maskOf, rowOutside } from '../../ranking/mask.ts'
import type { Ranking } from '../../types.ts'
import { defineStep } from '../step.ts'
import { graphInput } from '../steps/entities.ts'
import { linkEntities } from '../steps/link.ts'
import { count } from '../steps/params.ts'
import { embedGraphQuery } from '../steps/search.ts'
import { searchWithin } from '../steps/trial.ts'
import { defineRankingTransform } from './index.ts'

type Params = { readonly hops: number; readonly least: number }

/** Minimum cosine of a linked entity, as in LightRAG. */
const ABOVE = 0.2

interface Linked extends Mask {
  readonly all: boolean
}

const linkedChunks = defineStep({
  name: 'graph-first',
  isMask: true,
  artifacts: (recipe, _: Params) => graphInput(recipe),
  facts: ({ kept, rows, all }: Linked) => ({
    counts: { searchedShare: kept.length === 0 ? 0 : rows.length / kept.length },
    finds: { linkedGold: all ? [] : [rows] },
    fellBack: all ? 'too few chunks are linked' : null,
  }),
  run([{ rows }]: [Ranking], { params: { hops, least }, artifacts: { graph } }): Linked {
    const linkedRows = new Uint8Array(graph.entitiesOfChunk.offsets.length - 1)
    for (const { node } of neighborhood(graph.csr, rows, hops))
      for (const chunk of membersOf(graph.chunksOfEntity, node)) linkedRows[chunk] = 1
    const linked = maskOf(linkedRows)
    if (linked.rows.length >= least) return { ...linked, all: false }
    return { ...maskOf(linkedRows.fill(1)), all: true }
  },
})

/** Checks the steps, like check-filter. */
const keepLinked = defineStep<null, [Ranking, Mask], Ranking>({
  name: 'keep-linked',
  yields: 'ranking',
  run([ranking, mask]) {
    const row = rowOutside(ranking, mask)
    if (row !== undefined)
      throw new Error(`the chunk in row ${row} is ranked, and is not linked to the query`)
    return ranking
  },
})

/**
 * Counters: `linkedGold` is the number of queries with gold among the linked chunks, `searchedShare` their share of the
 * corpus.
 */
export default defineRankingTransform({
  name: 'graph-first',
  summary: 'searches only chunks that the graph links to the query',
  source: 'seed document 000, graph-first filtering',
  params: z.strictObject({
    entities: count(10, 'entities linked to the query'),
    hops: z.int().min(0).max(5).default(0).describe('maximum hops from linked entities to searched chunks'),
    least: count(10, 'minimum chunks; with fewer, all chunks are searched', 100_000),
  }),
  make: ({ entities, hops, least }) => ({
    rank(ranking, query) {
      const linked = linkEntities([embedGraphQuery(query)], { entities, above: ABOVE })
      const linkedMask = linkedChunks([linked], { hops, least })
      return keepLinked([searchWithin(linkedMask, 'corpus')(ranking), linkedMask])
    },
  }),
})
