import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { coreProperties, unzipped, xmlOf, zipped } from '../../../src/dataset/folder/office.ts'
import { Unreadable } from '../../../src/dataset/folder/reader.ts'
import { docx } from '../../../src/dataset/folder/readers/docx.ts'
import { html } from '../../../src/dataset/folder/readers/html.ts'
import { kindOfFile } from '../../../src/dataset/folder/readers/index.ts'
import { pdf } from '../../../src/dataset/folder/readers/pdf.ts'
import { pptx } from '../../../src/dataset/folder/readers/pptx.ts'
import { csv } from '../../../src/dataset/folder/readers/table.ts'
import { readWorkbook, xlsx } from '../../../src/dataset/folder/readers/xlsx.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const zip = (files: Record<string, string>) =>
  zipped(Object.fromEntries(Object.entries(files).map(([path, text]) => [path, bytes(text)])))
const file = (name: string) => readFileSync(join(import.meta.dirname, 'files', name))
const none = (reason: string) => new Unreadable(reason)
/** A reader's result or error as a promise. */
const read = async (reader: typeof csv, content: string | Uint8Array, name = 'a/b.x') =>
  reader.read(typeof content === 'string' ? bytes(content) : content, name)

describe('tables', () => {
  const row = (part: string, title: string, text: string, metadata: object = {}) => ({
    part,
    title,
    text,
    metadata,
  })

  test('have a text, a title and a key by the best names; all else is metadata', async () => {
    expect(
      await read(
        csv,
        'Doc-ID,Title,Page content,Year,Note\nx,Salt,Salt is sold.,1900,\ny, ,Bells,,n\nz,Gate,,1,\n',
        't.csv',
      ),
    ).toEqual([
      row('x', 'Salt', 'Salt is sold.', { Year: '1900' }),
      row('y', 't.csv, row 2', 'Bells', { Note: 'n' }),
      row('z', 'Gate', 'Gate', { Year: '1' }),
    ])
    expect(await read(csv, 'id,body,text\n1,b,t\n', 't.csv')).toEqual([
      row('1', 't.csv, row 1', 't', { body: 'b' }),
    ])
  })
})

describe('pages', () => {
  test('of HTML have a title, a date and a language, and the whole body if they are short pieces', async () => {
    const [page] = await read(
      html,
      '<html lang="en"><head><title> Salt\n of  Lomm </title><meta name="date" content=" 2024-03-01 "><style>p{}</style></head><body><h2>Trade</h2><p>It is sold.</p><script>x()</script></body></html>',
    )
    expect(page).toEqual({
      title: 'Salt of Lomm',
      text: '## Trade\n\nIt is sold.',
      metadata: { date: '2024-03-01', language: 'en' },
    })
    expect(await read(html, '<p>Alone</p>')).toEqual([{ title: '', text: 'Alone', metadata: {} }])
    await expect(read(html, '<html><body><script>x()</script></body></html>')).rejects.toThrow(
      none('HTML without text'),
    )
  })

  test('of HTML have no text that the page hides, but closed tabs', async () => {
    const long = (word: string) => `${word} is sold in the harbour, by the bushel, to all who ask. `.repeat(8)
    const [page] = await read(
      html,
      `<html><body><main><p>${long('Salt')}</p><p hidden>${long('Secret')}</p><p style="color: red; display :none">${long('Trap')}</p><p style="visibility:hidden">${long('Ghost')}</p><template><p>${long('Mould')}</p></template><div role="tabpanel" hidden><p>${long('Tin')}</p></div><p hidden="until-found">${long('Rye')}</p><p style="display:block">${long('Wool')}</p></main></body></html>`,
    )
    expect(
      page.text.match(/[A-Z][a-z]+(?= is sold)/g)?.filter((word, at, all) => word !== all[at - 1]),
    ).toEqual(['Salt', 'Tin', 'Rye', 'Wool'])
    expect(page.remarks).toEqual([{ what: 'text that the page hides (`hidden`, `display: none`)', count: 3 }])
    expect((await read(html, '<p>Alone</p><i style="display:none"> </i>'))[0].remarks).toBeUndefined()
  })
})

