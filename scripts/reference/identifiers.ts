import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { table } from '../pages.ts'
import { seedRow } from './seeds.ts'

/** Number of the row in docs/evidence/seeds.csv by identifier of a described system. */
export const IDENTIFIERS: Readonly<Record<string, string>> = JSON.parse(
  readFileSync(join(import.meta.dirname, 'identifiers.json'), 'utf8'),
)

/** Index of these identifiers, with the keys of their rows. Throws an Error for a number without a row. */
export function identifiersPage(identifiers = IDENTIFIERS): string {
  const rows = Object.entries(identifiers).map(([identifier, id]) => [
    `\`${identifier}\``,
    seedRow(id).key,
    id,
  ])
  return `# Identifiers of described systems

<!-- Made by scripts/docs.ts from docs/evidence/seeds.csv; changes here are lost. -->

Names that users of the five described systems would look up, and the config keys, commands or columns in their place. The number is the row in [features of five described systems](../evidence/seeds.md).

${table(['there', 'here', 'row'], rows)}
`
}
