import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { unzipped, zipped } from '../../../src/dataset/folder/office.ts'
import { readQuestions } from '../../../src/dataset/folder/questions.ts'
import { decodeText } from '../../../src/dataset/folder/reader.ts'
import { walk } from '../../../src/dataset/folder/walk.ts'
import type { DatasetSink } from '../../../src/dataset/sink.ts'
import type { Diagnostic } from '../../../src/errors.ts'
import type { Document } from '../../../src/types.ts'
import { temporaryFolder } from '../../temporary.ts'

describe('gold on pages', () => {
  const documents: Document[] = [
    { id: 'log.pdf#1', title: '', text: 'One page.Two page.', metadata: { path: 'log.pdf', pages: [0, 9] } },
  ]
  const read = async (gold: object) => {
    const content = JSON.stringify({ _id: 'q', text: 'Why?', gold: [gold] })
    const path = join(temporaryFolder({ 'q.jsonl': content }), 'q.jsonl')
    const outcome: unknown[] = []
    const sink = {
      diagnostic: ({ message }: Diagnostic) => void outcome.push(message),
      query: () => {},
      elsewhere: () => {},
      span: (_: string, { start, end }: { start: number; end: number }) =>
        void outcome.push(documents[0].text.slice(start, end)),
      missing: (_: string, { message }: { message: string }) => void outcome.push(message),
    } as unknown as DatasetSink
    await readQuestions(path, documents, sink)
    return outcome
  }

  test.each([
    [{ file: 'log.pdf', page: 1 }, 'One page.'],
    [{ file: 'log.pdf', page: 2 }, 'Two page.'],
    [{ file: 'log.pdf', page: 2, quote: 'page' }, 'page'],
    [{ file: 'log.pdf#1', page: 1, quote: 'One page.' }, 'One page.'],
    [{ file: 'log.pdf', page: 3 }, 'gold of query "q": log.pdf has 2 pages, and gold names page 3'],
    [
      { file: 'log.pdf', page: 2, quote: 'One' },
      'gold of query "q": log.pdf does not hold the quote "One" on page 2',
    ],
  ])('%j', async (gold, outcome) => {
    expect(await read(gold)).toEqual([outcome])
  })
})

test('files below a folder, without hidden and ignored ones; links are followed once', () => {
  const folder = temporaryFolder({
    'a.md': 'abc',
    'b/c.md': '',
    'b/.gitignore': '/d.md\nold/',
    'b/d.md': '',
    'b/old/x.md': '',
    'd.md': '',

    '.hidden': '',
    '.git/x': '',
    'node_modules/x': '',
    '.touchstoneignore': '*.tmp\n',
    'x.tmp': '',
    'b/y.tmp': '',
    'bell\u0007.md': '',
  })
  symlinkSync(folder, join(folder, 'b/up'))
  symlinkSync(join(folder, 'gone'), join(folder, 'dead'))
  symlinkSync('../..', join(folder, 'b/above'))
  const elsewhere = temporaryFolder({ 'private.txt': 'x' })
  symlinkSync(elsewhere, join(folder, 'b/beside'))
  symlinkSync(join(elsewhere, 'private.txt'), join(folder, 'b/private.txt'))
  symlinkSync(join(folder, 'a.md'), join(folder, 'e.md'))
  mkdirSync(join(folder, 'empty'))
  const { files, ignored, links, unreadable } = walk(folder)
  expect(files).toEqual([
    { file: 'a.md', bytes: 3 },
    { file: 'b/c.md', bytes: 0 },
    { file: 'd.md', bytes: 0 },
    { file: 'e.md', bytes: 3 },
  ])
  // Hidden: .hidden, .git, node_modules; by the files: x.tmp, b/y.tmp, b/d.md, b/old.
  expect([ignored, [...links].sort()]).toEqual([7, ['b/above', 'b/beside', 'b/private.txt', 'b/up', 'dead']])
  expect(unreadable).toEqual([
    { file: 'bell\\u0007.md', bytes: 0, unreadable: 'name with control characters' },
  ])
})

test.each<[string, Uint8Array, string | RegExp]>([
  ['UTF-8', Buffer.from('Mühle'), 'Mühle'],
  ['UTF-8 with a mark', Buffer.from('\ufeffMühle'), 'Mühle'],
  ['UTF-16', Buffer.from('\ufeffMühle', 'utf16le'), 'Mühle'],
  ['UTF-16, the other way round', Buffer.from('\ufeffMühle', 'utf16le').swap16(), 'Mühle'],
  ['binary data', Buffer.from('a\0b'), /binary file with the name of a text/],
  [
    'broken UTF-8',
    Buffer.concat([Buffer.from('Mühle für Öl'), Buffer.of(0xff)]),
    /text in UTF-8 with broken characters/,
  ],
])('a text is decoded from %s', (_, bytes, text) => {
  if (typeof text === 'string') expect(decodeText(bytes)).toBe(text)
  else expect(() => decodeText(bytes)).toThrow(text)
})

test('a zip of files that together unpack to more than 256 MB is not unpacked', () => {
  const bytes = zipped({ 'a.xml': Buffer.from('a'), 'b.xml': Buffer.from('b') })
  const entries = ['indexOf', 'lastIndexOf'] as const
  // The directory at the end of a zip says how large each file is.
  const sized = (size: number) => {
    for (const find of entries) bytes.writeUInt32LE(size, bytes[find]('PK\u0001\u0002') + 24)
    return () => unzipped(bytes, 'book')
  }
  expect(sized(2 ** 27 + 1)).toThrow('book that unpacks to more than 256 MB')
})
