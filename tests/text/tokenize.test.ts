import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createAnalyzer, ENGLISH, titledText, tokenize } from '../../src/text/tokenize.ts'
import { countTokens, cutTokens, tokenEnds } from '../../src/text/tokens.ts'
import { describeForm } from '../conformance/forms.ts'
import { corpusOf } from '../corpus/corpora.ts'

describe('terms', () => {
  test('NFKC, lower case, runs of letters and digits', () => {
    expect(tokenize('ﬁne Ⅻ—Ünïcode, x2 don’t 東京')).toEqual([
      'fine',
      'xii',
      'ünïcode',
      'x2',
      'don',
      't',
      '東京',
    ])
    expect(tokenize('')).toEqual([])
  })

  test('stop words and stems are choices', () => {
    const text = 'The generalizations of running'
    expect(createAnalyzer()(text)).toEqual(['general', 'run'])
    expect(createAnalyzer({ ...ENGLISH, stemmer: false })(text)).toEqual(['generalizations', 'running'])
    expect(createAnalyzer({ ...ENGLISH, stopwords: false })(text)).toEqual(['the', 'general', 'of', 'run'])
  })
})

interface Terms {
  readonly dataset: string
  readonly vocabulary: number
  readonly meanLength: number
  readonly queries: readonly { readonly query: string; readonly tokens: readonly string[] }[]
}

describeForm<{ sets: Terms[] }>('bm25', ({ sets }) => {
  test.each(sets)('the terms of $dataset', async ({ dataset, vocabulary, meanLength, queries }) => {
    const { documents, queries: asked } = (await corpusOf(dataset)).dataset
    const analyze = createAnalyzer()
    const terms = documents.map((document) => analyze(titledText(document)))
    expect(new Set(terms.flat()).size).toBe(vocabulary)
    expect(terms.flat().length / documents.length).toBeCloseTo(meanLength, 9)
    for (const { query, tokens } of queries)
      expect(analyze(asked.find(({ id }) => id === query)?.text ?? '')).toEqual(tokens)
  })
})

describe('o200k tokens', () => {
  test('are counted as OpenAI counts them; special tokens are plain text', () => {
    expect(countTokens('')).toBe(0)
    expect(countTokens('hello world')).toBe(2)
    // 13 in cl100k, the encoding of older models.
    expect(countTokens('नमस्ते दुनिया')).toBe(5)
    expect(countTokens('<|endoftext|>')).toBeGreaterThan(1)
  })

  // Counts of tiktoken 0.14.
  test.each([
    ['\ufeffhello', 2],
    ['W\ufeff / \ufeff37.533', 7],
    ['\ufeffทีมรับ', 3],
    ['a\u0085\u0085 b', 6],
    ["IT'S we'LL \u017f'\u017f it'\u017f", 12],
  ])('a byte order mark is no space, and U+0085 is one: %j', (text, tokens) => {
    expect(countTokens(text)).toBe(tokens)
  })

  test('ends ascend to the end of the text, one a token, between characters', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.string({ unit: fc.constantFrom('\uFEFF', '😀', '𠀀', 'é', ' the', '\uD83D'), maxLength: 20 }),
    )
    fc.assert(
      fc.property(text, fc.nat(12), (content, limit) => {
        const ends = [...tokenEnds(content)]
        expect(ends).toHaveLength(countTokens(content))
        expect(ends.at(-1) ?? 0).toBe(content.length)
        expect(ends).toEqual([...ends].sort((a, b) => a - b))
        for (const end of ends)
          expect(
            /[\uD800-\uDBFF]/.test(content[end - 1] ?? '') && /[\uDC00-\uDFFF]/.test(content[end] ?? ''),
          ).toBe(false)
        const cut = cutTokens(content, limit)
        expect(content.startsWith(cut)).toBe(true)
        if (ends.length <= limit) expect(cut).toBe(content)
        else expect(cut).toBe(content.slice(0, limit === 0 ? 0 : ends[limit - 1]))
      }),
      { numRuns: 500 },
    )
  })
})
