import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { z } from 'zod'
import type { Chunker } from '../../../src/corpus/chunks/chunkers/define.ts'
import type { Extractor } from '../../../src/corpus/graph/extractors/define.ts'
import { type CustomKind, loadCustom } from '../../../src/custom/load.ts'
import type { EmbedderDefinition } from '../../../src/models/embedder.ts'
import type { Named } from '../../../src/registry.ts'
import {
  customChunker,
  customEmbedder,
  customExtractor,
  customQueryTransform,
  customRankingTransform,
  customStrategy,
} from '../../../src/retrieve/custom/kinds.ts'
import { openStore } from '../../../src/store/store.ts'
import { withArticle } from '../../../src/text/article.ts'
import { temporaryFolder } from '../../temporary.ts'

/** Each kind, its function, and what else its files say. */
const KINDS: readonly {
  readonly kind: CustomKind<Named & { readonly params: z.ZodObject }>
  readonly called: string
  readonly more?: string
}[] = [
  { kind: customStrategy, called: 'retrieve', more: "source: 's'," },
  { kind: customQueryTransform, called: 'apply', more: "source: 's', kind: 'query'," },
  { kind: customRankingTransform, called: 'apply', more: "source: 's', kind: 'ranking'," },
  { kind: customChunker, called: 'split' },
  { kind: customEmbedder, called: 'embed' },
  { kind: customExtractor, called: 'extract' },
]

const load = <D>(kind: CustomKind<D>, text: string) =>
  loadCustom(`${temporaryFolder({ 'mine.mjs': text })}/mine.mjs`, kind)

/** A definition with this method, as in `split({ text }) { ... }`. */
const mine = (method: string, more = '') => `export default ({ z }) => ({
  name: 'mine', summary: 's', params: z.strictObject({ n: z.int().default(3) }), ${more}
  ${method}
})`

describe.each(KINDS)('$kind.word', ({ kind, called, more = '' }) => {
  const one = withArticle(kind.word)

  test('a file of this form is one', async () => {
    const found = await load(kind, mine(`${called}() {}`, more))
    expect(found.name).toBe('mine')
    expect(found.params.parse({})).toEqual({ n: 3 })
  })

  test.each([
    ['', `has no default export; ${one} is \`${kind.example}\``],
    ['export default 3', `is not ${one}`],
    ['export default {}', 'it lacks name (text), summary (text), '],
    ['export default {}', `${called} (a function)`],
    [mine(`${called}() {}`, more).replace("'mine'", "'my own'"), 'it lacks name (one word)'],
    [mine(`${called}() {}`, `${more} timeout: '3',`), 'it lacks timeout (seconds, above 0)'],
  ])('another is refused: %j', async (text, message) => {
    await expect(load(kind, text)).rejects.toThrow(message)
  })
})

test('a transform of one kind is none of the other', async () => {
  const [query, ranking] = ["source: 's', kind: 'query',", "source: 's', kind: 'ranking',"].map((more) =>
    mine('apply() {}', more),
  )
  await expect(load(customQueryTransform, ranking)).rejects.toThrow("it lacks kind ('query')")
  await expect(load(customRankingTransform, query)).rejects.toThrow("it lacks kind ('ranking')")
})

/** A short time for what has no end; more than enough for everything else, however busy the machine is. */
const within = (body: string) => `timeout: ${/for \(;;\)|=> \{\}\)/.test(body) ? 0.2 : 60},`

const document = { id: 'd1', title: 'T', text: 'One. Two. Three.', metadata: {} }

