import { readFileSync } from 'node:fs'
import { brotliDecompressSync } from 'node:zlib'
import fc from 'fast-check'
import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { expect, test } from 'vitest'
import winkBm25 from 'wink-bm25-text-search'
import { compileKernel, kernels } from '../../../scripts/kernels.mjs'
import { tokenTable } from '../../../scripts/token-table.mjs'
import { createBm25, createLexicon } from '../../../src/corpus/lexical/bm25.ts'
import { countTerms } from '../../../src/text/term-counts.ts'
import { countTokens } from '../../../src/text/tokens.ts'

/** Committed files are what packages make of their sources, and kernels agree with packages. */

test('there are kernels', () => {
  expect(kernels().length).toBeGreaterThan(0)
})

test.each(kernels())('%s is what the binary beside it was compiled from', async (path) => {
  const compiled = Buffer.from(await compileKernel(path))
  const committed = readFileSync(path.replace(/\.wat$/, '.wasm'))
  expect(compiled.equals(committed)).toBe(true)
})

test("the table of tokens is gpt-tokenizer's", () => {
  const committed = readFileSync(new URL('../../../src/text/o200k.br', import.meta.url))
  expect(brotliDecompressSync(committed).equals(tokenTable())).toBe(true)
})

test('a text has as many tokens as gpt-tokenizer gives it, whatever was counted before', () => {
  const parts = [
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
  ]
  const signs = [
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
  ]
  const text = fc.string({ unit: fc.constantFrom(...parts, ...signs), maxLength: 12 })
  fc.assert(
    fc.property(text, (content) => {
      expect(countTokens(content)).toBe(encode(content, { disallowedSpecial: new Set() }).length)
    }),
    { numRuns: 5000 },
  )
})

test('BM25 is that of wink-bm25-text-search', () => {
  const texts = [
    'ship crew storm',
    'port port map star',
    'crew map',
    'ice ice ice ship crew',
    'star star storm',
    'map ice port',
  ]
  const analyze = (text: string) => text.split(' ')
  const wink = winkBm25()
  wink.defineConfig({ fldWeights: { text: 1 }, bm25Params: { k1: 0.9, b: 0.4, k: 1 } })
  wink.definePrepTasks([analyze])
  texts.forEach((text, row) => {
    wink.addDoc({ text }, row)
  })
  wink.consolidate(12)
  const bm25 = createBm25(createLexicon(countTerms(texts, analyze), analyze), {
    k1: 0.9,
    b: 0.4,
    idf: 'lucene',
  })
  for (const query of ['crew', 'ice port', 'star map storm']) {
    const theirs = new Map(wink.search(query, 10).map(([row, score]) => [Number(row), score]))
    const ours = bm25.search(query, 10)
    expect(ours.rows.length).toBe(theirs.size)
    ours.rows.forEach((row, rank) => {
      // wink counts a repeated query term once and rounds to the digits it was consolidated with.
      expect(ours.scores[rank]).toBeCloseTo(theirs.get(row) as number, 6)
    })
  }
})
