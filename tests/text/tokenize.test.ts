import fc from 'fast-check'
import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, test } from 'vitest'
import { createAnalyzer, titledText, tokenize } from '../../src/text/tokenize.ts'
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
    expect(createAnalyzer({ stemmer: 'porter2', stopwords: 'english' })(text)).toEqual(['general', 'run'])
    expect(createAnalyzer({ stemmer: 'none', stopwords: 'english' })(text)).toEqual([
      'generalizations',
      'running',
    ])
    expect(createAnalyzer({ stemmer: 'porter2', stopwords: 'none' })(text)).toEqual([
      'the',
      'general',
      'of',
      'run',
    ])
  })

  test('repeat, and do not depend on what was analysed before', () => {
    const used = createAnalyzer({ stemmer: 'porter2', stopwords: 'english' })
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(used(text)).toEqual(createAnalyzer({ stemmer: 'porter2', stopwords: 'english' })(text))
      }),
      { numRuns: 10 },
    )
  })

  test('a title and a text are joined by a newline, the one alone where the other is empty', () => {
    expect([
      titledText({ title: 'a', text: 'b' }),
      titledText({ title: 'a', text: '' }),
      titledText({ title: '', text: 'b' }),
    ]).toEqual(['a\nb', 'a', 'b'])
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
    const analyze = createAnalyzer({ stemmer: 'porter2', stopwords: 'english' })
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

  test('are as many as the package encodes, whatever was counted before', () => {
    const text = fc.string({
      unit: fc.constantFrom(
        ' ',
        '  ',
        '\t',
        '\n',
        '\r\n',
        "'s",
        "it's",
        ' The',
        'the',
        'Straße',
        '123',
        '4567',
        '--',
        '/',
        '...',

        '字',
        'ไทย',
        'é',
        'e\u0301',
        '😀',
        '\uD83D',
        'x'.repeat(70),
        '<|endoftext|>',
        'iPhone',
        '\u00a0',
        'ǅ',
      ),
      maxLength: 12,
    })
    fc.assert(
      fc.property(text, (content) => {
        expect(countTokens(content)).toBe(encode(content, { disallowedSpecial: new Set() }).length)
      }),
      { numRuns: 500 },
    )
  })

  test('the first letter of four bytes has two units', () => {
    const [text, last] = ['\uffff\u{10000}', 3]
    expect(text).toHaveLength(last)
    expect(tokenEnds(text).at(-1)).toBe(last)
    expect([...tokenEnds(text)]).not.toContain(2)
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
