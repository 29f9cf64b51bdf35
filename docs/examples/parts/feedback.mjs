export default ({ defineQueryTransform, indexes, steps, z }) => {
  const expand = steps.defineStep({
    name: 'feedback',
    version: 1,
    yields: 'query',
    artifacts: (recipe) => ({ bm25: indexes.bm25(recipe), chunks: indexes.chunks(recipe) }),
    run([query], { params, artifacts: { bm25, chunks } }) {
      const { rows } = bm25.search(query.text, params.chunks)
      const titles = Array.from(rows, (row) => chunks[row].title)
      return { ...query, text: [query.text, ...titles].join(' ') }
    },
  })
  return defineQueryTransform({
    name: 'feedback',
    summary: 'adds the titles of the first chunks to the query',
    source: 'Rocchio, 1971',
    params: z.strictObject({ chunks: z.int().min(1).default(2).describe('how many chunks') }),
    make: (params) => ({ rewrite: (query) => expand([query], params) }),
  })
}