describe('slides', () => {
  const shape = (type: string, ...lines: string[]) =>
    `<p:sp><p:nvPr>${type && `<p:ph type="${type}"/>`}</p:nvPr>${lines
      .map(
        (line) =>
          `<a:p>${line
            .split('|')
            .map((run) => `<a:r><a:t>${run}</a:t></a:r>`)
            .join('')}</a:p>`,
      )
      .join('')}</p:sp>`
  const slide = (...parts: string[]) => `<p:sld>${parts.join('')}</p:sld>`
  const relations = (...all: [id: string, type: string, target: string][]) =>
    `<Relationships>${all.map(([id, type, target]) => `<Relationship Id="${id}" Type="x/${type}" Target="${target}"/>`).join('')}</Relationships>`

  test('are sections below their titles, with tables and notes, in the order of their numbers', async () => {
    const content = zip({
      'ppt/slides/slide10.xml': slide(shape('', 'Ten')),
      'ppt/slides/slide2.xml': slide(
        shape('', ' First ', '', 'Sec|ond'),
        shape('title', 'Salt'),
        '<a:tbl><a:tr><a:tc><a:p><a:t>a</a:t></a:p><a:p><a:t>b</a:t><a:t>b</a:t></a:p></a:tc><a:tc><a:p><a:t> c </a:t></a:p></a:tc></a:tr></a:tbl>',
      ),
      'ppt/slides/slide3.xml': slide(shape('ctrTitle', 'Gate')),
      'ppt/slides/_rels/slide3.xml.rels': relations(['n', 'notesSlide', '../notesSlides/notesSlide1.xml']),
      'ppt/notesSlides/notesSlide1.xml': slide(shape('', 'Say it', '3')),
      'docProps/core.xml':
        '<x><dc:title>PowerPoint Presentation</dc:title><dcterms:created>2023</dcterms:created><dcterms:modified> 2024 </dcterms:modified><dc:creator>Ada</dc:creator></x>',
    })
    const text = '## Salt\n\nFirst\n\nSecond\n\na bb | c\n\n## Gate\n\nSay it\n\n## Ten\n\n'
    expect(await read(pptx, content)).toEqual([
      {
        title: '',
        text,
        metadata: {
          date: '2024',
          author: 'Ada',
          pages: [0, text.indexOf('## Gate'), text.indexOf('## Ten')],
        },
      },
    ])
  })
})

describe('Office documents', () => {
  test('of Word and PDF files have their words, titles and pages', async () => {
    const [word] = await read(docx, file('mills.docx'))
    expect(word.text.trim()).not.toBe('')
    await expect(read(docx, zip({ a: '' }))).rejects.toThrow(none('damaged Word document'))
    await expect(read(docx, zip({ 'word/document.xml': '<x' }))).rejects.toThrow(
      none('damaged Word document'),
    )
    const [paper] = await read(pdf, file('harbour.pdf'))
    const { pages, date } = paper.metadata as { pages: number[]; date?: string }
    expect(pages[0]).toBe(0)
    expect(pages).toEqual([...pages].sort((a, b) => a - b))
    for (const start of pages.slice(1)) expect(paper.text.slice(start - 2, start)).toBe('\n\n')
    expect(date ?? '2024-01-01').toMatch(/^\d{4}-\d\d-\d\d$/)
    await expect(read(pdf, file('scanned.pdf'))).rejects.toThrow(none('PDF of scanned pages without text'))
    await expect(read(pdf, file('encrypted.pdf'))).rejects.toThrow(none('encrypted PDF'))
    await expect(read(pdf, 'no PDF')).rejects.toThrow(none('damaged PDF'))
  })

  test('that are damaged, encrypted or old are told apart', () => {
    expect(() => unzipped(bytes('no zip'), 'thing')).toThrow(none('damaged thing'))
    expect(() => unzipped(Uint8Array.of(0xd0, 0xcf, 1), 'thing')).toThrow(none('encrypted or old thing'))
    for (const other of [Uint8Array.of(0xd0, 1), Uint8Array.of(1, 0xcf)])
      expect(() => unzipped(other, 'thing')).toThrow(none('damaged thing'))
    const files = unzipped(zip({ 'a.xml': '<a>1</a>', 'b.PNG': 'x', 'c.jpeg': 'x' }), 'thing')
    expect(Object.keys(files)).toEqual(['a.xml'])
    expect([xmlOf(files, 'a.xml')?.getElementsByTagName('a')[0].textContent, xmlOf(files, 'b.xml')]).toEqual([
      '1',
      undefined,
    ])
    expect(coreProperties({})).toEqual({ title: '', metadata: {} })
  })

  test('of Excel have a document a row of every sheet', async () => {
    const { sheets } = await readWorkbook(file('ships.xlsx'))
    const documents = await read(xlsx, file('ships.xlsx'), 'ships.xlsx')
    const full = sheets.filter(({ rows }) => rows.length > 1)
    expect(documents).toHaveLength(full.reduce((sum, { rows }) => sum + rows.length - 1, 0))
    expect(documents.map(({ metadata }) => metadata.sheet)).toEqual(
      full.flatMap(({ name, rows }) => rows.slice(1).map(() => name)),
    )
    await expect(read(xlsx, zip({ a: '' }))).rejects.toThrow(none('damaged spreadsheet'))
  })
})

test.each([
  ['a/b.MD', 'markdown', false],
  ['a.mdx', 'markdown', false],
  ['a.rst', 'text', false],
  ['a.htm', 'html', false],
  ['a.pdf', 'pdf', false],
  ['a.docx', 'docx', false],
  ['a.pptx', 'pptx', false],
  ['a.json', 'json', true],
  ['a.xlsx', 'xlsx', false],
  ['a.csv', 'csv', true],
  ['a.tsv', 'tsv', true],
  ['a.ndjson', 'jsonl', true],
  ['a.b.py', 'code', true],
])('%s is read as %s', async (name, reader, isData) => {
  const kind = kindOfFile(name)
  expect([(await kind?.load())?.name, kind?.data ?? false]).toEqual([reader, isData])
  expect(kind?.heavy ?? false).toBe(['html', 'pdf', 'docx', 'pptx', 'xlsx'].includes(reader))
})

test.each(['a', 'a.unknown', 'md', 'a.md/b'])('%s is no document', (name) => {
  expect(kindOfFile(name)).toBeUndefined()
})
