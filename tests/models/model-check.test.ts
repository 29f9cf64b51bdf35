import { expect, it } from 'vitest'
import { localModelProblem } from '../../src/models/transformers/check.ts'
import { SENTENCES } from '../../src/models/transformers/known.ts'
import { requirePackage } from '../../src/models/transformers/package.ts'
import { quoted, vectorProblem } from '../../src/models/vector-problem.ts'

const OPTIONS = { model: 'models/mine', dtype: 'q8', maxTokens: 256, pooling: 'mean' } as const

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

it('takes known cosines that differ by as much as processors do, and no more', async () => {
  const sentences: readonly string[] = SENTENCES
  const moved = (by: number) =>
    localModelProblem(
      {
        tokens,
        embed: async (text) => {
          const at = sentences.indexOf(text)
          if (at < 0) return Float32Array.of(...(await embed(text)), 0, 0, 0, 0)
          const vector = new Float32Array(104)
          const cosine = at === 0 ? 1 : [0.6946, 0.9429, 0.2569][at - 1] + (at === 2 ? 0 : by)
          vector[100] = cosine
          vector[100 + at] += Math.sqrt(1 - cosine ** 2)
          return vector
        },
      },
      { ...OPTIONS, model: 'all-MiniLM-L6-v2' },
    )
  expect(await moved(0.055)).toBeUndefined()
  expect(await moved(-0.055)).toBeUndefined()
  expect(await moved(0.065)).toMatch(/has cosines 0\.76, 0\.94, 0\.32 to other sentences, and not 0\.69/)
  expect(await moved(-0.065)).toMatch(/is not the model that its name says/)
})

it.each([
  [[0.5, 0, 0], true],
  [[0.5, -0.4, -0.2], false],
  [[0, 0, 0.1], true],
])('adds up what three pairs are nearer than unrelated ones: %o is fine: %s', async (nearer, isFine) => {
  const triples = [
    [SENTENCES[0], SENTENCES[2]],
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
  const axes = [...new Set([...triples.flat(), ...SENTENCES])]
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

it.each([
  [19, undefined],
  [18, /^gives most words the same tokens \(18 different tokens in 38 words\)/],
])('needs different tokens for half of the words: %i', async (count, message) => {
  const some = (text: string) => tokens(text).map((id) => id % count)
  const problem = await localModelProblem({ tokens: some, embed }, OPTIONS)
  if (message) expect(problem).toMatch(message)
  else expect(problem).toBeUndefined()
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
