import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { coreProperties, unzipped, xmlOf, zipped } from '../../../src/dataset/folder/office.ts'
import { Unreadable } from '../../../src/dataset/folder/reader.ts'
import { docx } from '../../../src/dataset/folder/readers/docx.ts'
import { html } from '../../../src/dataset/folder/readers/html.ts'
import { kindOfFile } from '../../../src/dataset/folder/readers/index.ts'
import { markdown } from '../../../src/dataset/folder/readers/markdown.ts'
import { pdf } from '../../../src/dataset/folder/readers/pdf.ts'
import { pptx } from '../../../src/dataset/folder/readers/pptx.ts'
import { csv, json, jsonl, rowsAsDocuments } from '../../../src/dataset/folder/readers/table.ts'
import { code, text as plain } from '../../../src/dataset/folder/readers/text.ts'
import { errorCells, readWorkbook, xlsx } from '../../../src/dataset/folder/readers/xlsx.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const zip = (files: Record<string, string>) =>
  zipped(Object.fromEntries(Object.entries(files).map(([path, text]) => [path, bytes(text)])))
const file = (name: string) => readFileSync(join(import.meta.dirname, 'files', name))
const none = (reason: string) => new Unreadable(reason)
/** What a reader gives, or throws, as a promise. */
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

  test('name columns without a name, beyond the header or of one name by a number', () => {
    expect(rowsAsDocuments([['a', '', 'a', 'a'], ['1', '2', '3', '4', '5'], ['6']], 't')).toEqual([
      row('1', 't, row 1', 'a: 1\ncolumn 2: 2\na 2: 3\na 3: 4\ncolumn 5: 5'),
      row('2', 't, row 2', 'a: 6'),
    ])
    for (const rows of [[], [['a']]])
      expect(() => rowsAsDocuments(rows, 't')).toThrow(none('table without rows'))
  })

  test('of JSON Lines keep the values of their fields', async () => {
    expect(
      await read(
        jsonl,
        '{"_id":7,"text":" a ","tags":["x"],"gone":null}\n \n{"_id":8,"text":{"b":1}}\n',
        't.jsonl',
      ),
    ).toEqual([row('7', 't.jsonl, row 1', 'a', { tags: ['x'] }), row('8', 't.jsonl, row 2', '{"b":1}')])
    await expect(read(jsonl, '{"a":1}\n\n[1]')).rejects.toThrow(
      none('damaged JSON Lines (line 3 is no object)'),
    )
    await expect(read(jsonl, '{')).rejects.toThrow(/^damaged JSON Lines \(line 1 is not valid JSON: /)
    await expect(read(csv, 'a,b\n1,2\n"3,4\n')).rejects.toThrow(/^damaged CSV \(line 3: /)
  })
})

