import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseMeasure } from '../../src/metrics/parse.ts'
import { goldByQuery, scoreRankings } from '../../src/metrics/score-run.ts'
import { MEASURES, syntheticRun, toJson } from '../metrics.bench.ts'
import { timed } from '../synthetic.ts'

/** Our scoring of one run next to pytrec_eval's and ranx's, on the same data: `npx tsx bench/peers/scoring.ts [PYTHON]`. */
const python = process.argv[2] ?? 'python3'
const folder = mkdtempSync(join(tmpdir(), 'peers-'))
try {
  const { qrels, run } = syntheticRun()
  writeFileSync(join(folder, 'qrels.json'), toJson(qrels))
  writeFileSync(join(folder, 'run.json'), toJson(run))
  const gold = goldByQuery(qrels)
  const measures = MEASURES.map((name) => parseMeasure(name))
  const columns = new Map(
    [...run].map(([query, pairs]) => [
      query,
      { ids: [...pairs.keys()], scores: Float64Array.from(pairs.values()) },
    ]),
  )
  const own = timed(15, () => scoreRankings({ gold, run: columns, measures }))
  console.log({ touchstone: { median_ms: own } })
  const { stdout, error } = spawnSync(python, [join(import.meta.dirname, 'scoring.py'), folder], {
    encoding: 'utf8',
  })
  if (error) console.log(`${python} is not there`)
  else
    for (const [peer, times] of Object.entries<{ median_ms: number }>(JSON.parse(stdout)))
      console.log({ [peer]: times, 'times ours': Number((times.median_ms / own).toFixed(2)) })
} finally {
  rmSync(folder, { recursive: true })
}
