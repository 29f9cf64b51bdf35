import { z } from 'zod'
import { count } from '../steps/params.ts'
import { searchQuery } from '../steps/search.ts'
import { defineStrategy } from './index.ts'

/** score(chunk) = cos(embed(query), embed(title \n text)) */
export default defineStrategy({
  name: 'naive',
  summary: 'dense search: chunks by cosine to the query',
  source: 'Lewis et al., NeurIPS 2020; Karpukhin et al., EMNLP 2020',
  params: z.strictObject({ pool: count(100, 'chunks that the search returns', 10_000) }),
  make: ({ pool: depth }) => ({ retrieve: (query) => ({ ranking: searchQuery(query, depth) }) }),
})