describe('a chunker', () => {
  const split = async (body: string, more = '') => {
    const chunker: Chunker = await load(customChunker, mine(`split(document, params) {\n${body}\n}`, more))
    return chunker.split(document, { n: 3 })
  }

  test('gives pieces, of what is a copy', async () => {
    const body =
      'document.text += "!"; params.n++; return [{ start: 0, end: 4, title: "t" }, { start: 2, end: params.n * 4 }]'
    expect(await split(body)).toEqual([
      { start: 0, end: 4, title: 't' },
      { start: 2, end: 16 },
    ])
    expect(document.text).toBe('One. Two. Three.')
  })

  test('may give pieces that begin together, and empty ones', async () => {
    const pieces = [
      { start: 0, end: 0 },
      { start: 0, end: 16 },
      { start: 0, end: 4 },
      { start: 16, end: 16 },
    ]
    expect(await split(`return ${JSON.stringify(pieces)}`)).toEqual(pieces)
  })

  test.each([
    ['', /mine\.mjs: `split` on the document d1 gave what it may not: must be a list, not undefined$/],
    ['return [{ start: 0 }]', /: lacks `0\.end`, which must be a number$/],
    ['return [{ start: 0, end: 2.5 }]', /: `0\.end` must be a whole number, not 2\.5$/],
    ['return [{ start: 0, end: 4, text: "One." }]', /: there is no `text` in `0`$/],
    ['return [{ start: 0, end: 17 }]', /: `0`: 0 to 17 does not lie in a text of 16 letters$/],
    ['return [{ start: 4, end: 3 }]', /: `0`: 4 to 3 does not lie/],
    ['return [{ start: 4, end: 5 }, { start: 0, end: 3 }]', /: `1` begins before the one above$/],
    [
      'return Array(7).fill({ start: -1, end: 1 })',
      /not: (`\d\.start` must be at least 0, not -1; ){5}2 more$/,
    ],
    [
      'return Array(5).fill({ start: -1, end: 1 })',
      /not: (`\d\.start` must be at least 0, not -1; ){4}`4\.start` must be at least 0, not -1$/,
    ],
    ['return document.none.x', /mine\.mjs:4:\d+: `split` on the document d1 failed: Cannot read/],
    ['throw "no"', /mine\.mjs: `split` on the document d1 failed: no/],
    ['for (;;);', /mine\.mjs: `split` on the document d1 gave no answer within 0\.2 s/],
  ])('that does wrong is told with its file: %j', async (body, message) => {
    await expect(split(body, within(body))).rejects.toThrow(message)
  })
})

describe('an embedder', () => {
  async function open(body: string, more = '') {
    const text = mine(`embed(texts, params) {\n${body}\n}`, more)
    const embedder: EmbedderDefinition = await load(customEmbedder, text)
    const artifact = embedder.artifact({ n: 3 }, { terms: () => expect.fail('reads no corpus') })
    const store = openStore(temporaryFolder())
    await store.prepare(artifact)
    return store.open(artifact)
  }

  test('gives vectors, which are normalised; zeros stay zeros', async () => {
    const { dims, embed, model } = await open(
      'return texts.map((text) => [...text.padEnd(params.n).slice(0, params.n)].map((letter) => letter.charCodeAt(0) - 32))',
    )
    expect(dims).toBe(3)
    expect(model).toMatch(/^mine \([0-9a-f]{12}\)$/)
    const texts = fc.array(fc.string({ unit: fc.constantFrom(' ', '!', 'a', 'z'), maxLength: 3 }), {
      maxLength: 5,
    })
    await fc.assert(
      fc.asyncProperty(texts, async (texts) => {
        const vectors = await embed(texts)
        expect(vectors.length).toBe(3 * texts.length)
        texts.forEach((text, row) => {
          const given = Array.from({ length: 3 }, (_, i) => (text.charCodeAt(i) || 32) - 32)
          const size = Math.hypot(...given)
          for (const [i, value] of given.entries())
            expect(vectors[3 * row + i]).toBeCloseTo(size === 0 ? 0 : value / size, 6)
        })
      }),
      { numRuns: 30 },
    )
  })

  test('may give vectors of one number', async () => {
    const { dims, embed } = await open('return texts.map(() => [-5])')
    expect([dims, ...(await embed(['a', 'b']))]).toEqual([1, -1, -1])
  })

  test('is another one where its code or a file that it reads is', async () => {
    const body = 'return texts.map(() => [1])'
    const nameOf = async (words: string, more = "files: ['words.txt'],") => {
      const text = mine(`embed(texts) {\n${body}\n}`, more)
      const folder = temporaryFolder({ 'mine.mjs': text, 'words.txt': words })
      const embedder = await loadCustom(`${folder}/mine.mjs`, customEmbedder)
      const artifact = embedder.artifact({ n: 3 }, { terms: () => expect.fail('reads no corpus') })
      const store = openStore(temporaryFolder())
      await store.prepare(artifact)
      return (await store.open(artifact)).model
    }
    const [one, again, other, none] = [
      ...(await Promise.all([nameOf('a'), nameOf('a'), nameOf('b'), nameOf('a', '')])),
    ]
    expect(again).toBe(one)
    expect(new Set([one, other, none]).size).toBe(3)
    expect(await nameOf('b', '')).toBe(none)
  })

  test('may promise them, as typed arrays', async () => {
    const { embed } = await open('return Promise.resolve(texts.map(() => Float32Array.of(3, 4)))')
    expect([...(await embed(['a']))]).toEqual([...Float32Array.of(0.6, 0.8)])
  })

  const long = '"a".length === texts[0].length'
  test.each([
    ['', /mine\.mjs: `embed` must give a list of 1 vectors, one a text/],
    ['return []', /must give a list of 1 vectors/],
    ['return texts.map(() => [])', /must give vectors of one number or more/],
    ['return texts.map(() => 3)', /must give vectors of one number or more/],
    [
      'return texts.map(() => [NaN, 1])',
      /gave a vector that holds a number that is not finite to the text "dims"/,
    ],
    [
      `return texts.map(() => (${long} ? [1] : [1, 2]))`,
      /gave a vector of 1 numbers to the text "a"; others have 2/,
    ],
    [
      `return texts.map(() => (${long} ? null : [1, 2]))`,
      /gave a vector of undefined numbers to the text "a"/,
    ],
    ['return texts.none.x', /mine\.mjs:4:\d+: `embed` failed: Cannot read/],
    ['return Promise.reject(new Error("no server"))', /mine\.mjs:4:\d+: `embed` failed: no server/],
    ['for (;;);', /`embed` gave no answer within 0\.2 s/],
    ['return new Promise(() => {})', /`embed` gave no answer within 0\.2 s/],
  ])('that does wrong is told with its file: %j', async (body, message) => {
    const embed = async () => (await open(body, within(body))).embed(['a'])
    await expect(embed()).rejects.toThrow(message)
  })
})

