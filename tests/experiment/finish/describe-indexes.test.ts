import { expect, test } from 'vitest'
import { runConfig, runOptions, setUp } from '../experiments.ts'

const PREPARE = 'prepare: {embedder: lsa, graph: [rules, titles], communities: leiden, reports: extractive}\n'

async function countsOf(trials: string) {
  const { config, store, at } = setUp(trials, PREPARE)
  const outcome = await runConfig(config, store, runOptions(at('run')))
  if (outcome.kind !== 'finished') throw new Error('did not finish')
  return outcome.summary
}

test('the summary counts what the trials read: graph, communities, reports, title links, answers', async () => {
  const { indexes, trials } = await countsOf('[graphrag-global, title-ppr]')
  const [{ counts }] = indexes
  expect(counts.chunks).toBe(24)
  expect(counts.communities).toBeGreaterThan(1)
  expect(counts.communityLevels).toBeGreaterThan(0)
  expect(counts.communityReports).toBe(counts.communities)
  // Each town's road leads five towns on: one ring of 24, since 5 and 24 share no divisor.
  expect(counts).toMatchObject({ titleLinks: 24, titleComponents: 1, largestTitleComponent: 24 })
  expect(counts.chunksWithoutTitleLink).toBe(0)
  // Crafts are written small: the rules find none of them.
  expect(counts).toMatchObject({ queriesWithAnswers: 24, queriesWithAnswerEntity: 0 })
  // Every question but the one about the moon names a town; its words stand nowhere, so there is nothing to walk from.
  const walk = trials.find(({ strategy }) => strategy === 'title-ppr')
  expect(walk?.perQuery).toMatchObject({ links: 24 / 25, linked: 24 / 25, fallbacks: 1 / 25 })
})
