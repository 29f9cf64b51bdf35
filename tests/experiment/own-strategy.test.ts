import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../temporary.ts'
import { runConfig, runOptions, writeConfig, writeTowns } from './experiments.ts'

/** A strategy of one's own whose last step gives `output`; `definition` are the step's other keys. */
function strategyOf(output: string, definition = ''): string {
  return `export default ({ defineStrategy, steps, z }) => defineStrategy({
  name: 'mine', summary: 's', source: 's', params: z.strictObject({}),
  retrieve({ query }) {
    const words = steps.searchBm25([query], { depth: 10, index: { k1: 0.9, b: 0.4, idf: 'lucene', stemmer: 'porter2', stopwords: 'english' } })
    const last = steps.defineStep({ name: 'last', version: 1, ${definition} run: ([ranking]) => ${output} })
    return { ranking: last([words], null) }
  },
})`
}

async function runMine(source: string) {
  const folder = temporaryFolder({ 'mine.mjs': source })
  writeTowns(join(folder, 'towns'))
  const config = writeConfig(folder, '[bm25, ./mine.mjs]')
  const outcome = await runConfig(config, join(folder, 'store'), runOptions(join(folder, 'run')))
  if (outcome.kind !== 'finished') throw new Error('did not finish')
  return outcome.summary
}

test('a step of one’s own may take a long fused list apart', async () => {
  const folder = temporaryFolder({
    'mine.mjs': `export default ({ defineStrategy, steps, z }) => defineStrategy({
  name: 'mine', summary: 's', source: 's', params: z.strictObject({}),
  retrieve({ query }) {
    const index = { k1: 0.9, b: 0.4, idf: 'lucene', stemmer: 'porter2', stopwords: 'english' }
    const words = steps.searchBm25([query], { depth: 200, index })
    const near = steps.searchDense([steps.embedQuery([query], null)], { depth: 200 })
    const twice = steps.defineStep({
      name: 'twice', version: 1, run: ([ranking]) => ({ ...ranking, scores: ranking.scores.map((score) => 2 * score) }),
    })
    const sides = [{ ranking: near, weight: 0.5 }, { ranking: words, weight: 0.5 }]
    return { ranking: twice([steps.fuseSides(sides, { fusion: 'rrf', rrfK: 60 })], null) }
  },
})`,
  })
  writeTowns(join(folder, 'towns'), { towns: 150 })
  const config = writeConfig(folder, '[{hybrid: {fusion: rrf, pool: 200}}, ./mine.mjs]')
  const outcome = await runConfig(config, join(folder, 'store'), runOptions(join(folder, 'run')))
  if (outcome.kind !== 'finished') throw new Error('did not finish')
  const [hybrid, mine] = outcome.summary.trials
  expect(mine.failures).toEqual([])
  expect(mine.measures['ndcg@10'].mean).toBe(hybrid.measures['ndcg@10'].mean)
})

describe('a strategy of one’s own that gives no ranking', () => {
  test.each([
    ['42', '', 'a ranking is {rows: Uint32Array, scores: Float64Array}; it is a number'],
    ['undefined', '', 'it is missing'],
    ['[1, 2]', '', 'it is an Array'],
    ['({})', '', 'rows is missing and scores is missing'],
    ['({ rows: [1], scores: [2] })', "yields: 'ranking',", 'rows is an Array and scores is an Array'],
    [
      '({ rows: new Uint32Array(2), scores: new Float64Array(1) })',
      '',
      'as many scores as rows, not 1 and 2',
    ],
    ['({ rows: Uint32Array.of(999), scores: Float64Array.of(1) })', '', 'row 999 is no chunk; there are 24'],
    ['({ rows: Uint32Array.of(3, 3), scores: Float64Array.of(1, 1) })', '', 'row 3 stands twice'],
    ['({ rows: Uint32Array.of(3), scores: Float64Array.of(NaN) })', '', 'the score of row 3 is NaN'],
    ['({ rows: Uint32Array.of(3, 4), scores: Float64Array.of(1, 2) })', '', 'a ranking is best first'],
    ['{ throw new Error("no idea") }', '', 'no idea'],
    ['null', "yields: 'query',", 'gave no query'],
    ['ranking', 'counts: () => { throw new Error("cannot count") },', 'cannot count'],
  ])('%s %s: every query failed and says why, the others stand', async (output, definition, reason) => {
    const { trials, dataset } = await runMine(strategyOf(output, definition))
    const [bm25, mine] = trials
    expect(bm25.failed).toBe(0)
    expect(mine.failed).toBe(dataset.queries)
    expect(mine.failures[0].step).toBe('last')
    expect(mine.failures[0].message).toContain(reason)
    expect(mine.measures['recall@5'].mean).toBe(0)
  })

  test('a block with too few answers, an arm that is not there, evidence that is none', async () => {
    const block = strategyOf('0').replace('run: ([ranking]) => 0', 'runBlock: () => []')
    expect((await runMine(block)).trials[1].failures[0].message).toContain('it is missing')
    const arm = strategyOf('0').replace('run: ([ranking]) => 0', 'pick: () => 7')
    expect((await runMine(arm)).trials[1].failures[0]).toMatchObject({
      step: 'last',
      message: 'picked arm 7; there are 0, counted from 0',
    })
    const evidence = strategyOf('7').replace(
      'ranking: last([words], null)',
      'ranking: words, evidence: last([words], null)',
    )
    const [, mine] = (await runMine(evidence)).trials
    expect(mine.failures[0].message).toBe(
      'the strategy mine.mjs gave no evidence: a list of {kind, id, text, tokens}',
    )
  })
})
