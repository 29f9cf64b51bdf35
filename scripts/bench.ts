import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { installPeers } from '../bench/peer.ts'
import { type Bench, type BenchResult, benchmarksPage, shown } from './benchmarks-page.ts'

/**
 * `npm run bench`: every bench/*.bench.ts, or those named (`npm run bench -- dense bm25 --sizes 2500,25000`). Prints a
 * table an operation, with its baseline beside it, and writes all rows to bench/results.json; `--write` all of them to
 * docs/evidence/benchmarks.md too, and installs the libraries of bench/peers/requirements.txt for it. Ratios are what to quote.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { sizes: { type: 'string' }, write: { type: 'boolean', default: false } },
})
const given = values.sizes?.split(',').map(Number)
if (given?.some((size) => !Number.isInteger(size) || size < 1)) {
  console.error(`--sizes takes whole numbers with commas between, not ${values.sizes}`)
  process.exit(2)
}
if (values.write && (positionals.length > 0 || given)) {
  console.error('--write takes no names and no sizes: docs/evidence/benchmarks.md holds all of them')
  process.exit(2)
}

if (values.write) {
  try {
    installPeers()
  } catch (error) {
    console.error(
      `--write measures beside other libraries, and they cannot be installed: ${(error as Error).message}`,
    )
    process.exit(2)
  }
}

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const folder = join(root, 'bench')
const files = readdirSync(folder).filter((file) => file.endsWith('.bench.ts'))
const known = files.map((file) => file.replace('.bench.ts', ''))
const unknown = positionals.filter((name) => !known.includes(name))
if (unknown.length > 0) {
  console.error(`there is no bench ${unknown.join(', ')}; there are ${known.join(', ')}`)
  process.exit(2)
}

const results: BenchResult[] = []
for (const name of known.filter((one) => positionals.length === 0 || positionals.includes(one))) {
  const bench: Bench = (await import(join(folder, `${name}.bench.ts`))).default
  const begin = performance.now()
  const rows = await bench.run(given ?? bench.sizes ?? [2500, 25_000])
  console.log(`\n${bench.name} (${Math.round((performance.now() - begin) / 1000)} s)`)
  console.table(
    rows.map((row) => Object.fromEntries(Object.entries(row).map(([key, cell]) => [key, shown(cell)]))),
  )
  results.push({ name: bench.name, about: aboutOf(name), rows })
}
const machine = { node: process.version, cpu: cpus()[0]?.model ?? 'unknown', cores: cpus().length }
const path = join(folder, 'results.json')
mkdirSync(folder, { recursive: true })
write(path, `${JSON.stringify({ machine, results }, null, 2)}\n`)
console.log('\nwritten to bench/results.json')
if (values.write) {
  write(join(root, 'docs', 'evidence', 'benchmarks.md'), benchmarksPage(results, machine))
  console.log('and docs/evidence/benchmarks.md')
}

/** What a bench measures: the comment above its `export default`. */
function aboutOf(name: string): string {
  const source = readFileSync(join(folder, `${name}.bench.ts`), 'utf8')
  const [, comment = ''] = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*export default/.exec(source) ?? []
  return comment
    .split('\n')
    .map((line) => line.replace(/^\s*\* ?/, ''))
    .join('\n')
    .trim()
}

function write(path: string, text: string): void {
  writeFileSync(`${path}.tmp`, text)
  renameSync(`${path}.tmp`, path)
}
