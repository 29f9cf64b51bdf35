import { mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { UserError } from '../../src/errors.ts'
import { artifactsBelow, defineArtifact, derived } from '../../src/store/artifact.ts'
import { sealed, unsealed } from '../../src/store/hash.ts'
import { NEW_FILE, requireOutputs, writeOutput } from '../../src/store/output.ts'
import { openStore } from '../../src/store/store.ts'
import { temporaryFolder } from '../temporary.ts'

const REPORT = { name: 'a report', isOwn: (beginning: string) => beginning.startsWith('report') }

function setUp() {
  const folder = temporaryFolder({ mine: 'report 1', other: 'letter', empty: '', 'd/x': '' })
  symlinkSync(join(folder, 'mine'), join(folder, 'link'))
  symlinkSync(join(folder, 'none'), join(folder, 'dead'))
  symlinkSync(join(folder, 'd'), join(folder, 'ways'))
  mkdirSync(join(folder, 'bare'))
  return { folder, at: (name: string) => join(folder, name) }
}
const messageOf = (run: () => unknown): string | undefined => {
  try {
    run()
    return undefined
  } catch (error) {
    expect(error).toBeInstanceOf(UserError)
    return (error as Error).message
  }
}

describe('an output', () => {
  test('is a new file, an empty one, or one that the same command wrote', () => {
    const { at } = setUp()
    const problem = (name: string, kind: typeof REPORT | null = REPORT) =>
      messageOf(() => requireOutputs([{ path: at(name), kind }]))?.replace(`${at(name)}: `, '')
    expect(['mine', 'empty', 'new', 'new/deep', 'ways/new'].map((name) => problem(name))).toEqual(
      new Array(5).fill(undefined),
    )
    expect(problem('new', NEW_FILE)).toBeUndefined()
    expect(problem('other')).toBe('exists and is not a report; name another file')
    expect(problem('d')).toBe('is a folder; name a file')
    for (const name of ['mine', 'empty', 'd'])
      expect(problem(name, NEW_FILE)).toBe('is there already; delete it, or name another file')
    for (const name of ['link', 'dead'])
      expect(problem(name, NEW_FILE)).toBe('is a link; name the file itself')
    expect(problem('mine/x')).toBe(`is below ${at('mine')}, which is no folder; use another path`)
    expect(problem('mine/x/y')).toBe(`is below ${at('mine')}, which is no folder; use another path`)
    expect(problem('dead/x')).toBe(`is below ${at('dead')}, which is a link to nothing; use another path`)
  })

  test('is written whole, with the folders above it; a refused one stays as it is', () => {
    const { at } = setUp()
    writeOutput(at('a/b/c'), 'report 2', REPORT)
    writeOutput(at('a/b/c'), 'report 3', REPORT)
    expect(readFileSync(at('a/b/c'), 'utf8')).toBe('report 3')
    expect(messageOf(() => writeOutput(at('other'), 'report', REPORT))).toMatch(/is not a report/)
    expect(readFileSync(at('other'), 'utf8')).toBe('letter')
  })
})

test('what is sealed shows every change', () => {
  const value = { a: 1, b: ['x'] }
  const parsed = JSON.parse(sealed(value))
  expect(sealed(value)).toMatch(/^\{\n {2}"a": 1,[\s\S]*"sha256": "[0-9a-f]{64}"\n\}\n$/)
  expect(unsealed(parsed)).toEqual(value)
  expect(unsealed({ ...parsed, a: 2 })).toBeUndefined()
  expect([unsealed(value), unsealed([1]), unsealed(null)]).toEqual([value, [1], null])
})

describe('artifacts', () => {
  const leaf = (name: string, more = {}) =>
    defineArtifact({
      name,
      version: 1,
      params: null,
      inputs: {},
      build: async () => {},
      open: () => name,
      ...more,
    })

  test('come after their inputs, each once', async () => {
    const [a, b] = [leaf('a'), leaf('b')]
    const both = derived('both', { a, b }, (opened) => `${opened.a}${opened.b}`, 5)
    const top = defineArtifact({
      name: 'top',
      version: 1,
      params: null,
      inputs: { both, a },
      open: () => 'top',
    })
    expect(artifactsBelow([top, both, leaf('c')]).map(({ name }) => name)).toEqual([
      'a',
      'b',
      'both',
      'top',
      'c',
    ])
    expect([both.version, both.params]).toEqual([1, 5])
    expect(derived('both', { a, b }, () => '').params).toBeNull()
    const store = openStore(temporaryFolder())
    expect(store.missing([top]).map(({ name }) => name)).toEqual(['a', 'b'])
    const reports: unknown[] = []
    expect(
      (await store.prepare(top, (...progress) => reports.push(progress))).map(({ name }) => name),
    ).toEqual(['a', 'b'])
    expect(reports).toEqual([
      ['a', 0, 1],
      ['a', 1, 1],
      ['b', 0, 1],
      ['b', 1, 1],
    ])
    expect(store.missing([top])).toEqual([])
    expect(await store.open(both)).toBe('ab')
  })

  test('are built again if what they built elsewhere is gone', async () => {
    let gone = false
    let built = 0
    const outer = leaf('outer', {
      async build() {
        built++
      },
      isGone: async () => gone,
      holder: () => 'engine 1',
    })
    const store = openStore(temporaryFolder())
    await store.prepare(outer)
    expect(await store.prepare(outer)).toEqual([])
    gone = true
    expect((await store.prepare(outer)).map(({ name }) => name)).toEqual(['outer'])
    expect([built, store.holder(outer), store.holder(leaf('a'))]).toEqual([2, 'engine 1', undefined])
  })
})
