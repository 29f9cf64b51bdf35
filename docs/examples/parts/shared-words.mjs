export default ({ defineRankingTransform, indexes, steps, text, z }) => {
  const rerank = steps.defineStep({
    name: 'shared-words',
    version: 1,
    yields: 'ranking',
    artifacts: (recipe) => ({ chunks: indexes.chunks(recipe) }),
    run([ranking, query], { params, artifacts: { chunks } }) {
      const asked = new Set(text.tokenize(query.text))
      const shared = (row) => new Set(text.tokenize(chunks[row].text).filter((word) => asked.has(word))).size
      const scored = Array.from(ranking.rows.slice(0, params.from), (row) => [row, shared(row)])
      scored.sort(([a, x], [b, y]) => y - x || b - a)
      return {
        rows: Uint32Array.from(scored, ([row]) => row),
        scores: Float64Array.from(scored, ([, score]) => score),
      }
    },
  })
  return defineRankingTransform({
    name: 'shared-words',
    summary: 'the first chunks by how many words of the query they have',
    source: 'this file',
    params: z.strictObject({ from: z.int().min(1).default(20).describe('how many chunks are reranked') }),
    make: (params) => ({ rank: (ranking, query) => rerank([ranking, query], params) }),
  })
}
