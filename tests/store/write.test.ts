import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startOfThis } from '../../src/store/processes.ts'
import { HOST, temporaryName, writeRenamed, writerOf, writeWhole } from '../../src/store/write.ts'
import { temporaryFolder } from '../temporary.ts'

test('a temporary name is nobody else’s, and says who writes under it', () => {
  const names = Array.from({ length: 1000 }, () => temporaryName('a.json'))
  expect(new Set(names).size).toBe(1000)
  for (const name of names)
    expect(writerOf(name)).toEqual({ host: HOST, pid: process.pid, started: startOfThis() })
  for (const name of ['a.json', 'a.123.tmp', 'notes.tmp', `a.${HOST}-12-short.tmp`, `${names[0]}.bak`])
    expect(writerOf(name)).toBeNull()
})

test('what fails half-way leaves what stood there, and nothing else', () => {
  const folder = temporaryFolder({ 'a.txt': 'before' })
  const path = join(folder, 'a.txt')
  const failing = () =>
    writeRenamed(path, (fresh) => {
      writeFileSync(fresh, 'half')
      throw new Error('power')
    })
  expect(failing).toThrow('power')
  expect(readFileSync(path, 'utf8')).toBe('before')
  writeWhole(path, 'after')
  expect(readFileSync(path, 'utf8')).toBe('after')
  expect(readdirSync(folder)).toEqual(['a.txt'])
})
