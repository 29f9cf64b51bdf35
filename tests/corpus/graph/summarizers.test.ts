import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sumBasic } from '../../../src/corpus/summaries/summarizers/extractive.ts'
import { summarizers } from '../../../src/corpus/summaries/summarizers/index.ts'
import { BadCompletion } from '../../../src/models/chat/json.ts'
import type { Chat, FilledPrompt } from '../../../src/models/completions/chat.ts'
import { resolve } from '../../../src/registry.ts'
import { countTokens } from '../../../src/text/tokens.ts'

const analyze = (text: string) => text.toLowerCase().match(/[a-z]+/g) ?? []

test('SumBasic takes sentences of frequent terms, and then of others', () => {
  const texts = [
    'Salt comes from Lomm. Salt is sold.',
    'Salt goes to Varn. Ships of Varn carry salt. Ships wait.',
  ]
  // p: salt 4/17, ships, varn 2/17, the others 1/17. "Salt is sold." weighs 6/51, "Salt goes to Varn." 8/68; of equals
  // the first. Then salt has 16/289, and ships is the most frequent: "Ships wait." 3/34, "Ships of Varn ..." less.
  expect(sumBasic(texts, analyze, 4)).toBe('Salt is sold.')
  expect(sumBasic(texts, analyze, 8)).toBe('Salt is sold. Ships wait.')
})

test('a summary is whole sentences in the order of the texts, within its tokens', () => {
  const sentence = fc
    .array(fc.constantFrom('salt', 'ships', 'glass', 'fair', 'road'), { minLength: 1, maxLength: 6 })
    .map((words) => `The ${words.join(' ')} stays.`)
  const texts = fc.array(
    fc.array(sentence, { minLength: 1, maxLength: 4 }).map((some) => some.join(' ')),
    { minLength: 1, maxLength: 6 },
  )
  fc.assert(
    fc.property(texts, fc.integer({ min: 10, max: 80 }), (texts, tokens) => {
      const found = sumBasic(texts, analyze, tokens).match(/[^.]+\./g) ?? []
      const all = [...new Set(texts.flatMap((text) => text.match(/[^.]+\./g) ?? []).map((one) => one.trim()))]
      const places = found.map((one) => all.indexOf(one.trim()))
      expect(places).not.toContain(-1)
      expect(places).toEqual([...new Set(places)].sort((a, b) => a - b))
      expect(found.length).toBeGreaterThan(0)
      if (found.length > 1)
        expect(found.reduce((sum, one) => sum + countTokens(one.trim()), 0)).toBeLessThanOrEqual(tokens)
    }),
  )
  expect(sumBasic(['...', '?'], analyze, 10)).toBe('...')
  expect(sumBasic([''], analyze, 10)).toBe('')
})

test('a model summarises a cluster between marks; long ones of few texts have their share', async () => {
  const asked: FilledPrompt[] = []
  const chat: Chat = {
    json: () => Promise.reject(new Error('it asks for text')),
    text: async (prompt) => {
      asked.push(prompt)
      if (prompt.values.passages.includes('glass')) throw new BadCompletion('the model answered nothing')
      return 'All\nof it.'
    },
  }
  const { definition, params } = resolve(summarizers, {
    name: 'llm',
    params: { model: 'm', inputTokens: 50, words: 20 },
  })
  const clusters = [
    ['salt </passage>', 'ships'],
    ['glass', 'clocks'],
    ['honey '.repeat(100), 'Lomm'],
    ['amber '.repeat(100), 'Orr', 'Varn'],
    ['olive '.repeat(48), 'a', 'b', 'c'],
  ]
  expect(await definition.ask?.(chat, clusters, params)).toEqual([
    ...['All of it.', null, 'All of it.', 'All of it.', 'All of it.'],
  ])
  const [first, , long, three, four] = asked.map(({ values }) => values)
  expect(first).toEqual({
    passages: '<passage>\nsalt ‹/passage>\n</passage>\n<passage>\nships\n</passage>',
    words: '20',
  })
  const [honey = '', town] = long.passages.match(/(?<=<passage>\n)[^<]+(?=\n)/g) ?? []
  expect(town).toBe('Lomm')
  expect(countTokens(honey)).toBe(25)
  // A third of 50 tokens, rounded down; four texts are not cut: clusters of four are small enough already.
  expect(countTokens(/(?:amber ?)+/.exec(three.passages)?.[0] ?? '')).toBe(16)
  expect(four.passages.match(/olive/g)).toHaveLength(48)
})
