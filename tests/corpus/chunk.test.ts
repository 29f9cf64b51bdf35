import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { chunkDocuments, splitText } from '../../src/corpus/chunks/chunk.ts'
import { compareIds } from '../../src/text/ids.ts'
import { titledText } from '../../src/text/tokenize.ts'
import { countTokens } from '../../src/text/tokens.ts'
import type { Chunk, Document, Json } from '../../src/types.ts'

const document = (id: string, text: string, title = ''): Document => ({
  id,
  title,
  text,
  metadata: { from: id },
})
const texts = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc
    .array(
      fc.constantFrom(
        '# A\n',
        '## B\n',
        '### C\n',
        'One two three. ',
        'Four! ',
        '\n\n',
        '```\n# x\n```\n',
        'long '.repeat(30),
        '😀',
      ),
    )
    .map((parts) => parts.join('')),
)
const documentsOf = fc.uniqueArray(
  fc.record({
    id: fc.constantFrom('a', 'b', 'a#0000', 'é', '😀', '\uFFFF'),
    title: fc.constantFrom('', 'Title'),
    text: texts,
  }),
  { selector: ({ id }) => id, minLength: 1 },
)
const choices: { name: string; params: Record<string, Json> }[] = [
  { name: 'passages', params: {} },
  { name: 'tokens', params: { size: 8, overlap: 0 } },
  { name: 'tokens', params: { size: 16, overlap: 5 } },
  { name: 'sentences', params: { size: 8 } },
  { name: 'headings', params: { levels: 2 } },
  { name: 'headings', params: { levels: 6 } },
  { name: 'headings', params: { levels: 4, size: 8 } },
]

describe.each(choices)('$name $params', (choice) => {
  test('offsets are exact, chunks cover the text in order, ids are unique and in byte order', () => {
    fc.assert(
      fc.property(documentsOf, (items) => {
        const documents = items.map(({ id, text, title }) => document(id, text, title))
        const chunks = chunkDocuments(documents, choice)
        expect(new Set(chunks.map(({ id }) => id)).size).toBe(chunks.length)
        expect(chunks).toEqual([...chunks].sort((a, b) => compareIds(a.id, b.id)))
        for (const source of documents) {
          const documentChunks = chunks
            .filter(({ documentId }) => documentId === source.id)
            .sort((a, b) => a.position - b.position)
          expect(documentChunks.length).toBeGreaterThan(0)
          expect(documentChunks.map(({ position }) => position)).toEqual(
            documentChunks.map((_, place) => place),
          )
          checkCover(source, documentChunks, Number(choice.params.overlap ?? 0) > 0)
        }
      }),
      { numRuns: 60 },
    )
  })
})

function checkCover({ text, metadata }: Document, chunks: readonly Chunk[], overlap: boolean) {
  let covered = 0
  for (const chunk of chunks) {
    expect(chunk.text).toBe(text.slice(chunk.start, chunk.end))
    expect(chunk.tokens).toBe(countTokens(titledText(chunk)))
    expect(chunk.metadata).toBe(metadata)
    if (!overlap) expect(chunk.start).toBeGreaterThanOrEqual(covered)
    // Only white space lies between two chunks.
    if (chunk.start > covered) expect(text.slice(covered, chunk.start).trim()).toBe('')
    covered = Math.max(covered, chunk.end)
  }
  expect(text.slice(covered).trim()).toBe('')
}

