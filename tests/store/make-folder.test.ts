import fs, { existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { makeFolder } from '../../src/store/make-folder.ts'
import { temporaryFolder } from '../temporary.ts'

const { mkdirSync } = fs

afterEach(() => {
  vi.restoreAllMocks()
  syncBuiltinESMExports()
})

/** Another process creates these folders just before this one does. */
function raceFor(...folders: readonly string[]): void {
  vi.spyOn(fs, 'mkdirSync').mockImplementation((path) => {
    if (folders.includes(String(path))) mkdirSync(path)
    return mkdirSync(path) as undefined
  })
  syncBuiltinESMExports()
}

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
  raceFor(join(at, 'a'), join(at, 'a/b'), join(at, 'd'))
  expect(makeFolder(join(at, 'a/b/c'))).toBe(join(at, 'a/b/c'))
  expect(makeFolder(join(at, 'd'))).toBeUndefined()
})

test('folders are made by this function alone', () => {
  const found = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter(
    (file) =>
      /\.ts$/.test(file) &&
      /mkdir(Sync)?\([^)]*recursive: true/.test(readFileSync(join('src', file), 'utf8')),
  )
  expect(found).toEqual([])
})
