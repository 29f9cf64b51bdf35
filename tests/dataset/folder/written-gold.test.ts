import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { zipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { decodeText } from '../../../src/dataset/folder/decode.ts'
import { markdownOf } from '../../../src/dataset/folder/html-markdown.ts'
import { coreProperties, unzipped, xmlOf, zipped } from '../../../src/dataset/folder/office.ts'
import { readQuestions } from '../../../src/dataset/folder/questions.ts'
import { readFiles } from '../../../src/dataset/folder/read-files.ts'
import { walk } from '../../../src/dataset/folder/walk.ts'
import type { DatasetSink } from '../../../src/dataset/sink.ts'
import type { Diagnostic } from '../../../src/errors.ts'
import type { Document } from '../../../src/types.ts'
import { temporaryFolder } from '../../temporary.ts'

const BOOK =
  '# Lomm\n\nAt the strait.\n\n## Harbour\n\nIt silts up. Salt.\n\n## Crew\n\nPaid in salt. Salt.\n'
const FEES = '# A\n\n## Fee\n\nTwo coins. Two coins.\n\n## Toll\n\nTwo coins.\n\n## Fee\n\nNone.\n'
const DOCUMENTS: Document[] = [
  { id: 'lomm.md', title: 'Lomm', text: BOOK, metadata: {} },
  { id: 'log.pdf#1', title: '', text: 'One page.Two page.', metadata: { path: 'log.pdf', pages: [0, 9] } },
  { id: 'fees.md', title: 'A', text: FEES, metadata: {} },
  { id: 'rows#1', title: '', text: 'first row', metadata: { path: 'rows.csv' } },
  { id: 'rows#2', title: '', text: 'second row', metadata: { path: 'rows.csv' } },
]

async function read(name: string, content: string) {
  const path = join(temporaryFolder({ [name]: content }), name)
  const wrong: string[] = []
  const notices: string[] = []
  const queries: unknown[][] = []
  const gold: unknown[][] = []
  const missing: unknown[][] = []
  const texts = new Map(DOCUMENTS.map(({ id, text }) => [id, text]))
  const sink = {
    diagnostic: ({ file, line, message }: Diagnostic) =>
      void wrong.push(`${file === path ? '' : file}${line === undefined ? '' : `${line}: `}${message}`),
    notice: (message: string) => void notices.push(message),
    elsewhere: (id: string) => void missing.push([id]),
    query: ({ id, text, metadata, category, answers, answerable }: never) =>
      void queries.push([id, text, category, answers, answerable, metadata]),
    span(id: string, { documentId, start, end }: never, _: unknown, group?: string) {
      gold.push([id, texts.get(documentId)?.slice(start, end), ...(group ? [group] : [])])
    },
    missing: (id: string, { name, message, group }: never) =>
      void missing.push([id, name, message, ...(group ? [group] : [])]),
  } as unknown as DatasetSink
  await readQuestions(path, DOCUMENTS, sink)
  return { wrong, notices, queries, gold, missing }
}
const line = (gold: unknown, more = {}) => JSON.stringify({ _id: 'q', text: 'Why?', gold, ...more })
const lined = (...gold: unknown[]) => read('q.jsonl', line(gold))

describe('gold in JSON lines', () => {
  test.each<[object, ...unknown[][]]>([
    [{ file: 'lomm.md' }, ['q', BOOK]],
    [{ file: 'lomm.md', quote: 'It  silts\nup.' }, ['q', 'It silts up.']],
    [{ quote: 'strait', group: 'g' }, ['q', 'strait', 'g']],
    [{ file: 'lomm.md', quote: 'Salt.' }, ['q', 'Salt.', 'gold 1'], ['q', 'Salt.', 'gold 1']],
    [{ file: 'lomm.md', quote: 'Salt.', headings: ['Lomm', 'Crew'] }, ['q', 'Salt.']],
    [
      { file: 'fees.md', quote: 'Two coins.', headings: ['A', 'Fee'] },
      ['q', 'Two coins.', 'gold 1'],
      ['q', 'Two coins.', 'gold 1'],
    ],
    [{ file: 'lomm.md', headings: ['Lomm', 'Harbour'] }, ['q', '## Harbour\n\nIt silts up. Salt.\n\n']],
    [{ file: 'log.pdf', page: 1 }, ['q', 'One page.']],
    [{ file: 'log.pdf', page: 2 }, ['q', 'Two page.']],
    [{ file: 'log.pdf', page: 2, quote: 'page' }, ['q', 'page']],
    [{ file: 'log.pdf#1', page: 1, quote: 'One page.' }, ['q', 'One page.']],
    [{ file: 'rows.csv' }, ['q', 'first row', 'gold 1'], ['q', 'second row', 'gold 1']],
    [{ file: 'rows.csv', quote: 'second' }, ['q', 'second']],
  ])('%j is found', async (gold, ...spans) => {
    expect(await lined(gold)).toEqual({
      wrong: [],
      notices: [],
      missing: [],
      queries: [['q', 'Why?', null, [], true, {}]],
      gold: spans,
    })
  })

  test.each<[object, string, string]>([
    [
      { file: 'lom.md' },
      'lom.md',
      'gold names the file "lom.md", which the folder does not hold (did you mean "lomm.md"?)',
    ],
    [{ quote: 'nowhere' }, ' > nowhere', 'gold of query "q": no document holds the quote "nowhere"'],
    [
      { file: 'lomm.md', quote: 'gone' },
      'lomm.md > gone',
      'gold of query "q": lomm.md does not hold the quote "gone"',
    ],
    [
      { file: 'rows.csv', quote: 'third' },
      'rows.csv > third',
      'gold of query "q": rows.csv has no document with "third"',
    ],
    [
      { file: 'rows.csv', headings: ['A', 'B'] },
      'rows.csv > A > B',
      'gold of query "q": rows.csv has no document with "A > B"',
    ],
    [{ file: 'lomm.md', page: 1 }, 'lomm.md > page 1', 'gold of query "q": lomm.md has no pages'],
    [
      { file: 'log.pdf', page: 3 },
      'log.pdf > page 3',
      'gold of query "q": log.pdf has 2 pages, and gold names page 3',
    ],
    [
      { file: 'log.pdf', page: 2, quote: 'One' },
      'log.pdf > page 2 > One',
      'gold of query "q": log.pdf does not hold the quote "One" on page 2',
    ],
  ])('%j is missing', async (gold, name, message) => {
    const { wrong, missing, gold: found } = await lined(gold)
    expect([wrong, found, missing]).toEqual([[], [], [['q', name, message]]])
  })

  test.each<[unknown, string]>([
    ['a', 'a piece of gold must be an object, not the string "a"'],
    [
      { files: 'a' },
      'a piece of gold has no key "files" (did you mean "file"?); there are file, headings, page, quote, group',
    ],
    [{ file: ' ' }, '"file" must be a text that is not empty'],
    [{ file: 'a', headings: 'A' }, '"headings" must be a list of strings'],
    [{ file: 'a', headings: [] }, '"headings" must be a list of strings'],
    [{ file: 'a', headings: ['A', 1] }, '"headings" must be a list of strings'],
    [{ file: 'a', page: 0 }, '"page" must be a whole number from 1'],
    [{ file: 'a', page: 1.5 }, '"page" must be a whole number from 1'],
    [{ file: 'a', page: '1' }, '"page" must be a whole number from 1'],
    [{ quote: '' }, '"quote" must be a text that is not empty'],
    [{ file: 'a', group: 5 }, '"group" must be a text that is not empty'],
    [{ headings: ['A'], page: 1 }, 'a piece of gold needs a "file", a "quote" or both'],
  ])('%j is refused', async (gold, message) => {
    expect(await lined(gold)).toMatchObject({ wrong: [`1: ${message}`], gold: [], missing: [['q']] })
  })

  test('is a list; without any a question has none', async () => {
    expect(await read('q.jsonl', line('a'))).toMatchObject({
      wrong: ['1: "gold" must be a list, not the string "a"'],
    })
    expect(await read('q.jsonl', line(undefined))).toMatchObject({ wrong: [], gold: [], missing: [] })
    expect(await read('q.jsonl', '')).toMatchObject({ wrong: ['holds no question'] })
    expect(await read('q.jsonl', '{"text"')).toMatchObject({
      wrong: [expect.stringMatching(/^1: is not valid JSON/)],
    })
    expect((await read('q.jsonl', line([], { category: 'c' }))).notices).toEqual([
      'q.jsonl: 1 query has "category" outside of "metadata" and so not read; move it there',
    ])
  })
})

describe('gold in a table', () => {
  test('is a piece a row; the rows of an id or of a question are one question', async () => {
    const table =
      '_id,question,file,heading,page,quote,answer,category,group,answerable\n' +
      '1,Why?,lomm.md,Lomm > Crew,,,"[""a"", ""b""]",fact,,\n' +
      '1,,log.pdf,,2,page,c,,g,TRUE\n' +
      '2, Who? ,,,,strait,,,,no\n' +
      ',,,,,,,,,\n' +
      '3,When?,,,,,,,,\n'
    const { wrong, notices, queries, gold } = await read('q.csv', table)
    expect([wrong, notices]).toEqual([[], []])
    expect(queries).toEqual([
      ['1', 'Why?', 'fact', ['a', 'b', 'c'], true, {}],
      ['2', 'Who?', null, [], false, {}],
      ['3', 'When?', null, [], true, {}],
    ])
    expect(gold).toEqual([
      ['1', '## Crew\n\nPaid in salt. Salt.\n'],
      ['1', 'page', 'g'],
      ['2', 'strait'],
    ])
    const bare = await read('q.tsv', 'question\tfile\nWhy?\tlomm.md\nWho?\trows#1\nWhy?\trows#2\n')
    expect(bare.queries.map(([id, text]) => [id, text])).toEqual([
      ['q1', 'Why?'],
      ['q2', 'Who?'],
    ])
    expect(bare.gold.map(([id]) => id)).toEqual(['q1', 'q1', 'q2'])
  })

  test('records with the keys of a table are rows; a list names several files or quotes', async () => {
    const record = (fields: object) => `${JSON.stringify(fields)}\n`
    const rows =
      record({ question: 'Why?', documents: ['lomm.md'], headings: ['Lomm', 'Crew'], answers: ['a', 'b'] }) +
      record({ question: 'Who?', quote: ['strait', 'Paid in'], page: null })
    for (const [file, content] of [
      ['q.jsonl', rows],
      ['q.json', `[${rows.trim().replace('\n', ',')}]`],
      [
        'q.csv',
        'question,documents,headings,answers,quote\nWhy?,"[""lomm.md""]",Lomm > Crew,"[\'a\', \'b\']",\nWho?,,,,"[""strait"", ""Paid in""]"\n',
      ],
    ]) {
      const { wrong, queries, gold } = await read(file, content)
      expect(wrong).toEqual([])
      expect(queries).toEqual([
        ['q1', 'Why?', null, ['a', 'b'], true, {}],
        ['q2', 'Who?', null, [], true, {}],
      ])
      expect(gold.map(([id, text]) => [id, text])).toEqual([
        ['q1', '## Crew\n\nPaid in salt. Salt.\n'],

        ['q2', 'strait'],
        ['q2', 'Paid in'],
      ])
    }
    const two = record({ question: 'Why?', files: ['lomm.md', 'log.pdf'], quotes: ['strait', 'Salt.', 'x'] })
    expect((await read('q.jsonl', two)).wrong).toContainEqual(
      '1: names 2 files and 3 quotes: name one file, or one for each quote',
    )
  })

  test.each<[string, string[], string[]?]>([
    [
      'question,page\na,1\n',
      [
        '1: needs the column "question", and "file" or "quote"; its columns are "question", "page"; rename those that hold them',
      ],
    ],
    [
      'file,quote\na,b\n',
      [
        '1: needs the column "question", and "file" or "quote"; its columns are "file", "quote"; rename those that hold them',
      ],
    ],
    ['question,file\n', ['holds no question']],
    [
      'question,file\n,lomm.md\n',
      [
        '2: has gold and no question; write the question, or its id, in each of its rows',
        'holds no question',
      ],
    ],
    ['question,file,page\na,log.pdf,x\n', ['2: the page "x" is not a whole number']],
    ['question,file\na,lomm.md,,x\nb,lomm.md,\n', ['2: has 4 fields; the header has 2']],
    ['question,file,answerable\na,lomm.md,maybe\n', ['2: answerable must be true or false, not "maybe"']],
    [
      'question,file,answer\na,lomm.md,"[""x"", 1]"\n',
      ['2: the answer is no readable list: "[\\"x\\", 1]"; write it as a JSON list of texts'],
    ],
    ['_id,question,file\n1,a,lomm.md\n1,b,lomm.md\n', ['3: has another text for question "1" than line 2']],
    [
      '_id,question,file\n1,a,lomm.md\n,a,lomm.md\n',
      ['3: has no id, and line 2 asks the same question as "1"; write the id in each of its rows'],
    ],
    [
      '_id,question,file\n,a,lomm.md\n1,a,lomm.md\n',
      ['3: asks as "1" the question of line 2, which has no id; write the id in each of its rows'],
    ],
    [
      'question,file,answerable\na,lomm.md,yes\na,lomm.md,0\n',
      [
        '3: has "false" in the column "answerable" for question "a", and line 2 has "true"; the rows of a question share one',
      ],
    ],
    [
      'question,file,relevance\na,lomm.md,1\na,rows#1,0\n',
      [
        '1: the column "relevance" holds "0", and each row of a table of questions is gold: keep the rows of relevant passages, and remove the column',
      ],
    ],
    [
      'question,file,relevance\na,lomm.md,1\na,rows#1,\n',
      [
        '1: the column "relevance" holds "", and each row of a table of questions is gold: keep the rows of relevant passages, and remove the column',
      ],
    ],
    ['question,file,relevance\na,lomm.md,1\nb,,\n', []],
    [
      'file,question,relevance\nlomm.md,a,1\nrows#1,a,\n',
      [
        '1: the column "relevance" holds "", and each row of a table of questions is gold: keep the rows of relevant passages, and remove the column',
      ],
    ],
    ['question,file,note\na,lomm.md, \n', []],
    ['', ['holds no question']],
    ['question,file,label\na,lomm.md,good\n', [], ['q.csv: column not read: "label"']],
    [
      'question,file,score\na,lomm.md,2\n',
      [
        '1: the column "score" holds "2", and each row of a table of questions is gold: keep the rows of relevant passages, and remove the column',
      ],
    ],
    ['question,file,note, more ,none\na,lomm.md,x,y,\n', [], ['q.csv: columns not read: "note", "more"']],
    [
      'question,file,type\na,lomm.md,x\na,lomm.md,y\na,lomm.md,z\n',
      [],
      [
        expect.any(String),
        'q.csv: the column "type" differs within a question in 2 rows; the first value is the category. Name the column `category` to have such rows refused',
      ],
    ],
    ['query,source\na,lomm.md\n', [], ['q.csv: question from `query`, file from `source`']],
    [
      'question,file\na,"lomm"x\n',
      ['2: a field holds a quote; put the field in quotes and double the quote inside it'],
    ],
  ])('%j: %j', async (table, errors, told = []) => {
    const { wrong, notices } = await read('q.csv', table)
    expect([wrong, notices]).toEqual([errors, told])
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

test('files that are no documents are told by reason, in their order and with the progress', async () => {
  const folder = temporaryFolder({ 'a.md': 'text', 'b.xyz': 'x', 'c.md': '', 'd.md': 'x'.repeat(2000) })
  const told: unknown[] = []
  const found = ['a.md', 'b.xyz', 'c.md', 'd.md'].map((file, i) => ({
    file,
    bytes: [4, 1, 0, 2 * 2 ** 20][i],
  }))
  const read = await readFiles(folder, found, {
    limits: { seconds: 1, megabytes: 64, bytes: 2 ** 20 },
    progress: (...progress) => told.push(progress),
  })
  expect(read.map((one) => ('unreadable' in one ? one.unreadable : one.documents.length))).toEqual([
    1,
    'unknown kind',
    'empty file',
    'file of more than 1 MB',
  ])
  expect(told).toEqual([0, 1, 2, 3, 4].map((done) => ['reading files', done, 4]))
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

test('HTML becomes Markdown: links and images keep their words', () => {
  const html =
    '<h2>T</h2><p>a <em>b</em> <a href="x">c</a></p>\n\n\n<ul><li>d</li></ul><img src="x" alt="e"><img src="y"><pre><code>f</code></pre>'
  expect(markdownOf({ innerHTML: html })).toBe('## T\n\na b c\n\n-   d\n\ne\n\n```\nf\n```')
  expect([markdownOf(null), markdownOf(undefined), markdownOf({ innerHTML: ' ' })]).toEqual(['', '', ''])
})

test('a zipped document has files without its pictures, and properties', () => {
  const core =
    '<?xml version="1.0"?><c><dc:title> T </dc:title><dc:creator>Ann</dc:creator><dcterms:created>2020-01-01</dcterms:created><dcterms:modified>2021-01-01</dcterms:modified></c>'
  const bytes = zipSync({
    'docProps/core.xml': Buffer.from(core),
    'a.PNG': Buffer.of(1),
    'b.png.xml': Buffer.from('<b/>'),
  })
  const files = unzipped(bytes, 'document')
  expect(Object.keys(files)).toEqual(['docProps/core.xml', 'b.png.xml'])
  expect(Object.keys(unzipped(zipped(files), 'document'))).toEqual(['docProps/core.xml', 'b.png.xml'])
  expect(coreProperties(files)).toEqual({ title: 'T', metadata: { date: '2021-01-01', author: 'Ann' } })
  expect(coreProperties({})).toEqual({ title: '', metadata: {} })
  const early = core.replace(/<dcterms:modified>.*<\/dcterms:modified>/, '').replace('Ann', '')
  expect(coreProperties({ 'docProps/core.xml': Buffer.from(early) })).toEqual({
    title: 'T',
    metadata: { date: '2020-01-01' },
  })
  expect(xmlOf({}, 'a')).toBeUndefined()
  expect(() => unzipped(Buffer.from('no zip'), 'Word document')).toThrow(/^damaged Word document$/)
  expect(() => unzipped(Buffer.of(0xd0, 0xcf, 1), 'Word document')).toThrow(
    /^encrypted or old Word document$/,
  )
  expect(() => unzipped(Buffer.of(0xd0, 0xce, 1), 'Word document')).toThrow(/^damaged Word document$/)
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
