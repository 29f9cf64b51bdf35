import { existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join, parse } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { makeFolder } from '../../src/store/make-folder.ts'
import { temporaryFolder } from '../temporary.ts'

const system = vi.hoisted(() => ({
  /** True if the drive is missing: nothing is found. */
  isLost: false,
  lookups: 0,
  /** Folders that another process creates just before this one does. */
  raced: new Set<string>(),
}))

vi.mock('node:fs', async (importOriginal) => {
  const fs = await importOriginal<typeof import('node:fs')>()
  return {
    ...fs,
    statSync: (path: string, options: object) => {
      if (!system.isLost) return fs.statSync(path, options)
      if (++system.lookups > 100) throw new Error('looks for ever')
      return undefined
    },
    mkdirSync: (path: string, options: object) => {
      if (system.raced.has(path)) fs.mkdirSync(path)
      return fs.mkdirSync(path, options)
    },
  }
})

afterEach(() => {
  system.isLost = false
  system.raced.clear()
})

test('a folder is made with the missing ones above it, and may exist, also behind a link', () => {
  const at = temporaryFolder({ 'real/x.txt': '' })
  symlinkSync('real', join(at, 'link'))
  expect(makeFolder(join(at, 'a/b/c'))).toBe(join(at, 'a'))
  expect(makeFolder(join(at, 'a/b/c'))).toBeUndefined()
  for (const path of ['a/b', 'link', 'link/d/e']) makeFolder(join(at, path))
  expect(existsSync(join(at, 'a/b/c'))).toBe(true)
  expect(existsSync(join(at, 'real/d/e'))).toBe(true)
})

test('folders that another process makes meanwhile are not returned as created', () => {
  const at = temporaryFolder({})
  system.raced.add(join(at, 'a')).add(join(at, 'a/b'))
  expect(makeFolder(join(at, 'a/b/c'))).toBe(join(at, 'a/b/c'))
  system.raced.add(join(at, 'd'))
  expect(makeFolder(join(at, 'd'))).toBeUndefined()
})

// A drive of Windows that is not connected.
test('a path whose root does not exist is an error', () => {
  const at = temporaryFolder({})
  system.isLost = true
  expect(() => makeFolder(join(at, 'a'))).toThrow(
    `${join(at, 'a')}: cannot be created: there is no drive or share ${parse(at).root}; name another folder`,
  )
})

test('a file in its place, above it, and a link to nothing are errors of the system', () => {
  const at = temporaryFolder({ file: '' })
  symlinkSync('nowhere', join(at, 'dangling'))
  const code = (path: string) => {
    try {
      makeFolder(join(at, path))
    } catch (error) {
      return (error as NodeJS.ErrnoException).code
    }
    return undefined
  }
  expect(code('file')).toBe('EEXIST')
  expect(code('file/a/b')).toBe('ENOTDIR')
  expect(code('dangling')).toBe('EEXIST')
})

// Node's own recursion goes on for ever there.
test.runIf(process.platform === 'linux')('a file system without folders of ours is an error at once', () => {
  expect(() => makeFolder('/proc/x/y')).toThrow(
    '/proc/x/y: cannot be created: /proc is in a file system in which no folder can be created; name another folder',
  )
})

test('folders are made by this function alone', () => {
  const found = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter(
    (file) =>
      /\.ts$/.test(file) &&
      /mkdir(Sync)?\([^)]*recursive: true/.test(readFileSync(join('src', file), 'utf8')),
  )
  expect(found).toEqual([])
})
