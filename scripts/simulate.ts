import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { withErrorRates } from './evidence-pages.ts'
import { evidenceFiles, main, measure, readRequest } from './evidence-parts.ts'

/**
 * `npm run simulate`: error rates of the statistics on invented grids, printed. `--only NAME` and `--sizes N,N`
 * choose; `--write` stores them in docs/evidence/simulations.json, and writes the table of docs/statistics.md.
 */
const root = join(import.meta.dirname, '..')
const page = join(root, 'docs', 'statistics.md')
await main(() =>
  measure(readRequest(process.argv.slice(2)), {
    all: evidenceFiles(join(root, 'simulations'), '.simulation.ts'),
    store: join(root, 'docs', 'evidence', 'simulations.json'),
    page,
    pageOf: (parts) => withErrorRates(readFileSync(page, 'utf8'), parts),
    timed: false,
  }),
)
