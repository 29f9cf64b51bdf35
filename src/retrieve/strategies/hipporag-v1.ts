import { z } from 'zod'
import { hippoGraphV1 } from '../../corpus/graph/hippo-graph.ts'
import type { Reset } from '../../corpus/graph/pagerank.ts'
import { defineStep } from '../step.ts'
import { fallbackUnlinked } from '../steps/combine.ts'
import { type ReachedEntities, rankWalked, walkEntities } from '../steps/entities.ts'
import { hashNames, namesFile, queryNames } from '../steps/keywords.ts'
import { linkNames } from '../steps/link.ts'
import { damping, pool, projection } from '../steps/params.ts'
import { searchQuery } from '../steps/search.ts'
import { defineStrategy } from './index.ts'

/** HippoRAG 1: the linked phrases, each with the weight 1 / passages that hold it (node specificity). */
export const weighSpecificity = defineStep({
  name: 'weigh-specificity',
  artifacts: (recipe) => ({ graph: hippoGraphV1(recipe) }),
  run: ([{ rows }]: [ReachedEntities], { artifacts: { graph } }): Reset => ({
    nodes: rows,
    weights: Float64Array.from(rows, (row) => 1 / Math.max(1, graph.passagesPerPhrase[row])),
  }),
})

export default defineStrategy({
  name: 'hipporag-v1',
  summary:
    'ranks passages by a random walk (personalised PageRank) in a graph of phrases, from the names in the query',
  source: 'Gutiérrez et al., NeurIPS 2024; OSU-NLP-Group/HippoRAG',
  params: z.strictObject({
    names: namesFile(),
    damping: damping(0.5),
    projection: projection('sum'),
    pool: pool(),
  }),
  files: hashNames,
  make: ({ names, damping, projection, pool: depth }) => ({
    retrieve(query) {
      const reset = weighSpecificity([linkNames([queryNames(query, names)])])
      const entities = walkEntities([reset], { edges: 'synonyms', damping })
      const dense = searchQuery(query, depth)
      const ranking = rankWalked(entities, projection, depth)
      return { ranking: fallbackUnlinked(entities, ranking, dense, 'nothing is linked') }
    },
  }),
})
