import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { zipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { LIMITS, readFiles } from '../../src/dataset/folder/read-files.ts'
import { kindOfFile } from '../../src/dataset/folder/readers/index.ts'
import { walk } from '../../src/dataset/folder/walk.ts'
import { documentsOf } from '../../src/dataset/formats/folder.ts'
import { loadDataset } from '../../src/dataset/load.ts'
import type { Dataset } from '../../src/dataset/types.ts'
import { temporaryFolder } from '../temporary.ts'

/** Files that reportlab, pypdf, python-docx, python-pptx and openpyxl wrote: make.py. */
const FILES = join(import.meta.dirname, '../dataset/folder/files')

const load = (path: string, questions?: string): Promise<Dataset> =>
  loadDataset({ name: 'folder', params: { path, ...(questions && { questions }) } }, '.')

/** Documents of a folder with these files, parsed anew. */
async function documentsIn(files: Record<string, string | Buffer>) {
  const folder = temporaryFolder(files)
  const read = await readFiles(folder, walk(folder).files)
  return { read, documents: documentsOf(read) }
}

describe('files of other programs', () => {
  test('become documents with titles, headings, pages and dates', async () => {
    const { documents, notices } = await load(FILES)
    const byId = new Map(documents.map((document) => [document.id, document]))
    expect(byId.get('harbour.pdf')).toMatchObject({
      title: 'Harbour rules',
      metadata: { date: '2000-01-01' },
    })
    const { text, metadata } = byId.get('harbour.pdf')!
    const [first, second] = metadata.pages as number[]
    expect(text.slice(first, second).trim()).toBe(
      'Harbour rules of Lomm\nEvery ship pays a toll of nine shells.',
    )
    expect(text.slice(second)).toMatch(/^At night the lantern/)
    expect(byId.get('mills.docx')).toMatchObject({
      title: 'Mills of the valley',
      metadata: { author: 'A. Miller' },
    })
    expect(byId.get('mills.docx')?.text).toContain(
      '# Mills\n\nThe upper mill grinds rye for three villages.\n\n## Wages\n',
    )
    expect(byId.get('mills.docx')?.text).toContain('| mill | stones |')
    expect(byId.get('salt.pptx')).toMatchObject({
      title: 'Salt trade',
      metadata: { pages: [0, expect.any(Number)] },
    })
    expect(byId.get('salt.pptx')?.text).toContain(
      '## Prices\n\nSalt costs four shells a bushel.\n\nMention the drought.',
    )
    expect(byId.get('ships.xlsx#Ships/1')).toMatchObject({
      title: 'Amber Thistle',
      text: 'A barge with a flat keel.',
      metadata: { built: '2024-03-01', sheet: 'Ships' },
    })
    expect(byId.get('ships.xlsx#Ports/1')?.text).toBe('port: Lomm\ndepth: 9')
    expect(notices).toEqual([
      '1 file left out, PDF of scanned pages without text: scanned.pdf',
      '1 file left out, encrypted PDF: encrypted.pdf',
    ])
  })

  test('are asked by questions of a spreadsheet, with gold by page and by quote', async () => {
    const { queries, spans, documents } = await load(FILES, join(FILES, 'questions.xlsx'))
    expect(queries.map(({ id, text, answers }) => [id, text, answers])).toEqual([
      ['q1', 'Who lights the lantern?', ['the keeper']],
      ['q2', 'What does a ship pay?', []],
    ])
    const { text } = documents.find(({ id }) => id === 'harbour.pdf')!
    const quoted = (id: string) => spans.get(id)?.map(({ start, end }) => text.slice(start, end).trim())
    expect(quoted('q1')).toEqual([expect.stringMatching(/^At night[\s\S]*lantern is lit\.$/)])
    expect(quoted('q2')).toEqual(['toll of nine shells'])
    expect(documents.some(({ id }) => id.startsWith('questions.xlsx'))).toBe(false)
  })
})

describe('texts', () => {
  test('front matter is metadata and title, never text; MDX loses its modules', async () => {
    const { documents } = await documentsIn({
      'a.md': '---\ntitle: The mill\ndate: 2024-05-06\ntags: [rye, stone]\n---\n# Heading\n\nIt grinds.\n',
      'b.md': '---\nnot: [a map\n---\nText.\n',
      'c.mdx':
        "import { Note } from './note'\n\nexport const meta = { x: 1 }\n\n# Locks\n\nA lock holds water.\n",
    })
    expect(documents).toEqual([
      {
        id: 'a.md',
        title: 'The mill',
        text: '# Heading\n\nIt grinds.\n',
        metadata: {
          title: 'The mill',
          date: expect.stringMatching(/^2024-05-06/),
          tags: ['rye', 'stone'],
          path: 'a.md',
        },
      },
      { id: 'b.md', title: 'b', text: '---\nnot: [a map\n---\nText.\n', metadata: { path: 'b.md' } },
      {
        id: 'c.mdx',
        title: 'Locks',
        text: expect.not.stringMatching(/import|export/),
        metadata: { path: 'c.mdx' },
      },
    ])
  })

  test('a page gives its main content with headings and tables, without menus', async () => {
    const words = 'The lock keeper opens the gates at dawn and closes them at dusk, every day of the year. '
    const page = `<!doctype html><html lang="en"><head><title>Locks | Canal</title><meta property="article:published_time" content="2023-02-03"></head>
<body><nav><a href="/">Home</a> <a href="/shop">Shop</a></nav><article><h1>Locks</h1><p>${words.repeat(6)}</p><h2>Prices</h2><table><tr><th>boat</th><th>toll</th></tr><tr><td>barge</td><td>9</td></tr></table><p>${words.repeat(4)}</p></article><script>var x = 'gates'</script><footer>Imprint</footer></body></html>`
    const { documents } = await documentsIn({ 'locks.html': page, 'short.htm': '<p>Only this line.</p>' })
    const [locks, short] = documents
    expect(locks.title).toMatch(/^Locks/)
    expect(locks.metadata).toEqual({ date: '2023-02-03', language: 'en', path: 'locks.html' })
    expect(locks.text).toMatch(/## Prices[\s\S]*\| barge \| 9 +\|/)
    expect(locks.text).not.toMatch(/Shop|Imprint|var x|<p>/)
    expect(short).toMatchObject({ title: 'short', text: 'Only this line.' })
  })

  test('encodings are found, and code is no heading', async () => {
    const latin = Buffer.from(
      'Der Müller mahlt in der Mühle über dem Fluß, und die Bäche führen früh Eis. '.repeat(8),
      'latin1',
    )
    const { documents } = await documentsIn({
      'utf16.txt': Buffer.from('\ufeffThe mill grinds.', 'utf16le'),
      'latin.txt': latin,
      'tool.py': '# A comment\nprint("```")\n',
    })
    const text = Object.fromEntries(documents.map((document) => [document.id, document.text]))
    expect(text['utf16.txt']).toBe('The mill grinds.')
    expect(text['latin.txt']).toContain('Der Müller mahlt in der Mühle')
    expect(text['tool.py']).toBe('````python\n# A comment\nprint("```")\n````\n')
    expect(documents.find(({ id }) => id === 'tool.py')?.title).toBe('tool.py')
  })

  test('rows of tables are documents, named by their key', async () => {
    const { documents } = await documentsIn({
      'faq.csv':
        'id,question,answer,team\nf1,"Who pays, and when?",The owner.,harbour\nf2,Where?,At the gate.,\n',
      'plain.tsv': 'port\tdepth\nLomm\t9\n',
      'log.jsonl': '{"message": "The lantern is lit.", "level": 3}\n',
    })
    expect(documents.map(({ id, title, text }) => [id, title, text])).toEqual([
      ['faq.csv#f1', 'Who pays, and when?', 'The owner.'],
      ['faq.csv#f2', 'Where?', 'At the gate.'],
      ['log.jsonl#1', 'log.jsonl, row 1', 'The lantern is lit.'],
      ['plain.tsv#1', 'plain.tsv, row 1', 'port: Lomm\ndepth: 9'],
    ])
    expect(documents[0].metadata).toEqual({ team: 'harbour', path: 'faq.csv' })
  })

  test('a heading that many files share is no title', async () => {
    const { documents } = await documentsIn({
      'a.md': '# Synopsis\nOne.\n',
      'b.md': '# Synopsis\nTwo.\n',
      'deep/README.md': '# Synopsis\nThree.\n',
      'd.md': '# Alone\nFour.\n',
    })
    expect(documents.map(({ title }) => title)).toEqual(['a', 'b', 'Alone', 'deep'])
  })
})

describe('nothing is skipped in silence', () => {
  test('other kinds, ignored files, broken links, binary files and damaged ones are counted by reason', async () => {
    const folder = temporaryFolder({
      'a.md': '# A\nText.\n',
      'empty.md': '\n',
      'x.png': 'x',
      'y.png': 'y',
      'z.bin': 'z',

      // The second rule names a folder, so the file `a.md` is read.
      '.gitignore': 'build/\na.md/\n',
      'build/a.md': '# B\n',
      '.hidden.md': '# H\n',
      'node_modules/a.md': '# N\n',
      'sub/.touchstoneignore': 'draft*\n',
      'sub/draft.md': '# D\n',
      'sub/kept.md': '# Kept\nText.\n',

      'bin.md': Buffer.from([35, 32, 0, 1, 2]),
      'bad.pdf': '%PDF-1.4 nothing',
      'bad.docx': 'PK nothing',
      'old.docx': Buffer.from([0xd0, 0xcf, 0x11, 0xe0]),
    })
    symlinkSync('nowhere', join(folder, 'gone.md'))
    symlinkSync('..', join(folder, 'sub', 'loop'))
    // What lies beside the folder is none of it.
    symlinkSync('../..', join(folder, 'sub', 'out'))
    const { documents, notices } = await load(folder)
    expect(documents.map(({ id }) => id)).toEqual(['a.md', 'sub/kept.md'])
    expect(notices).toEqual([
      '1 file left out, binary file with the name of a text: bin.md',
      '1 file left out, damaged PDF: bad.pdf',
      '1 file left out, damaged Word document: bad.docx',
      '1 file left out, empty file: empty.md',
      '1 file left out, encrypted or old Word document: old.docx',
      '3 files of other kinds left out: 2 .png, 1 .bin',
      '3 links not followed, to nowhere, out of the folder, or to a folder that is read already: gone.md, sub/loop, sub/out',
      '4 files and folders ignored: hidden, node_modules, or named by .gitignore or .touchstoneignore',
    ])
  })

  test('a zipped document that unpacks to far more than its size costs itself only', async () => {
    const bomb = Buffer.from(zipSync({ 'word/document.xml': new Uint8Array(1000) }))
    // The size that the directory at its end promises.
    bomb.writeUInt32LE(300 * 2 ** 20, bomb.indexOf('PK\u0001\u0002') + 24)
    const { read } = await documentsIn({ 'bomb.docx': bomb, 'a.md': '# A\nText.\n' })
    expect(read.map((one) => ('unreadable' in one ? one.unreadable : one.documents.length))).toEqual([
      1,
      'Word document that unpacks to more than 256 MB',
    ])
  })

  test('a file that takes its parser too long, or is too large, is left out, and the next one is read', async () => {
    const folder = temporaryFolder({
      'a.html': '<p>One.</p>',
      'b.html': '<p>Two.</p>',
      'c.md': 'x'.repeat(2000),
    })
    const files = walk(folder).files
    const limits = { seconds: 0.001, megabytes: 1024, bytes: 1000 }
    const slow = await readFiles(folder, files, { limits })
    expect(slow.map((one) => 'unreadable' in one && one.unreadable)).toEqual([
      'file that takes its parser more than 0.001 s of CPU time',
      'file that takes its parser more than 0.001 s of CPU time',
      expect.stringMatching(/^file of more than/),
    ])
    const whole = await readFiles(folder, files)
    expect(whole.every((one) => 'documents' in one)).toBe(true)
    const { seconds } = LIMITS
    LIMITS.seconds = 0.001
    try {
      await expect(load(folder)).rejects.toThrow(
        /a\.html: is a file that takes its parser more than 0\.001 s of CPU time; to leave it out, name it in \.touchstoneignore\n.*b\.html: /,
      )
    } finally {
      LIMITS.seconds = seconds
    }
  })

  test('a folder without documents says so', async () => {
    const folder = temporaryFolder({ 'x.png': 'x' })
    await expect(load(folder)).rejects.toThrow(
      'holds no document that can be read; of 1 file the first is x.png',
    )
  })
})

test('what was parsed is kept by the bytes of the file', async () => {
  const folder = temporaryFolder({ 'a.html': '<p>One.</p>' })
  const cache = temporaryFolder({})
  const read = () => readFiles(folder, walk(folder).files, { cache })
  const first = await read()
  expect(await read()).toEqual(first)
  // Limits that no parser can keep show that nothing is parsed.
  const limits = { seconds: 0.001, megabytes: 1024, bytes: 2 ** 20 }
  expect(await readFiles(folder, walk(folder).files, { cache, limits })).toEqual(first)
  // Another version of the reader parses anew.
  const reader = (await kindOfFile('a.html')?.load()) as { version: number }
  reader.version++
  const anew = readFiles(folder, walk(folder).files, { cache, limits })
  await expect(anew.finally(() => reader.version--)).resolves.not.toEqual(first)
  // An altered text is not taken.
  const [kept] = readdirSync(cache, { recursive: true, encoding: 'utf8' }).filter((one) =>
    one.endsWith('.json'),
  )
  writeFileSync(join(cache, kept), readFileSync(join(cache, kept), 'utf8').replace('One', 'Ono'))
  expect(await read()).toEqual(first)
  writeFileSync(join(folder, 'a.html'), '<p>Two.</p>')
  expect(documentsOf(await read())[0].text).toBe('Two.')
})

test('questions in a table: gold by file, heading and quote; rows of one question are one; every place of a quote is an alternative', async () => {
  const folder = temporaryFolder({
    'docs/a.md': '# Lomm\n\nShips pay nine shells.\n\n## Crew\n\nNine sailors.\n',
    'docs/b.md': '# Moor\n\nShips pay nine shells.\n',
  })
  const write = (text: string) => {
    mkdirSync(join(folder, 'q'), { recursive: true })
    writeFileSync(join(folder, 'q', 'q.csv'), text)
    return load(join(folder, 'docs'), join(folder, 'q', 'q.csv'))
  }
  const { queries, spans, groups } = await write(
    'question,document,heading,quote,category\nWhat do ships pay?,,,Ships pay nine shells.,money\nWho sails?,a.md,Lomm > Crew,,people\nWhat is Moor?,b.md,,,\nWhat is Moor?,a.md,,Nine sailors,\n',
  )
  expect(queries.map(({ id, category }) => [id, category])).toEqual([
    ['q1', 'money'],
    ['q2', 'people'],
    ['q3', null],
  ])
  expect(spans.get('q1')?.map(({ documentId }) => documentId)).toEqual(['a.md', 'b.md'])
  expect(groups.get('q1')).toHaveLength(1)
  expect(spans.get('q3')).toHaveLength(2)
  expect(groups.get('q3')).toBeUndefined()
  // As spreadsheets of other countries write it.
  const other = await write('question;document;quote\r\nWhat do ships pay?;a.md;"Ships pay nine shells."\r\n')
  expect(other.spans.get('q1')).toMatchObject([{ documentId: 'a.md' }])
  writeFileSync(join(folder, 'q', 'q.tsv'), 'question\tfile\tquote\nWho, say?\ta.md\tNine sailors\n')
  const tabbed = await load(join(folder, 'docs'), join(folder, 'q', 'q.tsv'))
  expect(tabbed.queries.map(({ text }) => text)).toEqual(['Who, say?'])
  expect(tabbed.spans.get('q1')).toMatchObject([{ documentId: 'a.md' }])
  // A comma that no quotes hold would cut the quote, and of two columns one would be taken.
  await expect(write('question,file,quote\nWho?,a.md,Nine sailors, and more\n')).rejects.toThrow(
    'q.csv:2: has 4 fields; the header has 3',
  )
  await expect(write('question,passage,evidence\nWho?,Nine sailors,Ships\n')).rejects.toThrow(
    'q.csv:1: the quote can be `passage` or `evidence`; say which with a header that has one of them',
  )
  const ranked = await write('question,context,quote\nWho?,Ships pay,Nine sailors\n')
  expect(ranked.spans.get('q1')).toMatchObject([{ documentId: 'a.md', start: 41 }])
  await expect(write('question,answer\nWho?,I\n')).rejects.toThrow(
    'needs the column "question", and "file" or "quote"; its columns are "question", "answer"',
  )
  await expect(write('question,file,page\nWho?,a.md,two\nWhere?,c.md,\n')).rejects.toThrow(
    /q\.csv:2: the page "two" is not a whole number[\s\S]*q\.csv:3: gold names the file "c\.md"/,
  )
})
