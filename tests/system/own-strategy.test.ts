import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { runConfig, runOptions, writeConfig, writeTowns } from '../experiment/experiments.ts'
import { temporaryFolder } from '../temporary.ts'

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
    [
      '({ rows: Uint32Array.of(999), scores: Float64Array.of(1) })',
      '',
      'row 999 is not a chunk; there are 24',
    ],
    ['({ rows: Uint32Array.of(3, 3), scores: Float64Array.of(1, 1) })', '', 'row 3 is in the ranking twice'],
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

/** What a step of one's own may do to what it was given. */
const SPOIL = `(given) => {
  const { rows, scores } = given
  rows.sort()
  scores.fill(0)
}`

describe('a step of one’s own that changes its input', () => {
  test.each([
    ['alone', `run: ([ranking]) => { (${SPOIL})(ranking); return ranking }`],
    ['in a block', `runBlock: (block) => block.map(([ranking]) => { (${SPOIL})(ranking); return ranking })`],
    ['later', `run: async ([ranking]) => { await null; (${SPOIL})(ranking); return ranking }`],
    ['picking', `pick: (first) => { (${SPOIL})(first); return 0 }`],
  ])('%s: the numbers of the others are those without sharing', async (_, run) => {
    const source = strategyOf('0').replace('run: ([ranking]) => 0', run)
    const folder = temporaryFolder({ 'mine.mjs': source.replace('[words], null', '[words, words], null') })
    writeTowns(join(folder, 'towns'))
    const means = []
    // First: what comes after it reads what it left.
    for (const sharing of [true, false]) {
      const config = writeConfig(folder, '[./mine.mjs, {bm25: {pool: 10}}]')
      const options = runOptions(join(folder, `run-${sharing}`), { sharing })
      const outcome = await runConfig(config, join(folder, 'store'), options)
      if (outcome.kind !== 'finished') throw new Error('did not finish')
      expect(outcome.summary.trials.map(({ failed }) => failed)).toEqual([0, 0])
      means.push(outcome.summary.trials.map(({ measures }) => measures))
    }
    expect(means[0]).toEqual(means[1])
    expect(means[0][1]['recall@5'].mean).toBeGreaterThan(0.7)
  })

  test('and an output that it changes for the next query is the one that it gave', async () => {
    const kept = strategyOf(
      '{ ranking.rows.forEach((row, place) => { held.rows[place] = row }); return held }',
    )
    const { trials } = await runMine(
      kept.replace(
        'const words',
        'const held = { rows: new Uint32Array(10), scores: Float64Array.from({ length: 10 }, (_, place) => -place) }\n const words',
      ),
    )
    expect(trials[1].failures).toEqual([])
    expect(trials[1].measures['recall@5'].mean).toBe(trials[0].measures['recall@5'].mean)
  })
})

test('steps that two files call alike are two steps', async () => {
  const folder = temporaryFolder({
    'same.mjs': strategyOf('ranking'),
    'none.mjs': strategyOf('({ rows: new Uint32Array(), scores: new Float64Array() })').replace(
      'mine',
      'none',
    ),
  })
  writeTowns(join(folder, 'towns'))
  const config = writeConfig(folder, '[./same.mjs, ./none.mjs]')
  const outcome = await runConfig(config, join(folder, 'store'), runOptions(join(folder, 'run')))
  if (outcome.kind !== 'finished') throw new Error('did not finish')
  const [same, none] = outcome.summary.trials.map(({ measures }) => measures['recall@5'].mean)
  expect(same).toBeGreaterThan(0.7)
  expect(none).toBe(0)
})

describe('what `retrieve` may not give', () => {
  test.each([
    ['{ by: () => 1 }', 'a function has no JSON form'],
    ['{ by: new Map([[1, 2]]) }', 'a Map has no JSON form'],
    ['[new Set([1])]', 'a Set has no JSON form'],
    ['new Date(0)', 'a Date has no JSON form'],
    ['/x/', 'a RegExp has no JSON form'],
    ['new (class Own {})()', 'a Own has no JSON form'],
    ['{ by: 3n }', 'a bigint has no JSON form'],
    ['{ by: Symbol() }', 'a symbol has no JSON form'],
    ['{ by: Float64Array.of(1) }', 'a Float64Array has no JSON form'],
    ['{ by: 1 / 0 }', 'Infinity has no JSON form'],
  ])('params %s', async (params, reason) => {
    const source = strategyOf('ranking').replace('last([words], null)', `last([words], ${params})`)
    await expect(runMine(source)).rejects.toThrow(
      new RegExp(`mine\\.mjs:\\d+:\\d+: \`retrieve\` failed: ${reason}`),
    )
  })

  test('a step that only looks as if it were applied, or another’s with other code', async () => {
    const lie = strategyOf('ranking').replace(
      'last([words], null)',
      '({ ...words, step: { run: () => null } })',
    )
    await expect(runMine(lie)).rejects.toThrow('ranking is not')
    const input = strategyOf('ranking').replace('last([words]', 'last([{ ...words }]')
    await expect(runMine(input)).rejects.toThrow('last has an input that is not a step applied to its inputs')
    const other = strategyOf('ranking').replace('return {', 'words.step.run = () => null; return {')
    await expect(runMine(other)).rejects.toThrow('`retrieve` failed: Cannot a')
  })

  test('params that are changed after they were used', async () => {
    const source = strategyOf('params.on ? ranking : null').replace('([ranking])', '([ranking], { params })')
    const changed = source.replace(
      'return { ranking: last([words], null) }',
      'const own = { on: true }; const ranking = last([words], own); own.on = false; return { ranking }',
    )
    expect((await runMine(changed)).trials[1].failed).toBe(0)
  })
})

describe('a file of one’s own that comes to no end', () => {
  test.each([
    ['{ for (;;); }', /mine\.mjs: the step `last` gave no answer within 0\.2 s on the query \w+/],
    ['new Promise(() => {})', /mine\.mjs: the step `last` gave no answer within 0\.2 s on the query \w+/],
  ])('in a step: %s', async (output, message) => {
    await expect(runMine(strategyOf(output, 'timeout: 0.2,'))).rejects.toThrow(message)
  })

  test('on one query of a block: that one is named', async () => {
    const source = strategyOf('0').replace(
      'run: ([ranking]) => 0',
      'timeout: 1, run: ([ranking, { text }]) => { if (text.includes("7")) for (;;); return ranking }',
    )
    const folder = temporaryFolder({ 'mine.mjs': source.replace('[words]', '[words, query]') })
    writeTowns(join(folder, 'towns'))
    const run = runConfig(
      writeConfig(folder, '[./mine.mjs]'),
      join(folder, 'store'),
      runOptions(join(folder, 'run')),
    )
    await expect(run).rejects.toThrow(/on the query \w*7/)
  })
})
