const DAY = 86_400_000

/** A prior for recent chunks: score * 2 ^ (-age / halfLife), with the age before the newest chunk of the list. */
export default ({ defineRankingTransform, indexes, steps, z }) => {
  const decay = steps.defineStep({
    name: 'recency',
    version: 1,
    yields: 'ranking',
    artifacts: (recipe) => ({ chunks: indexes.chunks(recipe) }),
    run([{ rows, scores }], { params, artifacts: { chunks } }) {
      const dates = Array.from(rows, (row) => Date.parse(chunks[row].metadata.date))
      const newest = Math.max(...dates.filter(Number.isFinite))
      const factor = (date) => (Number.isFinite(date) ? 2 ** (-(newest - date) / DAY / params.halfLife) : 1)
      const scored = Array.from(rows, (row, place) => [row, scores[place] * factor(dates[place])])
      scored.sort(([a, x], [b, y]) => y - x || b - a)
      return {
        rows: Uint32Array.from(scored, ([row]) => row),
        scores: Float64Array.from(scored, ([, score]) => score),
      }
    },
  })
  return defineRankingTransform({
    name: 'recency',
    summary: 'halves a score with each half-life before the newest chunk of the list',
    source: 'exponential decay by the metadata `date`',
    params: z.strictObject({ halfLife: z.number().positive().default(365).describe('days') }),
    make: (params) => ({ rank: (ranking) => decay([ranking], params) }),
  })
}
