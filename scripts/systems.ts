import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { SHARE } from '../src/metrics/range.ts'
import { compareExperiments } from '../src/results/compare-experiments.ts'
import type { Latency } from '../src/results/latency.ts'
import type { Summary } from '../src/results/summary.ts'
import { writeBlocks } from './pages.ts'
import {
  CLAIMED_GRIDS,
  CLAIMS,
  claimsTable,
  EMBEDDERS,
  type Embedder,
  PARTS,
  partsTable,
  SETS,
  type Systems,
  WORLD,
} from './systems-figures.ts'

/**
 * Runs the five described systems (configs/systems) on four shared sets with two embedders. Writes the gains of their parts and
 * the measured claims into docs/evidence/systems.json, and two tables of docs/evidence/results.md made of it. Runs resume.
 *
 *     TOUCHSTONE_SHARED=path/to/shared npm run systems
 *     TOUCHSTONE_SHARED=path/to/shared npm run systems -- rulebook    # this config alone; other figures stay
 *     TOUCHSTONE_SHARED=path/to/shared npm run systems -- worlds      # the invented world of each config alone
 *     TOUCHSTONE_SHARED=path/to/shared npm run systems -- bge-small   # this embedder alone
 */
const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const shared = process.env.TOUCHSTONE_SHARED
if (!shared) throw new Error('TOUCHSTONE_SHARED names no folder')
const modelOf = (embedder: Embedder) =>
  `{transformers: {model: ${join(shared as string, 'models', EMBEDDERS[embedder])}}}`
const DATASET: Readonly<Record<string, string>> = {
  srd52: `{folder: {path: ${join(shared, 'data', 'srd52', 'src')}, questions: ${join(root, 'datasets', 'srd52-queries', 'questions.jsonl')}}}`,
}

