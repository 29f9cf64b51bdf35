import { expect, it } from 'vitest'
import { localModelProblem } from '../../src/models/transformers/session.ts'

const OPTIONS = { maxTokens: 256 }

/** A model that knows nothing but which words two texts share. */
const vocabulary: string[] = []
const tokens = (text: string) =>
  text
    .toLowerCase()
    .split(' ')
    .map((word) => {
      if (!vocabulary.includes(word)) vocabulary.push(word)
      return vocabulary.indexOf(word)
    })
const embed = async (text: string) => {
  const vector = new Float32Array(100)
  for (const id of tokens(text)) vector[id] += 1
  const length = Math.hypot(...vector)
  return vector.map((value) => value / length)
}

it('takes a model that finds sentences of the same words near', async () => {
  expect(await localModelProblem({ tokens, embed }, OPTIONS)).toBeUndefined()
})

it.each([
  [
    'an empty vocabulary',
    { tokens: (text: string) => tokens(text).map(() => 100) },
    /gives most words the same tokens \(1 /,
  ],
  [
    'numbers that are none',
    { embed: async () => Float32Array.of(1, Number.NaN) },
    /not finite to the text "That is/,
  ],
  ['zeros', { embed: async () => new Float32Array(2) }, /a vector that is zero/],
  ['one vector for all', { embed: async () => Float32Array.of(1) }, /no nearer to each other than unrelated/],
  [
    'nearness turned round',
    {
      embed: async (text: string) =>
        Float32Array.of(text.includes('bank') || text.includes('ves') ? text.length % 2 : 1, 1),
    },
    /no nearer to each other than unrelated/,
  ],
])('refuses %s', async (_, part, message) => {
  expect(await localModelProblem({ tokens, embed, ...part }, OPTIONS)).toMatch(message)
})
