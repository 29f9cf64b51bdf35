import { readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readResults } from '../../src/results/read.ts'
import { runConfig, runOptions, setUp } from './experiments.ts'

const TRIALS =
  '[bm25, whole-corpus, random, {fuse: {of: [bm25, random]}}, {bm25: {}, name: plain words, before: [normalize-keywords]}]'

test('whole-corpus sends all there is: uncut at the depth, all gold within a budget that holds it, all its tokens', async () => {
  const { config, store, at } = setUp(TRIALS, 'depth: 10\ncontext: {top: 2}\n')
  writeFileSync(config, readFileSync(config, 'utf8').replace('recall@100tok', 'recall@100000tok'))
  const { open } = await runConfig(config, store, runOptions(at('run')))
  const { summary, texts } = await readResults(at('run'))
  const [bm25, whole, random] = summary.trials
  const all = texts.tokens.reduce((sum, tokens) => sum + tokens, 0)
  expect(texts.tokens).toHaveLength(open.dataset.documents)
  expect(whole.perQuery).toMatchObject({ tokens: all, retrieved: open.dataset.documents })
  expect(bm25.perQuery.retrieved).toBeLessThanOrEqual(10)
  expect(bm25.perQuery.tokens).toBeLessThan(all / 5)
  // d0, d1, d10, d11, d12: two of the 24 gold passages of one query each are among the first.
  expect(whole.measures['recall@5'].mean).toBeLessThan(0.4)
  expect(whole.measures['recall@100000tok'].mean).toBe(1)
  expect(bm25.measures['recall@100000tok'].mean).toBeLessThan(1)
  const lost = (stage: string) => whole.funnel.find((row) => row.stage === stage)?.lost
  expect([lost('found'), lost('below depth')]).toEqual([summary.datasets[0].gold, 0])
  expect(whole.channels).toEqual({ corpus: summary.datasets[0].gold })
  expect(random.measures['recall@5'].mean).toBeLessThan(bm25.measures['recall@5'].mean)
})
