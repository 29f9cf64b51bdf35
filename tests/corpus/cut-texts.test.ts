import { expect, test } from 'vitest'
import { cutTexts } from '../../src/corpus/cut-texts.ts'
import { defineArtifact, derived } from '../../src/store/artifact.ts'
import { openStore } from '../../src/store/store.ts'
import { temporaryFolder } from '../temporary.ts'

/** Counts texts that a model of 10 tokens cuts. Each letter is a token, and 2 tokens are put around. */
async function count(texts: readonly string[], options = {}) {
  const counted: string[][] = []
  const model = defineArtifact({
    name: 'tiny',
    version: 1,
    params: null,
    inputs: {},
    open: () => null,
    reader: async () => ({
      model: 'tiny',
      limit: 10,
      around: 2,
      count: (...given: string[]) => {
        counted.push(given)
        return given.join('').length + 2
      },
    }),
  })
  const told: unknown[] = []
  const store = openStore(temporaryFolder())
  const found = cutTexts(
    derived('texts', {}, () => texts),
    model,
    options,
  )
  await store.prepare(found, (...report) => {
    if (report[0] !== 'cut_texts') told.push(report)
  })
  return { ...(await store.open(found)), counted, told }
}

const ALL = { model: 'tiny', limit: 10 }

test('counts the texts that a model cuts, and their tokens that it does not read', async () => {
  const [fits, cut, long] = ['12345678', '123456789', '123456789012']
  // Two bytes each: these may be longer than 10 tokens, and are not.
  const [five, eight] = ['éé éé', 'éééééééé']
  expect(await count([fits, cut, five, eight, long, ''])).toEqual({
    ...ALL,
    texts: 6,
    cut: 2,
    tokens: 11 + 14,
    unread: 1 + 4,
    counted: [[cut], [five], [eight], [long]],
    told: [['counting cut texts', 0, 6]],
  })
})

test('counts the prefix of each text, and the query that is read together with it', async () => {
  expect(await count(['123456', '1234567'], { prefix: 'q:' })).toMatchObject({
    texts: 2,
    cut: 1,
    tokens: 11,
    unread: 1,
    counted: [['q:1234567']],
  })
  expect(await count(['12345', '123456'], { query: 'abc' })).toMatchObject({
    texts: 2,
    cut: 1,
    tokens: 11,
    unread: 1,
    counted: [['abc', '123456']],
  })
})

test('tells its progress at each thousand texts', async () => {
  const { told } = await count(new Array(2001).fill('a'))
  expect(told).toEqual([0, 1000, 2000].map((done) => ['counting cut texts', done, 2001]))
})

test('needs a model with a tokenizer', async () => {
  const model = derived('deaf', {}, () => null)
  const texts = derived('texts', {}, () => [])
  await expect(openStore(temporaryFolder()).prepare(cutTexts(texts, model))).rejects.toThrow(
    'deaf has no reader',
  )
})
