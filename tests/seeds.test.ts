import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { SEEDS } from '../scripts/reference/seeds.ts'

const root = resolve(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const STATES = ['works', 'stand-in', 'non-goal']
const countOf = (state: string) => SEEDS.filter((row) => row.state === state).length

/** True if this names a test or a case that exists, or a script of package.json. */
function exists(evidence: string): boolean {
  const [, path, name] = /^(tests\/\S+\.(?:test\.ts|cases\.txt)) › (.+)$/.exec(evidence) ?? []
  if (path) return existsSync(join(root, path)) && read(path).includes(name)
  const [, script] = /^`npm run (\w+)`$/.exec(evidence) ?? []
  return script !== undefined && script in JSON.parse(read('package.json')).scripts
}

test('docs/evidence/seeds.csv has every feature once, in one of three states, and the page counts them right', () => {
  expect(SEEDS).toHaveLength(338)
  expect(new Set(SEEDS.map(({ id }) => id)).size).toBe(338)
  expect(SEEDS.filter(({ state }) => !STATES.includes(state))).toEqual([])
  const page = read('docs/evidence/seeds.md')
  const head = /\*\*(\d+) work, (\d+) work with a stand-in, (\d+) are non-goals\*\*/
  expect(head.exec(page)?.slice(1).map(Number)).toEqual(STATES.map(countOf))
})

test('each row has a key, and a test or command that exists; a stand-in is named, and so are existing files', () => {
  const wrong = SEEDS.filter(
    ({ state, key, test }) =>
      key.trim() === '' ||
      (state !== 'non-goal' && !exists(test)) ||
      (state === 'stand-in' && !/\bstands? in\b/.test(key)),
  )
  expect(wrong.map(({ id }) => id)).toEqual([])
  const gone = SEEDS.flatMap(({ id, key }) =>
    [...key.matchAll(/\b(?:tests|src|docs|configs|datasets)\/[\w./-]+\.(?:ts|md|yaml)/g)]
      .filter(([path]) => !existsSync(join(root, path)))
      .map(([path]) => `${id}: ${path}`),
  )
  expect(gone).toEqual([])
})
