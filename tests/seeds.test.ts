import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '..')
const page = readFileSync(join(root, 'docs/evidence/seeds.md'), 'utf8')
const rows = [...page.matchAll(/^\| (\d{3}\.\d+) \|.*\| (works|non-goal|open) \| (.*) \|$/gm)].map(
  ([, id, state, where]) => ({ id, state, where }),
)
const countOf = (state: string) => rows.filter((row) => row.state === state).length

test('docs/evidence/seeds.md has every feature once, and counts them right', () => {
  expect(rows).toHaveLength(338)
  expect(new Set(rows.map(({ id }) => id)).size).toBe(338)
  const counts = /\*\*(\d+) work,\n(\d+) are non-goals, (\d+) are open\*\*/.exec(page)?.slice(1).map(Number)
  expect(counts).toEqual(['works', 'non-goal', 'open'].map(countOf))
})

test('what works or is no goal says where or why, and what it names is there', () => {
  const silent = rows.filter(({ state, where }) => state === 'non-goal' && where.trim() === '')
  expect(silent).toEqual([])
  const gone = rows
    .filter(({ state }) => state !== 'open')
    .flatMap(({ id, where }) =>
      [...where.matchAll(/\b(?:tests|src|docs|configs|datasets)\/[\w./-]+\.(?:ts|md|yaml)/g)]
        .map(([path]) => path)
        .filter((path) => !existsSync(join(root, path)))
        .map((path) => `${id}: ${path}`),
    )
  expect(gone).toEqual([])
})
