import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { errorRatesTable, simulationsPage } from './evidence-pages.ts'
import { evidenceFiles, main, measure, readParts, readRequest } from './evidence-parts.ts'

/**
 * `npm run simulate`: error rates of the statistics on invented grids, printed. `--only NAME` and `--sizes N,N`
 * choose; `--write` stores them in docs/evidence/simulations.json, and writes docs/evidence/simulations.md and the table of
 * docs/statistics.md.
 */
const root = join(import.meta.dirname, '..')
const evidence = join(root, 'docs', 'evidence')
await main(async () => {
  const request = readRequest(process.argv.slice(2))
  const store = join(evidence, 'simulations.json')
  const failed = await measure(request, {
    all: evidenceFiles(join(root, 'simulations'), '.simulation.ts'),
    store,
    page: join(evidence, 'simulations.md'),
    pageOf: simulationsPage,
    timed: false,
  })
  if (request.write) {
    const page = join(root, 'docs', 'statistics.md')
    const table = `<!-- error rates -->\n\n${errorRatesTable(readParts(store))}\n\n<!-- end -->`
    writeFileSync(page, readFileSync(page, 'utf8').replace(/<!-- error rates -->.*<!-- end -->/s, table))
  }
  return failed
})
