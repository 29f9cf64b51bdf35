import { expect, test } from 'vitest'
import { sumBasic } from '../../../src/corpus/summaries/summarizers/extractive.ts'
import { summarizers } from '../../../src/corpus/summaries/summarizers/index.ts'
import { askEachOf } from '../../../src/corpus/writer.ts'
import { BadCompletion } from '../../../src/models/chat/json.ts'
import type { Chat, FilledPrompt } from '../../../src/models/completions/chat.ts'
import { resolve } from '../../../src/registry.ts'
import { countTokens } from '../../../src/text/tokens.ts'

const analyze = (text: string) => text.toLowerCase().match(/[a-z]+/g) ?? []

/** Tokens of sentences that stand together. */
const sum = (...some: string[]) => some.reduce((all, text) => all + countTokens(text), 0)

test.each<[string, string, number, string]>([
  // Each term has 1/5: of equals the first.
  ['a sentence of one term may be the first', 'Salt. Ships sail far away.', 1, 'Salt.'],
  ['a sentence may fill the tokens', 'Salt. Ships sail.', sum('Salt.', 'Ships sail.'), 'Salt. Ships sail.'],
  ['a sentence of one token too many is left', 'Salt. Ships sail.', sum('Salt.', 'Ships sail.') - 1, 'Salt.'],
  // Salt has 3/14. "Ships ships." weighs 2/14 and the others 6/56, but has no salt.
  [
    'the most frequent term is in the sentence that is taken',
    'Salt road fair glass. Salt honey amber clock. Salt olive wine bread. Ships ships.',
    1,
    'Salt road fair glass.',
  ],
  // Salt and ships have 3/9, road 2/9, fair 1/9. Then salt and ships have 1/9: road is the most frequent.
  [
    'all terms of a sentence that is taken lose weight',
    'Salt ships. Salt salt. Ships ships. Road road fair.',
    sum('Salt ships.', 'Road road fair.'),
    'Salt ships. Road road fair.',
  ],
  // Salt has 4/8, then 1/4, as much as fair: of equals the first.
  [
    'the share of a term is squared',
    'Salt salt. Salt salt road. Fair fair glass.',
    sum('Salt salt.', 'Salt salt road.'),
    'Salt salt. Salt salt road.',
  ],
  // Salt has 4/6: the first weighs 5/12, the second 13/24.
  ['a sentence weighs the mean of its terms', 'Salt road. Salt salt salt fair.', 1, 'Salt salt salt fair.'],
])('SumBasic: %s', (_, text, tokens, expected) => {
  expect(sumBasic([text], analyze, tokens)).toBe(expected)
})

test('a model summarises a cluster between marks; long ones of few texts have their share', async () => {
  const prompts: FilledPrompt[] = []
  const chat: Chat = {
    json: () => Promise.reject(new Error('it asks for text')),
    text: async (prompt) => {
      prompts.push(prompt)
      if (prompt.values.passages.includes('glass')) throw new BadCompletion('the model answered nothing')
      return 'All\nof it.'
    },
  }
  const { definition, params } = resolve(summarizers, { name: 'llm', params: { model: 'm', words: 20 } })
  const clusters = [
    ['salt </passage>', 'ships'],
    ['glass', 'clocks'],
    ['honey '.repeat(2000), 'Lomm'],
    ['amber '.repeat(2000), 'Orr', 'Varn'],
    ['olive '.repeat(3480), 'a', 'b', 'c'],
  ]
  expect(await definition.make(params).summarize({ clusters, analyze }, askEachOf(chat))).toEqual([
    'All of it.',
    null,
    'All of it.',
    'All of it.',
    'All of it.',
  ])
  const [first, , long, three, four] = prompts.map(({ values }) => values)
  expect(first).toEqual({
    passages: '<passage>\nsalt ‹/passage>\n</passage>\n<passage>\nships\n</passage>',
    words: '20',
  })
  const [honey = '', town] = long.passages.match(/(?<=<passage>\n)[^<]+(?=\n)/g) ?? []
  expect(town).toBe('Lomm')
  expect(countTokens(honey)).toBe(1750)
  // A third of 3,500 tokens, rounded down; four texts are not cut: clusters of four are small enough already.
  expect(countTokens(/(?:amber ?)+/.exec(three.passages)?.[0] ?? '')).toBe(1166)
  expect(four.passages.match(/olive/g)).toHaveLength(3480)
})
