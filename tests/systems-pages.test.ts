import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import {
  claimsPage,
  EMBEDDERS,
  PARTS,
  partsPage,
  SETS,
  type Systems,
  WORLD,
} from '../scripts/systems-pages.ts'

const docs = resolve(import.meta.dirname, '..', 'docs', 'evidence')
const read = (file: string) => readFileSync(join(docs, file), 'utf8')
const systems: Systems = JSON.parse(read('systems.json'))

test('the pages of the five systems are made of what was measured, on every set with every embedder', () => {
  expect(read('seeds-results.md')).toBe(partsPage(systems))
  expect(read('claims.md')).toBe(claimsPage(systems))
  for (const name of Object.keys(EMBEDDERS))
    for (const { part, only } of PARTS)
      expect(
        systems.parts
          .filter(({ embedder, part: own }) => own === part && embedder === name)
          .map(({ set }) => set),
        `${part} with ${name}`,
      ).toEqual(only === WORLD ? [WORLD] : [...(only ? [only] : SETS), WORLD])
})

test('the disagreements of the embedders are counted among the pairs that the table has', () => {
  const page = read('seeds-results.md')
  const rows = [...page.slice(0, page.indexOf('The two embedders')).matchAll(/ of (\d) \| [−+\d.]+ \|$/gm)]
  const pairs = rows.reduce((sum, [, tried]) => sum + Number(tried), 0)
  expect(page).toContain(`of the ${pairs} pairs of a part in this table and a set`)
})
