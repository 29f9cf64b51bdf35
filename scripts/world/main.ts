import { parseArgs } from 'node:util'
import { write } from './write.ts'

/**
 * Writes an invented world as a BEIR folder: `npm run world` the tracked one in datasets/quickstart,
 * `npm run world -- FOLDER --passages 250000 --queries 1000` a large one. The same seed gives the same bytes.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seed: { type: 'string' }, passages: { type: 'string' }, queries: { type: 'string' } },
})

function whole(name: 'seed' | 'passages' | 'queries', otherwise: number): number {
  const given = values[name]
  if (given === undefined) return otherwise
  if (!/^[1-9]\d{0,8}$/.test(given)) {
    console.error(`--${name} must be a whole number from 1, not ${given}`)
    process.exit(2)
  }
  return Number(given)
}

const passages = whole('passages', 0)
const size = passages > 0 ? { passages, queries: whole('queries', 1000) } : undefined
const folder = positionals[0] ?? 'datasets/quickstart'
if (size && positionals.length === 0) {
  console.error('a world of another size needs a FOLDER: datasets/quickstart is tracked')
  process.exit(2)
}
write(
  folder,
  whole('seed', 7),
  size,
  (done) => process.stderr.isTTY && process.stderr.write(`\r${done} passages`),
)
