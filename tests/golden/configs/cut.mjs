export default ({ defineRankingTransform, steps, z }) =>
  defineRankingTransform({
    name: 'cut',
    summary: 'the first chunks',
    source: 'this test',
    params: z.strictObject({ from: z.int().min(1).default(5).describe('how many') }),
    make: ({ from }) => ({
      rank: (ranking) =>
        steps.defineStep({
          name: 'cut',
          version: 1,
          yields: 'ranking',
          run: ([{ rows, scores }], { params }) => ({ rows: rows.slice(0, params), scores: scores.slice(0, params) }),
        })([ranking], from),
    }),
  })
