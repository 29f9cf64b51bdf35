export default ({ defineRankingTransform, steps, z }) =>
  defineRankingTransform({
    kind: 'ranking',
    name: 'cut',
    summary: 'the first chunks',
    source: 'this test',
    params: z.strictObject({ from: z.int().min(1).default(5).describe('how many') }),
    apply: ({ ranking, params }) =>
      steps.defineStep({
        name: 'cut',
        version: 1,
        yields: 'ranking',
        run: ([{ rows, scores }], { params }) => ({ rows: rows.slice(0, params), scores: scores.slice(0, params) }),
      })([ranking], params.from),
  })
