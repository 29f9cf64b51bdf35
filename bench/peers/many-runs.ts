import { spawnSync } from 'node:child_process'
import { parseMeasure } from '../../src/metrics/parse.ts'
import { goldByQuery, scoreRankings } from '../../src/metrics/score-run.ts'
import { createRandom } from '../../src/random.ts'
import { DEPTH, MEASURES, QUERIES, syntheticRun } from '../metrics.bench.ts'

/**
 * 1,000 runs x 1,000 queries x 100 x 10 measures, run by run, every query's value of every run kept for a comparison:
 * seconds of scoring and the most memory the process ever had. `npx tsx bench/peers/many-runs.ts [RUNS]`.
 */
const RUNS = Number(process.argv[2] ?? 1000)

if (process.argv[3] === 'child') {
  const { qrels, run } = syntheticRun()
  const gold = goldByQuery(qrels)
  const measures = MEASURES.map((name) => parseMeasure(name))
  const ids = new Map([...run].map(([query, pairs]) => [query, [...pairs.keys()]]))
  const values = new Float64Array(RUNS * QUERIES * MEASURES.length)
  let milliseconds = 0
  for (let place = 0; place < RUNS; place++) {
    const { below } = createRandom(place)
    const columns = new Map(
      [...ids].map(([query, own]) => [
        query,
        { ids: own, scores: Float64Array.from({ length: DEPTH }, () => below(1000) / 1000) },
      ]),
    )
    const begin = performance.now()
    const scores = scoreRankings({ gold, run: columns, measures })
    milliseconds += performance.now() - begin
    scores.values.forEach((column, measure) => {
      values.set(column, (place * MEASURES.length + measure) * QUERIES)
    })
  }
  console.log({
    runs: RUNS,
    'seconds of scoring': Number((milliseconds / 1000).toFixed(2)),
    'milliseconds a run': Number((milliseconds / RUNS).toFixed(2)),
    'most memory, MB': Math.round(process.resourceUsage().maxRSS / 1024),
  })
} else {
  // A process of its own: the memory of a compiler beside it is not this program's.
  const { status } = spawnSync(
    process.execPath,
    [...process.execArgv, import.meta.filename, String(RUNS), 'child'],
    { stdio: 'inherit' },
  )
  process.exitCode = status ?? 1
}
