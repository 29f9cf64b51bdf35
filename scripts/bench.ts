import { mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

/**
 * `npm run bench`: every bench/*.bench.ts, or those named (`npm run bench -- dense bm25 --sizes 2500,25000`). Prints a
 * table an operation, with its baseline beside it, and writes all rows to bench/results.json. Ratios are what to quote.
 */
interface Bench {
  readonly name: string
  run(sizes: readonly number[]): Promise<readonly Readonly<Record<string, string | number>>[]>
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { sizes: { type: 'string', default: '2500,25000' } },
})
const sizes = values.sizes.split(',').map(Number)
if (sizes.some((size) => !Number.isInteger(size) || size < 1)) {
  console.error(`--sizes takes whole numbers with commas between, not ${values.sizes}`)
  process.exit(2)
}

const folder = join(dirname(fileURLToPath(import.meta.url)), '..', 'bench')
const files = readdirSync(folder).filter((file) => file.endsWith('.bench.ts'))
const known = files.map((file) => file.replace('.bench.ts', ''))
const unknown = positionals.filter((name) => !known.includes(name))
if (unknown.length > 0) {
  console.error(`there is no bench ${unknown.join(', ')}; there are ${known.join(', ')}`)
  process.exit(2)
}

const results: Record<string, unknown> = {}
for (const name of known.filter((one) => positionals.length === 0 || positionals.includes(one))) {
  const bench: Bench = (await import(join(folder, `${name}.bench.ts`))).default
  const rows = await bench.run(sizes)
  console.log(`\n${bench.name}`)
  console.table(rows)
  results[bench.name] = rows
}
const machine = { node: process.version, cpu: cpus()[0]?.model, cores: cpus().length }
const path = join(folder, 'results.json')
mkdirSync(folder, { recursive: true })
writeFileSync(`${path}.tmp`, `${JSON.stringify({ machine, sizes, results }, null, 2)}\n`)
renameSync(`${path}.tmp`, path)
console.log(`\nwritten to bench/results.json`)
