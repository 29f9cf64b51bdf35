import { expect, test } from 'vitest'
import { createTokenizer, ENGLISH, tokenize } from '../../src/text/tokenize.ts'

test('invisible characters part no token, whatever the tokenizer', () => {
  for (const sign of '\u00ad\u034f\u061c\u200b\u200c\u200d\u200e\u200f\u202a\u202e\u2060\u2066\u2069\ufe0f\ufeff\u{e0101}') {
    expect(tokenize(`data${sign}base`)).toEqual(['database'])
    for (const name of ['words', 'segmenter', 'whitespace'] as const) {
      const tokens = createTokenizer({ ...ENGLISH, scripts: ['Latin', 'Greek'], tokenizer: { name } })
      expect(tokens(`data${sign}base`), `${name} ${sign.codePointAt(0)}`).toEqual(['database'])
    }
  }
})

test('a zero-width non-joiner parts Persian words, also behind a vowel mark', () => {
  const tokens = createTokenizer({ tokenizer: { name: 'words' }, scripts: ['Arabic'], languages: {} })
  expect(tokens('بزرگ\u200cترین')).toHaveLength(2)
  expect(tokens('بزرگِ\u200cترین')).toEqual(tokens('بزرگ\u200cترین'))
})
