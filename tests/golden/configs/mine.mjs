/** A strategy of one's own: dense search for the first half of the ranking, no package imported. */
export default ({ defineStrategy, steps, z }) =>
  defineStrategy({
    name: 'mine',
    summary: 'dense search, for the tests',
    source: 'tests',
    params: z.strictObject({ pool: z.int().min(1).default(10).describe('how many chunks') }),
    make: (params) => ({ retrieve: (query) => ({ ranking: steps.searchDense([steps.embedQuery([query], null)], { depth: params.pool }) }) }),
  })
