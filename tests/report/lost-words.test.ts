import { expect, test } from 'vitest'
import { lostWordsLines, wordsInWords } from '../../src/report/data-notes.ts'
import type { WordsSummary } from '../../src/results/summary.ts'

const thai = { script: 'Thai', share: 0.98, recognised: 'thai', language: 'thai' }
const latin = { script: 'Latin', share: 0.02, recognised: null, language: 'english' }
const search = { name: 'bm25', queries: 100, wordless: 0, unknown: 12 }
const words: WordsSummary = {
  ...{ tokenizer: 'words', language: 'auto', texts: 240 },
  ...{ scripts: [thai, latin], searches: [search] },
}
const lineOf = (change: Partial<WordsSummary> = {}) =>
  lostWordsLines([{ name: 'variant 1', words: { ...words, ...change } }])

test('queries without a word of the corpus are counted, with how words are read and what would read others', () => {
  expect(lineOf()).toEqual([
    'bm25: finds nothing for 12 of 100 judged queries, which share no word with the corpus (tokenizer words, language thai, english (auto)); try `prepare.tokenizer: auto`.',
  ])
})

test('the advice is what differs from the default; of the default, and of words with spaces, there is none', () => {
  expect(lineOf({ tokenizer: 'ngrams 5' })[0]).toContain('try `prepare.tokenizer: auto`')
  expect(lineOf({ tokenizer: 'auto' })[0]).toContain('they may be in another language')
  expect(lineOf({ scripts: [latin] })[0]).not.toContain('try')
  const german = { ...latin, recognised: 'english', language: 'german' }
  expect(lineOf({ language: 'german', scripts: [german] })[0]).toContain('try `prepare.language: auto`')
  expect(lineOf({ scripts: [german] })[0]).toContain('they may be in another language')
  const known = { ...latin, recognised: 'german', language: 'german' }
  expect(lineOf({ language: 'german', scripts: [known] })[0]).toContain('they may be in another language')
})

test('stop words alone are another reason, and no loss is no line', () => {
  const [line] = lineOf({ tokenizer: 'auto', searches: [{ ...search, wordless: 1, unknown: 0 }] })
  expect(line).toContain('1 of 100 judged queries, which has no word besides stop words')
  expect(line).not.toContain('another language')
  expect(lineOf({ searches: [{ ...search, unknown: 0 }] })).toEqual([])
  expect(lostWordsLines([{ name: 'variant 1' }])).toEqual([])
})

test('scripts and languages are reported, recognised or assumed', () => {
  expect(wordsInWords(words)).toBe(
    'tokenizer words; language auto: Thai (98.0 % of the letters) thai, Latin (2.0 %) treated as english; based on 240 texts',
  )
})
