export default ({ defineRankingTransform, indexes, steps, z }) => {
  const widen = steps.defineStep({
    name: 'neighbors',
    version: 1,
    yields: 'ranking',
    artifacts: (recipe) => ({ dense: indexes.dense(recipe), next: indexes.neighbors(recipe, 'entities') }),
    run([{ rows }, vector], { artifacts: { dense, next } }) {
      const found = [...new Set([...rows.slice(0, 3)].flatMap((row) => [row, ...next(row)]))]
      const cosines = dense.cosines(found, vector)
      const scored = found.map((row, place) => [row, cosines[place]])
      scored.sort(([a, x], [b, y]) => y - x || b - a)
      return {
        rows: Uint32Array.from(scored, ([row]) => row),
        scores: Float64Array.from(scored, ([, score]) => score),
      }
    },
  })
  return defineRankingTransform({
    name: 'neighbors',
    summary: 'the first chunks and those that share an entity with them, by cosine',
    source: 'this file',
    params: z.strictObject({}),
    make: () => ({ rank: (ranking, query) => widen([ranking, steps.embedQuery([query], null)], null) }),
  })
}
