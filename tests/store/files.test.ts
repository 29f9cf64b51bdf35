import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { UserError } from '../../src/errors.ts'
import { findFile, hasFile, oneOf } from '../../src/store/alternates.ts'
import { canonical } from '../../src/store/hash.ts'
import { hashFile, notUtf8, readPlainOrGzip } from '../../src/store/input.ts'
import { MARKER, markStore, requireStore } from '../../src/store/marker.ts'
import { HOST, temporaryName, writerOf } from '../../src/store/write.ts'
import { readYaml } from '../../src/store/yaml-input.ts'
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

  test('may be there packed too, with the same content', () => {
    const folder = there()
    expect(findFile(folder, 'a.txt')).toBe('a.txt')
    expect(findFile(folder, 'f.txt')).toBe('f.txt')
    expect(findFile(folder, 'none.txt', 'e.txt')).toBe('e.txt.gz')
    expect(findFile(folder, 'none.txt')).toBeUndefined()
    expect(oneOf(folder, [])).toBeUndefined()
    expect(['a.txt', 'e.txt', 'none.txt'].map((name) => hasFile(folder, name))).toEqual([true, true, false])
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

describe('a text', () => {
  test('is read plain or packed, whatever its name', () => {
    const folder = temporaryFolder({
      a: '\ufeffsalt',
      b: gzipSync('salt'),
      c: gzipSync('salt').subarray(0, 20),
      d: '\x1fsalt',
    })
    expect(['a', 'b', 'd'].map((name) => readPlainOrGzip(join(folder, name)))).toEqual([
      'salt',
      'salt',
      '\x1fsalt',
    ])
    expect(() => readPlainOrGzip(join(folder, 'c'))).toThrow(
      `${join(folder, 'c')}: is no whole gzip file; is it cut off?`,
    )
    expect(() => hashFile(join(folder, 'none'), 'recorded vectors')).toThrow('recorded vectors')
  })

  test.each([
    [[0xff, 0xfe, 1], 'is UTF-16; save it as UTF-8'],
    [[0xfe, 0xff, 1], 'is UTF-16; save it as UTF-8'],
    [[0x1f, 0x8b], 'is a gzip file; give its name the ending .gz'],
    [[0x28, 0xb5, 0x2f, 0xfd, 1], 'is compressed with Zstandard; unpack it'],
    [[0x42, 0x5a, 0x68, 1], 'is compressed with bzip2; unpack it'],
    [[0xfd, 0x37, 0x7a, 0x58], 'is compressed with xz; unpack it'],
    [[0x50, 0x4b, 3, 4], 'is a zip file, or a document of Office; unpack it, or save it as text'],
    [[0x50, 0x41, 0x52, 0x31], 'is a Parquet file; give its name the ending .parquet'],
    [[0xfd, 0x37, 0x7a], 'is not UTF-8; save it as UTF-8'],
  ])('that begins with %j %s', (beginning, message) => {
    expect(notUtf8(Uint8Array.from(beginning))).toBe(message)
  })
})

describe('JSON of a hash', () => {
  class Ship {}
  test.each<[unknown, string]>([
    [undefined, 'null'],
    [{ b: [1, 'x', null, true], a: { d: undefined, c: 0 } }, '{"a":{"c":0},"b":[1,"x",null,true]}'],
    [Object.create(null), '{}'],
    [[], '[]'],
  ])('%j', (value, text) => {
    expect(canonical(value as object)).toBe(text)
  })
  test.each<[unknown, string]>([
    [Number.NaN, 'NaN'],
    [Number.POSITIVE_INFINITY, 'Infinity'],
    [() => 1, 'a function'],
    [1n, 'a bigint'],
    [Symbol('s'), 'a symbol'],
    [new Map(), 'a Map'],
    [new Ship(), 'a Ship'],
    [new (class {})(), 'a class instance'],
  ])('%o has none', (value, words) => {
    expect(() => canonical({ a: [value as object] })).toThrow(new Error(`${words} has no JSON form`))
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
    for (const one of ['full', 'marked'])
      fails(() => requireStore(at(one)), at(one), `is not a store of touchstone: it lacks the file ${MARKER}`)
    expect(() => requireStore(at('repo'))).toThrow('a repository')
    expect(() => requireStore('/')).toThrow("a file system's root")
  })

  test('names what it writes after the process that writes it', () => {
    expect(HOST).toMatch(/^[0-9a-f]{12}$/)
    expect(writerOf(temporaryName('/a/b'))).toMatchObject({ host: HOST, pid: process.pid })
    const host = '0123456789ab'
    expect(writerOf(`b.${host}-7.99-${host}.tmp`)).toEqual({ host, pid: 7, started: 99 })
    expect(writerOf(`b.${host}-7-${host}.tmp`)).toEqual({ host, pid: 7, started: null })
    for (const other of [`b.${host}-7-${host}`, `b.${host}-x-${host}.tmp`, 'b.tmp'])
      expect(writerOf(other)).toBeNull()
  })
})

test('a YAML file is read by its schema; each wrong value and key is told with its place', () => {
  const schema = z.strictObject({ name: z.string(), of: z.strictObject({ k: z.int() }).optional() })
  const file = (text: string) => join(temporaryFolder({ 'a.yaml': text }), 'a.yaml')
  const good = file('name: salt\nof:\n  k: 3\n')
  const { value, diagnostic } = readYaml(good, schema, 'a thing')
  expect(value).toEqual({ name: 'salt', of: { k: 3 } })
  expect(diagnostic(['of', 'k'], 'is odd')).toEqual({ file: good, line: 3, column: 6, message: 'is odd' })
  const wrong = file('name: 3\nnote: x\nof:\n  k: 1\n  l: 2\n')
  expect(() => readYaml(wrong, schema, 'a thing')).toThrow(
    [
      `${wrong}:1:7: \`name\` must be text, not 3`,
      `${wrong}:5:3: of: there is no key \`l\``,
      `${wrong}:2:1: there is no key \`note\`; there are name, of`,
    ].join('\n'),
  )
  const broken = file('name: [\n')
  expect(() => readYaml(broken, schema, 'a thing')).toThrow(`${broken}:`)
  expect(() => readYaml('/none.yaml', schema, 'a thing')).toThrow('a thing')
})
