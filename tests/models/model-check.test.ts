import { expect, it } from 'vitest'
import { localModelProblem } from '../../src/models/transformers/check.ts'

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

it.each([
  [[0.5, 0, 0], true],
  [[0.5, -0.4, -0.2], false],
  [[0, 0, 0.1], true],
])('adds up what three pairs are nearer than unrelated ones: %o is fine: %s', async (nearer, isFine) => {
  const triples = [
    ['That is a happy person', 'That is a very happy person', 'Today is a sunny day'],
    [
      'The bank raised its interest rates in March',
      'In March the bank raised interest rates again',
      'A cat slept on the warm kitchen floor',
    ],
    [
      'Wolves hunt in packs across the northern forest',
      'In the northern forest wolves hunt in packs',
      'She paid for two tickets at the station',
    ],
  ]
  const axes = triples.flat()
  const vectorOf = async (text: string) => {
    const vector = new Float32Array(axes.length)
    const triple = triples.findIndex((one) => one[1] === text)
    const cosine = triple < 0 ? 0 : nearer[triple]
    vector[axes.indexOf(text)] = Math.sqrt(1 - cosine ** 2)
    if (triple >= 0) vector[axes.indexOf(triples[triple][0])] = cosine
    return vector
  }
  const problem = await localModelProblem({ tokens, embed: vectorOf }, OPTIONS)
  expect(problem === undefined).toBe(isFine)
})
