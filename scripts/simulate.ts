import { join } from 'node:path'
import { UserError } from '../src/errors.ts'
import { simulationsPage } from './evidence-pages.ts'
import { evidenceFiles, main, measure, readRequest } from './evidence-parts.ts'

/**
 * `npm run simulate`: error rates and savings of the statistics on invented grids, printed. `--only NAME` and `--sizes N,N`
 * choose; `--write` stores them in docs/evidence/simulations.json and writes docs/evidence/simulations.md.
 */
const root = join(import.meta.dirname, '..')
const evidence = join(root, 'docs', 'evidence')
await main(async () => {
  const request = readRequest(process.argv.slice(2))
  if (request.write && process.env.RACE_OF)
    throw new UserError('RACE_OF adds your own experiments, so its figures are not stored: leave --write out')
  return measure(request, {
    all: evidenceFiles(join(root, 'simulations'), '.simulation.ts'),
    store: join(evidence, 'simulations.json'),
    page: join(evidence, 'simulations.md'),
    pageOf: simulationsPage,
    timed: false,
  })
})
