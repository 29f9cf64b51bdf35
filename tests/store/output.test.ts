import { mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { UserError } from '../../src/errors.ts'
import { artifactsBelow, defineArtifact, derived } from '../../src/store/artifact.ts'
import { unusedEntries } from '../../src/store/clean.ts'
import { diskError } from '../../src/store/disk-errors.ts'
import { readBytes, requireFile } from '../../src/store/input.ts'
import { NEW_FILE, requireOutputFolder, requireOutputs, writeOutput } from '../../src/store/output.ts'
import { sealed, unsealed } from '../../src/store/sealed.ts'
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

  test('has a path of its own; every wrong one is named', () => {
    const { at } = setUp()
    const outputs = ['a', 'd', 'a', 'other', 'b'].map((name) => ({ path: at(name), kind: REPORT }))
    expect(messageOf(() => requireOutputs(outputs))).toBe(
      [
        `${at('d')}: is a folder; name a file`,
        `${at('a')}: is named for two outputs; name two files`,
        `${at('other')}: exists and is not a report; name another file`,
      ].join('\n'),
    )
    expect(messageOf(() => requireOutputs([]))).toBeUndefined()
  })

  test('is written whole, with the folders above it; a refused one stays as it is', () => {
    const { at } = setUp()
    writeOutput(at('a/b/c'), 'report 2', REPORT)
    writeOutput(at('a/b/c'), 'report 3', REPORT)
    expect(readFileSync(at('a/b/c'), 'utf8')).toBe('report 3')
    expect(messageOf(() => writeOutput(at('other'), 'report', REPORT))).toMatch(/is not a report/)
    expect(readFileSync(at('other'), 'utf8')).toBe('letter')
  })

  test('of several files is a new or empty folder', () => {
    const { at } = setUp()
    expect([requireOutputFolder(at('bare')), requireOutputFolder(at('new/one'))]).toEqual([true, false])
    const problem = (name: string) =>
      messageOf(() => requireOutputFolder(at(name)))?.replace(`${at(name)}: `, '')
    expect(['link', 'ways', 'dead', 'mine', 'd', 'mine/x'].map(problem)).toEqual([
      ...new Array(3).fill('is a link; name a new folder'),
      'is a file; name a new folder',
      'is there and not empty; name a new folder',
      `is below ${at('mine')}, which is no folder; use another path`,
    ])
  })
})

test.each<[object | null, string | undefined]>([
  [
    { code: 'ENOSPC', path: '/a' },
    '/a: the disk is full; free some space, then run the same command again: nothing is lost',
  ],
  [
    { code: 'EFBIG', path: '/a' },
    '/a: the file grew beyond the limit of the file system or of `ulimit -f`; raise it, then run the same command again: nothing is lost',
  ],
  [
    { code: 'EROFS', message: "EROFS: open '/b'" },
    '/b: the disk is read-only, then run the same command again: nothing is lost',
  ],
  [{ code: 'EISDIR', path: '/a' }, '/a: is a folder, not a file'],
  [{ code: 'ELOOP', message: 'no path' }, 'its links form a circle'],
  [{ code: 'EOTHER', path: '/a' }, undefined],
  [{ message: 'a bug' }, undefined],
  [null, undefined],
])('an error %j is told as %s', (error, message) => {
  expect(diskError(error)?.message).toBe(message)
})

test('an input is a plain file that can be read; messages say what was expected', () => {
  const { at } = setUp()
  symlinkSync(at('round'), at('round'))
  const problem = (path: string, what?: string) =>
    messageOf(() => readBytes(path, what))?.replace(`${path}: `, '')
  expect(problem(at('mine'))).toBeUndefined()
  expect(problem(at('none'), 'a run')).toBe('there is no such file (a run)')
  expect(problem(at('mine/x'))).toBe('there is no such file')
  expect(problem(at('d'), 'a run')).toBe('is a folder, not a file (a run)')
  expect(problem('/dev/null', 'a run')).toBe('is a pipe or a device, not a plain file (a run)')
  expect(problem(at('round'), 'a run')).toBe('cannot be read: its links form a circle (a run)')
  expect(problem('a\0b')).toBe('cannot be read: its name holds a NUL character')
  expect(problem(at('x'.repeat(300)))).toBe('cannot be read: its name is too long')
  requireFile(at('mine'))
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
    const told: unknown[] = []
    expect((await store.prepare(top, (...progress) => told.push(progress))).map(({ name }) => name)).toEqual([
      'a',
      'b',
    ])
    expect(told).toEqual([
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

  test('that could not be opened are opened anew, and closing ends each that was', async () => {
    let opens = 0
    const closed: unknown[] = []
    const flaky = leaf('flaky', {
      build: undefined,
      open() {
        if (opens++ === 0) throw new Error('not yet')
        return opens
      },
      close: (content: unknown) => closed.push(content),
    })
    const store = openStore(temporaryFolder())
    await expect(store.open(flaky)).rejects.toThrow('not yet')
    expect([await store.open(flaky), await store.open(flaky)]).toEqual([2, 2])
    await store.close()
    expect(closed).toEqual([2])
    await store.close()
    expect(closed).toEqual([2])
  })

  test('are unused if neither named nor an input of one that is; vectors never are', () => {
    const entry = (key: string | null, ...inputs: string[]) => ({
      name: 'n',
      key,
      folder: '',
      bytes: 0,
      inputs,
    })
    const entries = [entry('a', 'b'), entry('b', 'c', 'a'), entry('c'), entry('d', 'c'), entry(null)]
    expect(unusedEntries(entries, ['a', 'unknown']).map(({ key }) => key)).toEqual(['d'])
    expect(unusedEntries(entries, []).map(({ key }) => key)).toEqual(['a', 'b', 'c', 'd'])
  })
})
