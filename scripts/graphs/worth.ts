import { readFileSync, writeFileSync } from 'node:fs'
import { EMBEDDERS, type GainTable, gainTable, merge, readGains, SETS } from './gains.ts'
import { graphsPage } from './page.ts'

/**
 * Writes docs/evidence/graphs.md from docs/evidence/graphs.json, after putting experiments of configs/graphs.yaml in place of the
 * stored tables of their data set and embedder: one or more for each pair, which differ in their graphs.
 *
 *     npx tsx scripts/graphs/worth.ts [experiments/graphs/*]
 *
 * Each gain is a strategy's mean minus that of its own dense arm on the same queries. All gains of a table are one family:
 * intervals hold together.
 */
const EVIDENCE = new URL('../../docs/evidence/graphs.json', import.meta.url)

const measured = await Promise.all(process.argv.slice(2).map(readGains))
const stored: readonly GainTable[] = JSON.parse(readFileSync(EVIDENCE, 'utf8'))
const tables = SETS.flatMap(({ dataset }) =>
  EMBEDDERS.flatMap((embedder) => {
    const own = measured.filter((one) => one.dataset === dataset && one.embedder === embedder)
    return own.length > 0
      ? [gainTable(merge(own))]
      : stored.filter((one) => one.dataset === dataset && one.embedder === embedder)
  }),
)
const lost = [...measured, ...stored].filter(
  ({ dataset, embedder }) => !tables.some((one) => one.dataset === dataset && one.embedder === embedder),
)
if (lost.length > 0)
  throw new Error(`no place for ${lost.map(({ dataset, embedder }) => `${dataset} with ${embedder}`)}`)

writeFileSync(EVIDENCE, `${JSON.stringify(tables, null, 1)}\n`)
writeFileSync(new URL('../../docs/evidence/graphs.md', import.meta.url), graphsPage(tables))
