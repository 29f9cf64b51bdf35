import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { LISTS } from '../../../src/config/parts.ts'
import type { Chunker } from '../../../src/corpus/chunks/chunkers/index.ts'
import type { Extractor } from '../../../src/corpus/graph/extractors/index.ts'
import { askNobody } from '../../../src/corpus/writer.ts'
import { type CustomKind, loadCustom } from '../../../src/custom/load.ts'
import type { EmbedderPart } from '../../../src/models/embedders/index.ts'
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
import { testCases } from '../../case-files.ts'
import { temporaryFolder } from '../../temporary.ts'

const KINDS: readonly CustomKind<Named & { readonly params: z.ZodObject }>[] = [
  customStrategy,
  customQueryTransform,
  customRankingTransform,
  customChunker,
  customEmbedder,
  customExtractor,
]

const load = <D>(kind: CustomKind<D>, text: string) =>
  loadCustom(`${temporaryFolder({ 'mine.mjs': text })}/mine.mjs`, kind)

/** A definition with this method, as in `split({ text }) { ... }`. */
const mine = (method: string, more = '') => `export default ({ z }) => ({
  name: 'mine', summary: 's', params: z.strictObject({ n: z.int().default(3) }), ${more}
  ${method}
})`

describe.each(KINDS)('$word', (kind) => {
  const one = withArticle(kind.word)

  test('a file of this form is one', async () => {
    const found = await load(kind, mine('make() {}'))
    expect(found.name).toBe('mine')
    expect(found.params.parse({})).toEqual({ n: 3 })
  })

  test.each([
    ['', `has no default export; ${one} is \`${kind.example}\``],
    ['export default 3', `is not ${one}`],
    [
      'export default {}',
      'lacks `name`, which must be text; lacks `summary`, which must be text; `params` must be z.strictObject({...}); `make` must be a function',
    ],
    [mine('make() {}').replace("'mine'", "'my own'"), '`name` must be one word'],
    [mine('make() {}', "timeout: '3',"), '`timeout` must be a number, not the text `3`'],
  ])('another is refused: %j', async (text, message) => {
    await expect(load(kind, text)).rejects.toThrow(message)
  })
})

test('built-in parts pass the check of custom files', async () => {
  for (const list of LISTS)
    for (const part of await list.load())
      if ('make' in part) expect(customChunker.schema.loose().safeParse(part).error).toBeUndefined()
})

test('a transform of one kind is none of the other', async () => {
  const transform = await load(customRankingTransform, mine('make: () => ({ rewrite: (query) => query })'))
  expect(() => transform.make({ n: 3 })).toThrow('`make` must give {rank}, a function')
})

/** A short time for what has no end; more than enough for everything else, however busy the machine is. */
const within = (body: string) => `timeout: ${/for \(;;\)|=> \{\}\)/.test(body) ? 0.2 : 60},`

const document = { id: 'd1', title: 'T', text: 'One. Two. Three.', metadata: {} }

async function split(body: string, more = '') {
  const text = mine(`make: (params) => ({ split(document) {\n${body}\n} })`, more)
  const chunker: Chunker = await load(customChunker, text)
  return chunker.make({ n: 3 }).split(document)
}

async function openEmbedder(body: string, more = '') {
  const text = mine(`make: (params) => ({ embed(texts) {\n${body}\n} })`, more)
  const embedder: EmbedderPart = await load(customEmbedder, text)
  const artifact = embedder.make({ n: 3 }).artifact({ terms: () => expect.fail('reads no corpus') })
  const store = openStore(temporaryFolder())
  await store.prepare(artifact)
  return store.open(artifact)
}

const chunk = { id: 'd1', documentId: 'd1', position: 0, start: 0, end: 16, section: [], tokens: 3 }
const input = { documents: [document], chunks: [{ ...document, ...chunk }] }
async function extract(body: string, more = '') {
  const text = mine(`make: () => ({ extract({ chunks, documents }) {\n${body}\n} })`, more)
  const extractor: Extractor = await load(customExtractor, text)
  return extractor.make({ n: 3 }).extract(input, askNobody)
}

/** Each line of a case names a part and the body of its method, which does wrong. */
describe('a custom part that does wrong is told with its file', () => {
  const runs: Readonly<Record<string, (body: string, more: string) => Promise<unknown>>> = {
    chunker: split,
    embedder: async (body, more) => (await openEmbedder(body, more)).embed(['a']),
    extractor: extract,
  }
  testCases(join(import.meta.dirname, '../../golden/parts'), async ({ lines }) => {
    const texts: string[] = []
    for (const line of lines) {
      const [, part, body] = /^(\w+): (.*)$/.exec(line) ?? []
      const message = await runs[part](body, within(body)).then(
        () => 'accepted',
        (error: Error) =>
          error.message.replace(/\S*(mine\.mjs)/g, '$1').replace(/(Cannot read) .*/, '$1 ...'),
      )
      texts.push(line, `  ${message}`)
    }
    return texts
  })
})

describe('a chunker', () => {
  test('gives pieces, of what is a copy', async () => {
    const body =
      'document.text += "!"; params.n++; return [{ start: 0, end: 4, title: "t" }, { start: 2, end: params.n * 4 }]'
    expect(await split(body)).toEqual([
      { start: 0, end: 4, title: 't' },
      { start: 2, end: 16 },
    ])
    expect(document.text).toBe('One. Two. Three.')
  })
})

describe('an embedder', () => {
  test('gives vectors, which are normalised; zeros stay zeros', async () => {
    const { dims, embed, model } = await openEmbedder(
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

  test('is another one where its code or a file that it reads is', async () => {
    const body = 'return texts.map(() => [1])'
    const nameOf = async (words: string, more = "files: ['words.txt'],") => {
      const text = mine(`make: () => ({ embed(texts) {\n${body}\n} })`, more)
      const folder = temporaryFolder({ 'mine.mjs': text, 'words.txt': words })
      const embedder = await loadCustom(`${folder}/mine.mjs`, customEmbedder)
      const artifact = embedder.make({ n: 3 }).artifact({ terms: () => expect.fail('reads no corpus') })
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
})

describe('an extractor', () => {
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
})
