import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { configFile } from '../../src/cli/config-file.ts'
import { temporaryFolder } from '../temporary.ts'

test('a config is a file, a folder with touchstone.yaml, or the working folder', () => {
  const folder = temporaryFolder({ 'mine/touchstone.yaml': '', 'a.yaml': '' })
  mkdirSync(join(folder, 'empty'))
  expect(configFile(folder, 'a.yaml')).toBe('a.yaml')
  expect(configFile(folder, 'mine')).toBe(join('mine', 'touchstone.yaml'))
  expect(configFile(join(folder, 'mine'), undefined)).toBe('touchstone.yaml')
  expect(configFile(folder, 'absent.yaml')).toBe('absent.yaml')
  expect(() => configFile(folder, 'empty')).toThrow('is a folder without a touchstone.yaml')
  expect(() => configFile(folder, undefined)).toThrow('there is no touchstone.yaml in this folder')
})
