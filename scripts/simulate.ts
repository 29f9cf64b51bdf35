import { join } from 'node:path'
import { simulationsPage } from './evidence-pages.ts'
import { evidenceFiles, main, measure, readRequest } from './evidence-parts.ts'

/**
 * `npm run simulate`: error rates of the statistics on invented grids, printed. `--only NAME` and `--sizes N,N`
 * choose; `--write` stores them in docs/evidence/simulations.json and writes docs/evidence/simulations.md.
 */
const root = join(import.meta.dirname, '..')
const evidence = join(root, 'docs', 'evidence')
await main(async () => {
  return measure(readRequest(process.argv.slice(2)), {
    all: evidenceFiles(join(root, 'simulations'), '.simulation.ts'),
    store: join(evidence, 'simulations.json'),
    page: join(evidence, 'simulations.md'),
    pageOf: simulationsPage,
    timed: false,
  })
})
