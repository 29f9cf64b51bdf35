import { join } from 'node:path'
import { expect, test } from 'vitest'
import { finishConfig, runEachTrial, runOptions, writeConfig, writeTowns } from '../experiment/experiments.ts'
import { temporaryFolder } from '../temporary.ts'

/** A strategy of one's own whose last step gives `output`; `definition` are the step's other keys. */
function strategyOf(output: string, definition = '', name = 'mine'): string {
  return `export default ({ defineStrategy, steps, z }) => defineStrategy({
  name: '${name}', summary: 's', source: 's', params: z.strictObject({}),
  make: () => ({ retrieve(query) {
    const words = steps.searchBm25([query], { depth: 10, index: { k1: 0.9, b: 0.4, idf: 'lucene' } })
    const last = steps.defineStep({ name: 'last', version: 1, ${definition} run: ([ranking]) => ${output} })
    return { ranking: last([words], null) }
  } }),
})`
}

/** Runs strategies of one's own, each in a file, after bm25. */
async function runMine(sources: readonly string[], trials = '[bm25, FILES]', towns = 24) {
  const files = Object.fromEntries(sources.map((source, at) => [`mine${at}.mjs`, source]))
  const folder = temporaryFolder(files)
  writeTowns(join(folder, 'towns'), { towns })
  const named = Object.keys(files).map((file) => `./${file}`)
  const config = writeConfig(folder, trials.replace('FILES', named.join(', ')))
  const store = join(folder, 'store')
  const outcome = await finishConfig(config, store, runOptions(join(folder, 'run')))
  return { ...outcome.summary, runEach: () => runEachTrial(config, store) }
}

/** Outputs that are no ranking, with the beginning of the reason. */
const WRONG: readonly (readonly [output: string, definition: string, reason: string])[] = [
  ['42', '', 'it is a number'],
  ['undefined', '', 'it is missing'],
  ['[1, 2]', '', 'it is an Array'],
  ['({ rows: [1], scores: [2] })', "yields: 'ranking',", 'rows is an Array'],
  ['({ rows: new Uint32Array(2), scores: new Float64Array(1) })', '', 'as many scores as rows'],
  ['({ rows: Uint32Array.of(999), scores: Float64Array.of(1) })', '', 'row 999'],
  ['({ rows: Uint32Array.of(3, 3), scores: Float64Array.of(1, 1) })', '', 'twice'],
  ['({ rows: Uint32Array.of(3), scores: Float64Array.of(NaN) })', '', 'NaN'],
  ['({ rows: Uint32Array.of(3, 4), scores: Float64Array.of(1, 2) })', '', 'best first'],
  ['{ throw new Error("no idea") }', '', 'no idea'],
  ['null', "yields: 'query',", 'gave no query'],
  ['ranking', 'facts: () => { throw new Error("cannot count") },', 'cannot count'],
]

test('a strategy that gives no ranking fails on every query and says why; the others stand', async () => {
  const block = strategyOf('0').replace('run: ([ranking]) => 0', 'runBlock: () => []')
  const arm = strategyOf('0').replace('run: ([ranking]) => 0', 'pick: () => 7')
  const evidence = strategyOf('7').replace(
    'ranking: last([words], null)',
    'ranking: words, evidence: last([words], null)',
  )
  const more: [string, string][] = [
    [block, 'it is missing'],
    [arm, 'picked arm 7'],
    [evidence, 'gave no evidence'],
  ]
  const wrong = WRONG.map(([output, definition, reason]) => [strategyOf(output, definition), reason])
  const all = [...wrong, ...more].map(([source, reason], at) => [source.replace('mine', `m${at}`), reason])
  const { trials, datasets } = await runMine(all.map(([source]) => source))
  const [bm25, ...mine] = trials
  expect(bm25.failed).toBe(0)
  expect(mine).toHaveLength(all.length)
  for (const [at, { failed, failures, measures }] of mine.entries()) {
    expect([at, failed, failures[0].step]).toEqual([at, datasets[0].queries, 'last'])
    expect(failures[0].message).toContain(all[at][1])
    expect(measures['recall@5'].mean).toBe(0)
  }
})

test('a step that comes to no end ends the run, with the query that it hung on', async () => {
  for (const output of ['{ for (;;); }', 'new Promise(() => {})'])
    await expect(runMine([strategyOf(output, 'timeout: 0.2,')])).rejects.toThrow(
      /mine0\.mjs: the step `last` gave no answer within 0\.2 s on the query \w+/,
    )
  const source = strategyOf('0')
    .replace(
      'run: ([ranking]) => 0',
      'timeout: 1, run: ([ranking, { text }]) => { if (text.includes("7")) for (;;); return ranking }',
    )
    .replace('[words]', '[words, query]')
  await expect(runMine([source])).rejects.toThrow(/on the query \w*7/)
})
