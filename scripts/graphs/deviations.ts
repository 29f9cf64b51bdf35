import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { withCosts } from './cost-cells.ts'
import { type Costs, configsOf, readCosts } from './costs.ts'

/**
 * Measures the costs of the differences in docs/deviations.md. Figures are kept in docs/evidence/deviations.json, and the cells
 * of the page are written from it. Without `--only` nothing is measured.
 *
 *     npx tsx scripts/graphs/deviations.ts [--only hotpotqa,musique-lazy] [--out DIR] [--url http://127.0.0.1:18080/v1]
 *
 * The experiments `hotpotqa-model` and `guilds-model` ask Qwen2.5-Coder-0.5B-Instruct at `--url`, unless DIR/store
 * has its completions.
 */
const root = resolve(import.meta.dirname, '../..')
const EVIDENCE = join(root, 'docs/evidence/deviations.json')
const option = (name: string) => {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? undefined : process.argv[at + 1]
}
const shared = process.env.TOUCHSTONE_SHARED ?? join(root, '..', 'shared')
const out = resolve(option('out') ?? join(root, 'experiments/deviations'))
const configs = configsOf({
  data: join(shared, 'data'),
  world: join(root, 'datasets/systems/six-strategies'),
  url: option('url') ?? 'http://127.0.0.1:18080/v1',
})
for (const name of option('only')?.split(',') ?? []) {
  if (!(name in configs)) throw new Error(`--only ${name}: choose from ${Object.keys(configs).join(', ')}`)
  mkdirSync(out, { recursive: true })
  const file = join(out, `${name}.yaml`)
  // JSON is YAML.
  writeFileSync(file, JSON.stringify({ name, ...configs[name] }, null, 2))
  const words = ['run', file, '--workers', '1', '-o', join(out, name), '--store', join(out, 'store')]
  const { status } = spawnSync(
    process.execPath,
    [join(root, 'bin/touchstone.js'), ...words, '--report', join(out, `${name}.html`)],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  )
  if (status !== 0) throw new Error(`${name} ended with ${status}`)
  const by = `npx tsx scripts/graphs/deviations.ts --only ${name}`
  const measured = await readCosts(join(out, name), name, by)
  const stored: Costs = JSON.parse(readFileSync(EVIDENCE, 'utf8'))
  const experiments = [...stored.experiments.filter((one) => one.name !== name), measured]
  writeFileSync(
    EVIDENCE,
    `${JSON.stringify({ ...stored, experiments: experiments.sort((a, b) => (a.name < b.name ? -1 : 1)) }, null, 1)}\n`,
  )
}

const PAGE = join(root, 'docs/deviations.md')
const read = (file: string) => readFileSync(file, 'utf8')
writeFileSync(PAGE, withCosts(read(PAGE), JSON.parse(read(EVIDENCE))))