function measure(config: string, set: string, embedder: Embedder): string {
  const suffix = embedder === 'MiniLM' ? '' : `-${embedder}`
  const folder = join('experiments', 'systems', `${config}-${set.replace(' ', '-')}${suffix}`)
  const settings = [
    ...(set === WORLD ? [] : [`dataset=${DATASET[set] ?? join(shared as string, 'data', set)}`]),
    `prepare.embedder=${modelOf(embedder)}`,
    'prepare.graphEmbedder=lsa',
    // Sections of a rulebook are its passages.
    ...(set === 'srd52' ? ['prepare.chunk={headings: {levels: 4}}'] : []),
  ].flatMap((setting) => ['--set', setting])
  const command = ['bin/touchstone.js', 'run', `configs/systems/${config}.yaml`, '-o', folder, ...settings]
  const { status } = spawnSync(process.execPath, command, {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (status !== 0) throw new Error(`${config} on ${set} with ${embedder} ended with ${status}`)
  return join(root, folder)
}

/** Questions of a category that is shown. */
const MIN = 15

const read = <T>(folder: string, file: string): T => JSON.parse(readFileSync(join(folder, file), 'utf8'))

const requested = process.argv.slice(2)
const isMeasured = (config: string, set: string, embedder: Embedder) =>
  requested.length === 0 ||
  requested.includes(config) ||
  requested.includes(embedder) ||
  (requested.includes('worlds') && set === WORLD)
const evidence = join(root, 'docs', 'evidence')
const stored = read<Systems>(evidence, 'systems.json')
const systems: { -readonly [K in keyof Systems]: Systems[K] } = {
  parts: [],
  claims: [],
  grids: [],
  best: [],
  chapters: [],
}
async function add(set: string, embedder: Embedder): Promise<void> {
  const own = { set, embedder }
  const isOwn = (row: { readonly set: string; readonly embedder: Embedder }) =>
    row.set === set && row.embedder === embedder
  const folders = new Map<string, string>()
  for (const config of new Set(PARTS.map(({ config }) => config)))
    if (isMeasured(config, set, embedder)) folders.set(config, measure(config, set, embedder))
  for (const { part, config, now, before, only } of PARTS) {
    if (only && only !== set && set !== WORLD) continue
    if (!isMeasured(config, set, embedder)) {
      systems.parts.push(...stored.parts.filter((row) => row.part === part && isOwn(row)))
      continue
    }
    const compared = await compareExperiments({
      folders: [folders.get(config) as string],

      rows: [{ before, now }],
      measure: undefined,
      limit: 0,
      scaleOf: () => ({ better: 'higher', range: SHARE }),
    })
    const [{ test, ...row }] = compared.rows
    if (!test) throw new Error(`${part}: no test of ${now} against ${before}`)
    const { difference, low, high, verdict } = test
    const { before: mean } = row
    systems.parts.push({
      part,
      ...own,
      measure: compared.measure,
      before: mean,
      difference,
      low,
      high,
      verdict,
    })
  }
  const rulebook = folders.get('rulebook')
  if (!rulebook) systems.chapters.push(...stored.chapters.filter(isOwn))
  const { trials: routed } = rulebook ? read<Summary>(rulebook, 'summary.json') : { trials: [] }
  for (const top of rulebook ? [0, 3, 8, 12] : []) {
    const name = top === 0 ? 'without boost' : `chapters chapter-routing.top=${top}`
    const trial = routed.find((candidate) => candidate.name === name)
    if (!trial) throw new Error(`there is no trial ${name}`)
    systems.chapters.push({
      ...own,
      top,
      coverage: trial.perQuery.routedGold ?? 1,
      searched: trial.perQuery.searchedShare ?? 1,
      recall: trial.measures['recall@5'].mean ?? 0,
      mrr: trial.measures['mrr@10'].mean ?? 0,
    })
  }
  // Claims are about real questions.
  if (set === WORLD) return
  const six = folders.get('six-strategies')
  if (!six) {
    systems.claims.push(...stored.claims.filter(isOwn))
    systems.grids.push(...stored.grids.filter(isOwn))
    systems.best.push(...stored.best.filter(isOwn))
    return
  }
  const summary = read<Summary>(six, 'summary.json')
  const { trials: times } = read<Latency>(six, 'timings/latency.json')
  const named = (name: string) => {
    const trial = summary.trials.find((candidate) => candidate.name === name)
    if (!trial) throw new Error(`there is no trial ${name}`)
    return trial
  }
  for (const { trial: name } of CLAIMS) {
    const { perQuery, measures, strategy } = named(name)
    // Only the best trial of each strategy is timed; the params of a grid here cost no time.
    const time = times.find(({ id }) =>
      summary.trials.some((trial) => trial.id === id && trial.strategy === strategy),
    )
    if (!time) throw new Error(`${name} was not timed`)
    const sent =
      (perQuery.tokens ?? 0) + (perQuery.evidenceTokens ?? 0) + (summary.pricing?.promptTokens ?? 0)
    systems.claims.push({
      trial: name,
      ...own,
      p50: time.p50.value,
      p95: time.p95.value,
      recall: measures['recall@10'].mean ?? 0,
      dollars: (3 * (sent + (perQuery.inputTokens ?? 0)) + 15 * (perQuery.outputTokens ?? 0)) / 1e6,
    })
  }
  for (const { param, trials } of CLAIMED_GRIDS)
    systems.grids.push({
      param,
      ...own,
      means: trials.map(([value, name]) => [value, named(name).measures['recall@10'].mean ?? 0] as const),
    })
  const rows = CLAIMS.map(({ trial }) => named(trial))
  for (const category of Object.keys(rows[0].categories ?? {})) {
    const means = rows.map(({ name, categories }) => {
      const { mean, n } = categories?.[category]?.['recall@10'] ?? { mean: 0, n: 0 }
      return { name, mean: mean ?? 0, n }
    })
    if (means[0].n < MIN) continue
    means.sort((a, b) => b.mean - a.mean)
    systems.best.push({
      ...own,
      category,
      n: means[0].n,
      ranked: means.slice(0, 3).map(({ name, mean }) => [name, mean]),
    })
  }
}

for (const embedder of Object.keys(EMBEDDERS) as Embedder[])
  for (const set of [...SETS, WORLD]) await add(set, embedder)

writeFileSync(join(evidence, 'systems.json'), `${JSON.stringify(systems, null, 1)}\n`)
writeBlocks(join(evidence, 'results.md'), { parts: partsTable(systems), claims: claimsTable(systems) })
