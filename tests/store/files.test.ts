import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { UserError } from '../../src/errors.ts'
import { MARKER, markStore, requireStore } from '../../src/store/folder.ts'
import { canonical } from '../../src/store/hash.ts'
import { findFile } from '../../src/store/input.ts'
import { temporaryFolder } from '../temporary.ts'

describe('the one file of a role', () => {
  const there = () =>
    temporaryFolder({
      'a.txt': 'salt',
      'a.txt.gz': gzipSync('salt'),
      'b.txt': 'salt',
      'b.txt.gz': gzipSync('gate'),
      'c.txt': 'salt',
      'c.txt.gz': gzipSync('salt and more'),
      'd.txt': 'salt',
      'd.txt.gz': 'no gzip',
      'e.txt.gz': gzipSync('salt'),
      'f.txt': '',
      'f.txt.gz': gzipSync(''),
    })

  test.each([
    [['b.txt'], 'b.txt.gz', 'b.txt'],
    [['c.txt'], 'c.txt.gz', 'c.txt'],
    [['d.txt'], 'd.txt.gz', 'd.txt'],
    [['a.txt', 'e.txt'], 'e.txt.gz', 'a.txt'],
  ])('is refused where %j are two', (names, other, first) => {
    const folder = there()
    expect(() => findFile(folder, ...names)).toThrow(
      `${join(folder, other)}: has the same role as ${first}; move one of them out of the folder`,
    )
  })
})

describe('JSON of a hash', () => {
  test.each<[unknown, string]>([
    [undefined, 'null'],
    [{ b: [1, 'x', null, true], a: { d: undefined, c: 0 } }, '{"a":{"c":0},"b":[1,"x",null,true]}'],
    [Object.create(null), '{}'],
    [[], '[]'],
  ])('%j', (value, text) => {
    expect(canonical(value as object)).toBe(text)
  })
})

describe('a store', () => {
  const fails = (run: () => void, file: string, message: string) =>
    expect(run).toThrow(new UserError({ file, message }))

  test('is a new or empty folder, which its marker names', () => {
    const root = join(temporaryFolder(), 'new')
    markStore(root)
    expect(readFileSync(join(root, MARKER), 'utf8')).toMatch(/^This folder is a store of touchstone/)
    requireStore(root)
    writeFileSync(join(root, 'other'), '')
    markStore(root)
    requireStore(root)
  })

  test('is nothing else', () => {
    const folder = temporaryFolder({
      file: '',
      'full/d': '',
      'full/a': '',
      'full/c': '',
      'full/b': '',
      'repo/.git/x': '',
    })
    const at = (name: string) => join(folder, name)
    symlinkSync(at('gone'), at('link'))
    symlinkSync(at('full'), at('other'))
    mkdirSync(at('marked'))
    mkdirSync(at(`marked/${MARKER}`))
    const name = '; name a new or empty folder with --store'
    fails(() => markStore(at('file')), at('file'), `is a file${name}`)
    fails(() => markStore(at('link')), at('link'), `is a link to nothing${name}`)
    fails(() => markStore(at('full')), at('full'), `is not a store of touchstone and contains a, b, c${name}`)
    fails(() => requireStore(at('gone')), at('gone'), 'there is no such folder')
    fails(() => requireStore(at('file')), at('file'), 'is not a folder')
    fails(
      () => requireStore(at('link')),
      at('link'),
      'is a link; name the folder itself: its target does not exist',
    )
    fails(() => requireStore(at('other')), at('other'), `is a link; name the folder itself: ${at('full')}`)
    for (const name of ['full', 'marked'])
      fails(
        () => requireStore(at(name)),
        at(name),
        `is not a store of touchstone: it lacks the file ${MARKER}`,
      )
    expect(() => requireStore(at('repo'))).toThrow('a repository')
    expect(() => requireStore('/')).toThrow("a file system's root")
  })
})
