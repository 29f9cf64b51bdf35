import { expect, it } from 'vitest'
import { localModelProblem } from '../../src/models/transformers/check.ts'
import { requirePackage } from '../../src/models/transformers/package.ts'
import { quoted, vectorProblem } from '../../src/models/vector-problem.ts'

const OPTIONS = {
  model: 'models/mine',
  dtype: 'q8',
  maxTokens: 256,
  pooling: 'mean',
} as const

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

it('holds a model that is known by its name to its known cosines, pooled as they were', async () => {
  const known = { ...OPTIONS, model: 'owner/all-MiniLM-L6-v2' }
  expect(await localModelProblem({ tokens, embed }, known)).toMatch(
    /is not the model that its name says: "That is a happy person" has cosines 0\.80, 0\.91, 0\.40 .* not 0\.69, 0\.94, 0\.26/,
  )
  expect(await localModelProblem({ tokens, embed }, { ...known, pooling: 'cls' })).toBeUndefined()
})

it('asks nothing of sentences that are cut', async () => {
  const silent = async () => expect.fail('was asked')
  expect(await localModelProblem({ tokens, embed: silent }, { ...OPTIONS, maxTokens: 8 })).toBeUndefined()
})

it('asks of sentences that just fit', async () => {
  const heard: string[] = []
  const listening = async (text: string) => {
    heard.push(text)
    return embed(text)
  }
  expect(await localModelProblem({ tokens, embed: listening }, { ...OPTIONS, maxTokens: 32 })).toBeUndefined()
  expect(new Set(heard).size).toBe(10)
  expect(await localModelProblem({ tokens, embed: listening }, { ...OPTIONS, maxTokens: 31 })).toBeUndefined()
  expect(heard).toHaveLength(10)
})

it.each<[number[], string | undefined]>([
  [[3, 4], undefined],
  [[0, 1e-37], undefined],
  [[3e38, 1e38], undefined],
  [[2 ** -126], undefined],
  [[-(2 ** -127)], 'is too short for float32 (underflow)'],
  [[3e38, 3e38], 'is too long for float32 (overflow)'],
  [[1e-20, 1e-20, 1e20], undefined],
  [[0, 0], 'is zero'],
  [[0, 5], undefined],
  [[5, 0], undefined],
  [[], 'is zero'],
  [[1, Number.NaN], 'holds a number that is not finite'],
  [[Number.POSITIVE_INFINITY, 1], 'holds a number that is not finite'],
])('the problem of the vector %j is %s', (vector, problem) => {
  expect(vectorProblem(vector)).toBe(problem)
})

it('quotes the first 60 letters of a text', () => {
  expect(quoted('x'.repeat(60))).toBe(`"${'x'.repeat(60)}"`)
  expect(quoted('x'.repeat(61))).toBe(`"${'x'.repeat(60)}..."`)
  expect(quoted(`a\n${'x'.repeat(60)}`)).toBe(`"a\\n${'x'.repeat(58)}..."`)
})

it('says how to get the package that runs models, if it is not installed', () => {
  const asked: string[] = []
  requirePackage((name) => {
    asked.push(name)
    return name
  })
  expect(asked).toEqual(['@huggingface/transformers'])
  expect(() =>
    requirePackage(() => {
      throw new Error('no such module')
    }),
  ).toThrow(
    /needs the optional package @huggingface\/transformers, .* npm install --ignore-scripts @huggingface\/transformers@4/,
  )
})
