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
