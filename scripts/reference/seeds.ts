import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseCsv } from '../../src/text/csv.ts'
import { table } from '../pages.ts'

/** Feature of a described system: a row of docs/evidence/seeds.csv. */
export interface SeedRow {
  readonly id: string
  readonly feature: string
  readonly value: string
  readonly state: string
  readonly key: string
  readonly test: string
}

const file = resolve(import.meta.dirname, '../../docs/evidence/seeds.csv')
const [, ...rows] = parseCsv(readFileSync(file, 'utf8'))

export const SEEDS: readonly SeedRow[] = rows.map(({ fields: [id, feature, value, state, key, test] }) => ({
  id,
  feature,
  value,
  state,
  key,
  test,
}))

/** Row of this number. Throws an Error without one. */
export function seedRow(id: string): SeedRow {
  const row = SEEDS.find((seed) => seed.id === id)
  if (!row) throw new Error(`docs/evidence/seeds.csv has no row ${id}`)
  return row
}

/** Page of all rows, for the site. */
export function seedsPage(): string {
  const cell = (text: string) => text.replaceAll('|', '\\|')
  return `# All features of five described systems

<!-- Made by scripts/docs.ts from docs/evidence/seeds.csv; changes here are lost. -->

${table(
  ['id', 'feature', 'value', 'state', 'key', 'test'],
  SEEDS.map(({ id, feature, value, state, key, test }) => [id, feature, value, state, key, test].map(cell)),
)}
`
}
