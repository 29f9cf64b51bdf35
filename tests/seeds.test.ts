import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const page = read('docs/evidence/seeds.md')
const STATES = ['works', 'stand-in', 'non-goal']
const rows = [...page.matchAll(/^\| (\d{3}\.\d+) \|.*\| ([\w-]+) \| (.*) \|$/gm)].map(
  ([, id, state, where]) => ({ id, state, evidence: where.split('; ') }),
)
const countOf = (state: string) => rows.filter((row) => row.state === state).length
const existing = new Map<string, string>()

/** Source of a test file; empty if there is none. */
function sourceOf(path: string): string {
  const known = existing.get(path)
  if (known !== undefined) return known
  const source = existsSync(join(root, path)) ? read(path) : ''
  existing.set(path, source)
  return source
}

/** True if a piece of evidence names a test that is there, or a script of package.json. */
function isShown(piece: string): boolean {
  const [, path, name] = /^(tests\/\S+\.test\.ts) › (.+)$/.exec(piece) ?? []
  if (path) return sourceOf(path).includes(name)
  const [, script] = /^`npm run (\w+)`$/.exec(piece) ?? []
  return script !== undefined && script in JSON.parse(read('package.json')).scripts
}

test('docs/evidence/seeds.md has every feature once, in one of three states, and counts them right', () => {
  expect(rows).toHaveLength(338)
  expect(new Set(rows.map(({ id }) => id)).size).toBe(338)
  expect(rows.filter(({ state }) => !STATES.includes(state))).toEqual([])
  const head = /\*\*(\d+) work,\n(\d+) work and were shown with a stand-in only, (\d+) are non-goals\*\*/
  expect(head.exec(page)?.slice(1).map(Number)).toEqual(STATES.map(countOf))
})

test('a row that works or has a stand-in names a test or command that shows it; every one that is named is there', () => {
  const shown = rows.filter(({ state }) => state !== 'non-goal')
  expect(shown.filter(({ evidence }) => !evidence.some(isShown)).map(({ id }) => id)).toEqual([])
  const named = (piece: string) => /^tests\/.*\.test\.ts|^`npm run /.test(piece)
  const gone = rows.flatMap(({ id, evidence }) =>
    evidence.filter((piece) => named(piece) && !isShown(piece)).map((piece) => `${id}: ${piece}`),
  )
  expect(gone).toEqual([])
})

test('a stand-in says what stands in, a non-goal gives its reason, and files that are named are there', () => {
  const silent = rows.filter(
    ({ state, evidence }) =>
      (state === 'stand-in' && !/\bstands? in\b/.test(evidence.join())) ||
      (state === 'non-goal' && evidence.join().trim() === ''),
  )
  expect(silent.map(({ id }) => id)).toEqual([])
  const gone = rows.flatMap(({ id, evidence }) =>
    [...evidence.join().matchAll(/\b(?:tests|src|docs|configs|datasets)\/[\w./-]+\.(?:ts|md|yaml)/g)]
      .filter(([path]) => !existsSync(join(root, path)))
      .map(([path]) => `${id}: ${path}`),
  )
  expect(gone).toEqual([])
})