describe('chunkers', () => {
  test('passages keep id and text as they are', () => {
    expect(
      chunkDocuments([document('a', ' text '), document('A', '', 'T')], { name: 'passages', params: {} }),
    ).toMatchObject([
      { id: 'A', documentId: 'A', start: 0, end: 0, text: '', title: 'T', tokens: 1 },
      { id: 'a', documentId: 'a', start: 0, end: 6, text: ' text ', position: 0, section: [] },
    ])
  })

  test('headings: cut at levels 2 to `levels`, with the path of headings', () => {
    const text = '# Book\nIntro.\n## One\nText.\n### Deep\nMore.\n#### Deeper\nMost.\n## Two\nEnd.'
    const chunks = chunkDocuments([document('a', text, 'File')], { name: 'headings', params: { levels: 3 } })
    expect(chunks.map(({ title, section, text: piece }) => [title, section.join(' > '), piece])).toEqual([
      ['Book', 'Book', '# Book\nIntro.'],
      ['One', 'Book > One', '## One\nText.'],
      ['Deep', 'Book > One > Deep', '### Deep\nMore.\n#### Deeper\nMost.'],
      ['Two', 'Book > Two', '## Two\nEnd.'],
    ])
    expect(
      chunkDocuments([document('a', 'No heading.', 'File')], { name: 'headings', params: {} }),
    ).toMatchObject([{ title: 'File', section: [], text: 'No heading.' }])
  })

  test('headings: a section inserted before moves no id; the second of one path has its number', () => {
    const sections = ['intro\n', '# A b!\nx\n', '## C\nx\n', '## C\ny\n', '# 0000\nz\n', '# 😀\nz\n']
    const ids = (parts: readonly string[]) =>
      chunkDocuments([document('d', parts.join(''))], { name: 'headings', params: { levels: 2 } })
        .sort((a, b) => a.position - b.position)
        .map(({ id }) => id)
    const before = ids(sections)
    expect(before).toEqual(['d#0000', 'd#a-b', 'd#a-b/c', 'd#a-b/c~2', 'd#0000~2', 'd#'])
    fc.assert(
      fc.property(fc.nat({ max: sections.length - 1 }), (at) => {
        // Below the first heading alone would another path be its parent.
        const inserted = sections[at + 1]?.startsWith('## ') ? '## New\nn\n' : '# New\nn\n'
        const after = ids([...sections.slice(0, at + 1), inserted, ...sections.slice(at + 1)])
        expect(after.filter((id) => !id.endsWith('new'))).toEqual(before)
        expect(after).toHaveLength(before.length + 1)
      }),
    )
  })
})

test.each([
  { size: 8, overlap: 0, tokens: [1, 7, 8, 9, 16, 17] },
  { size: 16, overlap: 5, tokens: [5, 15, 16, 17, 26, 27, 28, 38] },
])('windows of $size tokens, $overlap shared, end with the text', ({ size, overlap, tokens }) => {
  for (const count of tokens) {
    const text = ' one'.repeat(count)
    expect(countTokens(text)).toBe(count)
    const chunks = chunkDocuments([document('a', text)], { name: 'tokens', params: { size, overlap } })
    expect([count, chunks.length]).toEqual([
      count,
      Math.max(1, Math.ceil((count - overlap) / (size - overlap))),
    ])
    expect(chunks.at(-1)?.end).toBe(text.length)
  }
})

test.each<[string, string, (readonly [text: string, section: readonly string[]])[]]>([
  ['blanks before the first heading are no chunk', '\n\n## A\ntext', [['## A\ntext', ['A']]]],
  ['a heading at the beginning has nothing above', '## A\ntext\n', [['## A\ntext', ['A']]]],
  [
    "a document's own heading opens its first chunk",
    ' \n# Doc\nIntro.\n\n## A\ntext',
    [
      ['# Doc\nIntro.', ['Doc']],
      ['## A\ntext', ['Doc', 'A']],
    ],
  ],
  [
    'a text above the first heading is a chunk without a section',
    'Intro.\n# Doc\ntext',
    [
      ['Intro.', []],
      ['# Doc\ntext', ['Doc']],
    ],
  ],
  [
    'a second outermost heading cuts',
    '# Doc\none\n# More\ntwo',
    [
      ['# Doc\none', ['Doc']],
      ['# More\ntwo', ['More']],
    ],
  ],
  ['no text is one chunk without text', ' \n', [['', []]]],
])('sections of Markdown: %s', (_, text, expected) => {
  const document = { id: 'd', title: '', text, metadata: {} }
  const pieces = splitText(document, { name: 'headings', params: {} })
  expect(pieces.map(({ start, end, section = [] }) => [text.slice(start, end), section])).toEqual(expected)
})
