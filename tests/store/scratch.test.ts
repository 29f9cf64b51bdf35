import { existsSync, mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { HOST, openScratch } from '../../src/store/write.ts'

test('a temporary folder is removed, and so are those of dead processes', () => {
  const left = join(tmpdir(), `touchstone.${HOST}-4194999-0123456789ab.tmp`)
  mkdirSync(left, { recursive: true })
  const other = openScratch()
  const { folder, remove } = openScratch()
  expect([left, other.folder, folder].map(existsSync)).toEqual([false, true, true])
  remove()
  other.remove()
  expect(existsSync(folder)).toBe(false)
})