describe('an extractor', () => {
  const chunk = { id: 'd1', documentId: 'd1', position: 0, start: 0, end: 16, section: [], tokens: 3 }
  const input = { documents: [document], chunks: [{ ...document, ...chunk }] }
  async function extract(body: string) {
    const text = mine(`extract({ chunks, documents }, params) {\n${body}\n}`, within(body))
    const extractor: Extractor = await load(customExtractor, text)
    return extractor.extract(input, { n: 3 })
  }

  test('may leave out what is usual', async () => {
    const body = `chunks.pop(); documents[0].text = ''
      return { mentions: [{ name: 'T', chunk: 0 }], links: [{ source: 'T', target: 'T', chunk: -1 }] }`
    expect(await extract(body)).toEqual({
      mentions: [{ name: 'T', chunk: 0, count: 1 }],
      links: [{ source: 'T', target: 'T', chunk: -1, predicate: '', weight: 1 }],
      describe: { separator: ' ', tokens: 100 },
      notices: {},
    })
    expect(input.chunks).toHaveLength(1)
    expect(await extract('return Promise.resolve({ mentions: [] })')).toMatchObject({
      mentions: [],
      links: [],
    })
    const whole = {
      mentions: [{ name: 'T', chunk: 0, count: 0.5 }],
      links: [{ source: 'T', target: 'T', predicate: 'is', chunk: 0, weight: 0, relation: 'is' }],
      describe: { separator: '', tokens: 2 },
      notices: { lost: 1 },
    }
    expect(await extract(`return ${JSON.stringify(whole)}`)).toEqual(whole)
  })

  test.each([
    ['', /mine\.mjs: `extract` gave what it may not: must be a map, not undefined$/],
    ['return {}', /: lacks `mentions`, which must be a list$/],
    ['return { mentions: [{ name: "T", chunk: 1 }] }', /: `mentions\.0\.chunk` must be at most 0, not 1$/],
    [
      'return { mentions: [{ name: "T", chunk: 0, count: 0 }] }',
      /: `mentions\.0\.count` must be above 0, not 0$/,
    ],
    [
      'return { mentions: [], links: [{ source: "T", target: "T", chunk: 0, relation: "" }] }',
      /`links\.0\.relation`/,
    ],
    [
      'return { mentions: [], describe: { separator: "", tokens: 0 } }',
      /: `describe\.tokens` must be at least 1, not 0$/,
    ],
    ['return { mentions: [{ chunk: 0 }] }', /: lacks `mentions\.0\.name`, which must be text$/],
    [
      'return { mentions: [], links: [{ source: "T", chunk: 0 }] }',
      /: lacks `links\.0\.target`, which must be text$/,
    ],
    [
      'return { mentions: [{ name: "T", chunk: 0, descripton: "" }] }',
      /: there is no `descripton` in `mentions\.0`$/,
    ],
    ['return chunks.none.x', /mine\.mjs:4:\d+: `extract` failed: Cannot read/],
    ['for (;;);', /`extract` gave no answer within 0\.2 s/],
  ])('that does wrong is told with its file: %j', async (body, message) => {
    await expect(extract(body)).rejects.toThrow(message)
  })
})
