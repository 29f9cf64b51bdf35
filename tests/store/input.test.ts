import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readText } from '../../src/store/input.ts'
import { temporaryFolder } from '../temporary.ts'

test('a text is UTF-8, with or without a byte order mark; other bytes are refused and never replaced', () => {
  const folder = temporaryFolder({
    'plain.txt': 'Mühle',
    'marked.txt': '\ufeffMühle',
    'latin.txt': Buffer.from('Mühle', 'latin1'),
  })
  expect(readText(join(folder, 'plain.txt'))).toBe('Mühle')
  expect(readText(join(folder, 'marked.txt'))).toBe('Mühle')
  expect(() => readText(join(folder, 'latin.txt'))).toThrow(`${join(folder, 'latin.txt')}:1: is not UTF-8`)
})

test('a folder and a file that is not there are named with what was looked for', () => {
  const folder = temporaryFolder({ 'a.txt': 'x' })
  expect(() => readText(folder)).toThrow(`${folder}: is a folder, not a file`)
  expect(() => readText(join(folder, 'b.txt'))).toThrow('there is no such file')
})
