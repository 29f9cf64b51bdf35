import { z } from 'zod'
import { createRandomFor } from '../../random.ts'
import { misspell } from '../../text/typo.ts'
import type { Query } from '../../types.ts'
import { defineStep } from '../step.ts'
import { seed } from '../steps/params.ts'
import { defineQueryTransform } from './define.ts'

const KINDS = ['typos', 'drop', 'lowercase', 'uppercase'] as const

type Params = Case | Drawn
type Case = { readonly kind: 'lowercase' | 'uppercase' }
type Drawn = { readonly kind: 'typos' | 'drop'; readonly share: number; readonly seed: number }

const disturb = defineStep<Params, [Query], Record<never, never>, Query>({
  name: 'noise',
  version: 1,
  yields: 'query',
  run([query], { params }) {
    const text = disturbed(query.text, query.text, params)
    return query.lexical === undefined
      ? { ...query, text }
      : { ...query, text, lexical: disturbed(query.lexical, query.text, params) }
  },
})

/** Words of fewer letters get no typo: there is little of them to tell them by. */
const SHORTEST = 4

const WORD = /[\p{L}\p{M}\p{N}]+/gu

/**
 * The text with noise, drawn for the words in their order by the seed and the query `of` whose text it is: the lexical
 * side of a query, which begins with the same words, gets the same noise. Of the same draws a larger share hits the same
 * words and more. A text whose words would all be dropped keeps the one that was nearest to staying.
 */
export function disturbed(text: string, of: string, params: Params): string {
  if (!('share' in params)) return params.kind === 'lowercase' ? text.toLowerCase() : text.toUpperCase()
  const { kind, share, seed } = params
  const { below, uniform } = createRandomFor(seed, of)
  if (kind === 'typos') {
    const alphabet = [...new Set(of.toLowerCase().match(/\p{L}/gu) ?? [])]
    return text.replace(WORD, (word) => {
      const hit = uniform() < share
      const misspelled = misspell(word, alphabet, below)
      return hit && Array.from(word).length >= SHORTEST ? misspelled : word
    })
  }
  const words = text.split(/\s+/).filter((word) => word !== '')
  const drawn = words.map(() => uniform())
  const stays = drawn.reduce((most, value) => Math.max(most, value), 0)
  return words.filter((_, i) => drawn[i] >= share || drawn[i] === stays).join(' ')
}

/**
 * Simulates careless typing: typos (one error in a word of four letters or more), dropped words, all in lower or upper case.
 * Put it first in `before`: later transforms are part of the system under test.
 */
export const noise = defineQueryTransform({
  kind: 'query',
  name: 'noise',
  summary: 'adds noise to the query: typos, dropped words, lower or upper case; seeded',
  source: 'Damerau, CACM 1964 (single errors); Zhuang and Zuccon, EMNLP 2021 (typos in dense retrieval)',
  params: z.strictObject({
    kind: z.enum(KINDS).default('typos').describe('change to the query'),
    share: z
      .number()
      .gt(0)
      .max(1)
      .default(0.1)
      .describe('probability that a word is changed; typos and drop only'),
    seed: seed(0, 'seed of the draws; the same seed and query give the same noise'),
  }),
  apply({ query, params: { kind, share, seed } }) {
    return disturb([query], kind === 'typos' || kind === 'drop' ? { kind, share, seed } : { kind })
  },
})