test('JSON is a document for each record of a list, if each has a text', async () => {
  const [{ part, text }] = await read(json, '[{"id": "a", "text": "Salt"}]')
  expect([part, text]).toEqual(['a', 'Salt'])
  for (const content of ['{"text": "a"}', '[]', '[{"text": "a"}, {"name": "b"}]', '3'])
    await expect(read(json, content)).rejects.toThrow(none('JSON that is no list of records with a text'))
  await expect(read(json, '[')).rejects.toThrow(/^damaged JSON \(is not valid JSON: /)
})

describe('texts', () => {
  test('of code stand in a fence that is longer than any in it', async () => {
    expect(await read(code, 'a = 1  \n\n', 'x/A.PY')).toEqual([
      { title: 'x/A.PY', text: '```python\na = 1\n```\n', metadata: { language: 'python' } },
    ])
    expect((await read(code, '````\n```', 'a.rs'))[0].text).toBe('`````rust\n````\n```\n`````\n')
    expect((await read(code, 'x', 'a.unknown'))[0].metadata).toEqual({ language: 'text' })
    expect(await read(code, ' \n', 'a.py')).toEqual([])
    expect(await read(plain, 'As it is. ')).toEqual([{ title: '', text: 'As it is. ', metadata: {} }])
  })

  test.each<[string, string, object, string]>([
    ['# One *two*\n\nText', 'One two', {}, '# One *two*\n\nText'],
    ['---\ntitle: " Salt "\nyear: 3\n---\nText', 'Salt', { title: ' Salt ', year: 3 }, 'Text'],
    ['---\ntitle: 3.10\n---\n# H', '3.10', { title: '3.10' }, '# H'],
    ['---\ntitle: [a]\n---\n# H', 'H', { title: ['a'] }, '# H'],
    ['---\na: 1\n...\n# H\n', 'H', { a: 1 }, '# H\n'],
    ['---\n# nothing\n---\n# H', 'H', {}, '# H'],
    ['---\n- a\n---\nText', '', {}, '---\n- a\n---\nText'],
    ['---\n[\n---\nText', '', {}, '---\n[\n---\nText'],
    ['---\nbig: 12345678901234567890\n---\nText', '', { big: expect.anything() }, 'Text'],
  ])('of Markdown: %j', async (content, title, metadata, text) => {
    expect(await read(markdown, content, 'a.md')).toEqual([{ title, text, metadata }])
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

  test('stand in the order of the presentation; lines and fallbacks of a shape are read as shown', async () => {
    const content = zip({
      'ppt/presentation.xml':
        '<p:presentation><p:sldIdLst><p:sldId id="256" r:id="r2"/><p:sldId id="257" r:id="r1"/><p:sldId id="258" r:id="gone"/></p:sldIdLst></p:presentation>',
      'ppt/_rels/presentation.xml.rels': relations(
        ...([
          ['r1', 'slide', 'slides/slide1.xml'],
          ['r2', 'slide', '/ppt/slides/slide2.xml'],
        ] as [string, string, string][]),
      ),
      'ppt/slides/slide1.xml': slide(shape('', 'Moved')).replace('<p:sld>', '<p:sld show="0">'),
      'ppt/slides/slide2.xml': slide(
        '<p:sp><a:p><a:r><a:t>Salt</a:t></a:r><a:br><a:rPr/></a:br><a:r><a:t>Price</a:t></a:r><a:br/><a:r><a:t>List</a:t></a:r></a:p></p:sp>',
        `<mc:AlternateContent><mc:Choice>${shape('', 'Once')}</mc:Choice><mc:Fallback>${shape('', 'Once')}</mc:Fallback></mc:AlternateContent>`,
      ),
    })
    const text = '## Salt Price List\n\nOnce\n\n## Moved\n\n'
    expect(await read(pptx, content)).toEqual([
      {
        title: '',
        text,
        metadata: { pages: [0, text.indexOf('## Moved')] },
        remarks: ['with hidden slides, read as the others'],
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

  test('PDF with words cut at the end of a line is named', async () => {
    const lined = (...lines: string[]) => {
      const drawn = `BT /F1 12 Tf 14 TL 50 700 Td ${lines.map((line) => `(${line}) Tj T*`).join(' ')} ET`
      return [
        '%PDF-1.4',
        '1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj',
        '2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj',
        '3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>endobj',
        `4 0 obj<</Length ${drawn.length}>>stream\n${drawn}\nendstream endobj`,
        '5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj',
        'trailer<</Root 1 0 R>>',
      ].join('\n')
    }
    const [cut] = await read(pdf, lined('The harbour has infor-', 'mation for ships.'))
    expect(cut.text).toContain('infor-\nmation')
    expect(cut.remarks).toEqual(['with words that a hyphen cuts at the end of a line, read as two'])
    expect((await read(pdf, lined('The harbour has -', 'no ships.')))[0].remarks).toBeUndefined()
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

  test('and their cells with errors are named by place', () => {
    const cells =
      '<c r="B2" t="e"><f>1/0</f><v>#DIV/0!</v></c><c r="C2"><v>1</v></c><x:c t="e"></x:c>' +
      '<c r="D1" s="1"/><c r="D2"><f>C2</f></c><c r="D3" t="str"><f>E3</f><v></v></c><c r="D4"><f>C2</f><v>1</v></c>'
    expect(errorCells(cells)).toEqual(['B2 (#DIV/0!)', '? (error)', 'D2 (never calculated)'])
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
