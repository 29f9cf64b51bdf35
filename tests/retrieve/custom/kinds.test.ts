import { describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { LISTS } from '../../../src/config/parts.ts'
import { type CustomKind, loadCustom } from '../../../src/custom/load.ts'
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
import { withArticle } from '../../../src/text/schema-words.ts'
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
  const article = withArticle(kind.word)

  test.each([
    ['', `has no default export; ${article} is \`${kind.example}\``],
    ['export default 3', `is not ${article}`],
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

describe('an embedder', () => {
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
    const [first, again, other, none] = [
      ...(await Promise.all([nameOf('a'), nameOf('a'), nameOf('b'), nameOf('a', '')])),
    ]
    expect(again).toBe(first)
    expect(new Set([first, other, none]).size).toBe(3)
    expect(await nameOf('b', '')).toBe(none)
  })
})
