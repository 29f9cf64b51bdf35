import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readResults } from '../../src/results/read.ts'
import { callsInTowns } from '../cli/calls.ts'

const config = (trials: string) =>
  `dataset: towns\nprepare: {embedder: lsa}\nmeasures: [recall@5]\ntrials: ${trials}\n`

const opener =
  (folder: string, call: ReturnType<typeof callsInTowns>['call']) =>
  async (name: string, ...more: string[]) => {
    const ran = await call('run', 'a.yaml', '--workers', '1', '--out', name, ...more)
    expect(ran.code, ran.err).toBe(0)
    return readResults(join(folder, name))
  }

test('ranks by step are those of the single searches, whatever the shards, and no part of the result', async () => {
  const { folder, call } = callsInTowns(config('[hybrid, naive, bm25, title-ppr]'))
  const open = opener(folder, call)
  const whole = await open('whole')
  const parted = await open('parted', '--shard-size', '5')
  expect(parted.breakdown).toEqual(whole.breakdown)
  expect(parted.walks).toEqual(whole.walks)
  expect(parted.manifest.result).toBe(whole.manifest.result)

  const { summary, rankings, breakdown, walks } = whole
  if (!breakdown || !walks) throw new Error('not kept')
  const trialOf = (strategy: string) => summary.trials.findIndex((trial) => trial.strategy === strategy)
  const chunks = new Map<string, string>()
  for (let row = 0; row < rankings.rows; row++)
    chunks.set(
      [rankings.trial[row], rankings.query[row], rankings.rank[row]].join(' '),
      rankings.chunk.words[rankings.chunk.codes[row]],
    )
  let compared = 0
  for (let row = 0; row < breakdown.rows; row++) {
    if (breakdown.trial[row] !== trialOf('hybrid') || breakdown.step_rank[row] === 0) continue
    const step = breakdown.step.words[breakdown.step.codes[row]]
    const single = trialOf({ dense: 'naive', bm25: 'bm25', fuse: 'hybrid' }[step] ?? '')
    const key = chunks.get([trialOf('hybrid'), breakdown.query[row], breakdown.rank[row]].join(' '))
    expect(chunks.get([single, breakdown.query[row], breakdown.step_rank[row]].join(' '))).toBe(key)
    compared++
  }
  expect(compared).toBeGreaterThan(100)
  // One search is its own breakdown.
  expect(breakdown.trial).not.toContain(trialOf('bm25'))
  expect(new Set(walks.trial)).toEqual(new Set([trialOf('title-ppr')]))
  expect(walks.share.filter((share) => !Number.isNaN(share)).every((share) => share > 0 && share <= 1)).toBe(
    true,
  )
})

test('the arm of each query is stored for every router, and is no part of the result', async () => {
  const { folder, call } = callsInTowns(
    config(
      '[bm25, naive, hybrid, title-ppr, router, {name: learned, router: {rules: fitted, arms: {words: bm25, vectors: naive}}}]',
    ).concat('folds: 3\n'),
  )
  const open = opener(folder, call)
  const whole = await open('whole')
  const parted = await open('parted', '--shard-size', '5')
  const { summary, routes, scores } = whole
  if (!routes) throw new Error('not kept')
  expect(parted.routes).toEqual(routes)
  expect(parted.manifest.result).toBe(whole.manifest.result)
  expect(summary.routing.map(({ name }) => name)).toEqual(['router', 'learned'])
  const values = scores.get('recall@5')!
  for (const router of summary.routing) {
    const counts = new Map<string, number>()
    for (let row = 0; row < routes.rows; row++) {
      if (routes.router.words[routes.router.codes[row]] !== router.id) continue
      const [query, arm] = [routes.query[row], routes.arm.words[routes.arm.codes[row]]]
      const armIndex = router.arms.findIndex(({ name }) => name === arm)
      expect(armIndex).toBeGreaterThanOrEqual(0)
      if (!Number.isNaN(values[query])) counts.set(arm, (counts.get(arm) ?? 0) + 1)
    }
    expect(router.arms.map(({ name }) => counts.get(name) ?? 0)).toEqual(
      router.arms.map(({ chosen }) => chosen),
    )
  }
})
