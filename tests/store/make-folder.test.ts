import { existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { makeFolder } from '../../src/store/write.ts'
import { temporaryFolder } from '../temporary.ts'

afterEach(() => {
  vi.restoreAllMocks()
  syncBuiltinESMExports()
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

test('folders are made by this function alone', () => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter(
    (file) =>
      /\.ts$/.test(file) &&
      /mkdir(Sync)?\([^)]*recursive: true/.test(readFileSync(join('src', file), 'utf8')),
  )
  expect(files).toEqual([])
})
