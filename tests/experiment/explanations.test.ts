import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { inflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { packExplanations } from '../../src/report/detail/explanations.ts'
import { readResults } from '../../src/results/read.ts'
import { linksOf } from '../../src/retrieve/walked.ts'
import { setUp } from '../cli/set-up.ts'

const config = (trials: string) =>
  `dataset: towns\nprepare: {embedder: lsa}\nmeasures: [recall@5]\ntrials: ${trials}\n`

const opener =
  (folder: string, call: ReturnType<typeof setUp>['call']) =>
  async (name: string, ...more: string[]) => {
    const ran = await call('run', 'a.yaml', '--workers', '1', '--out', name, ...more)
    expect(ran.code, ran.err).toBe(0)
    return readResults(join(folder, name))
  }

test('ranks by step are those of the single searches, whatever the shards, and no part of the result', async () => {
  const { folder, call } = setUp(config('[hybrid, naive, bm25, title-ppr]'))
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
    if (breakdown.trial[row] !== trialOf('hybrid') || breakdown.stepRank[row] === 0) continue
    const step = breakdown.step.words[breakdown.step.codes[row]]
    const single = trialOf({ dense: 'naive', bm25: 'bm25', fuse: 'hybrid' }[step] ?? '')
    const own = chunks.get([trialOf('hybrid'), breakdown.query[row], breakdown.rank[row]].join(' '))
    expect(chunks.get([single, breakdown.query[row], breakdown.stepRank[row]].join(' '))).toBe(own)
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

test('the walks of lightrag and hipporag are in walks.parquet and in the pictures of their graph', async () => {
  const { folder, call } = setUp(
    'dataset: towns\nprepare: {embedder: lsa, graph: [rules, titles]}\nmeasures: [recall@5]\ntrials: [bm25, lightrag, hipporag]\n',
  )
  const ran = await call('run', 'a.yaml', '--workers', '1', '--out', 'out')
  expect(ran.code, ran.err).toBe(0)
  const { summary, walks } = await readResults(join(folder, 'out'))
  if (!walks) throw new Error('not kept')
  const steps = new Map<string, Set<string>>()
  for (let row = 0; row < walks.rows; row++) {
    const { strategy } = summary.trials[walks.trial[row]]
    steps.set(strategy, (steps.get(strategy) ?? new Set()).add(walks.step.words[walks.step.codes[row]]))
  }
  expect(Object.fromEntries(steps)).toEqual({
    lightrag: new Set(['pick-entity-chunks']),
    hipporag: new Set(['hippo-walk']),
  })
  const [graph] = JSON.parse(readFileSync(join(folder, 'out/graphs.json'), 'utf8'))
  const drawn = graph.pictures.filter(({ query }: { query?: number }) => query !== undefined)
  for (const trial of ['lightrag', 'hipporag']) {
    const own = drawn.flatMap(({ paths }: { paths: { trial: string; names: string[][] }[] }) =>
      paths.filter((path) => path.trial === trial),
    )
    expect(own.length).toBeGreaterThan(5)
    // A path begins at an entity of the graph.
    expect(graph.shape.largest.map(({ name }: { name: string }) => name)).toContain(own[0].names[0][0])
  }
})

test('a walk is drawn from its heaviest starts by shortest paths, and leaves out chunks that none reaches', () => {
  // Entities 0 to 3; 4 is the chunk 10, 5 the chunk 11, 6 the chunk 12 that nothing is joined to.
  const edges = new Map([
    [0, [1, 4]],
    [1, [0, 2]],
    [2, [1, 5]],
    [3, [5]],
    [4, [0]],
    [5, [2, 3]],
  ])
  const links = linksOf(
    {
      starts: { nodes: [3, 0], weights: [0, 2] },
      neighbours: (node) => edges.get(node) ?? [],
      entries: (row) => [row - 6],
      endOf: (node) => (node < 4 ? `e${node}` : node + 6),
    },
    [10, 11, 12],
  )
  expect(links).toEqual([
    [null, 'e0', 1],
    ['e0', 10, null],
    ['e2', 11, null],
    ['e1', 'e2', null],
    ['e0', 'e1', null],
  ])
})

test('the arm of each query is stored for every router, and is no part of the result', async () => {
  const { folder, call } = setUp(
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
      const known = router.arms.findIndex(({ name }) => name === arm)
      expect(known).toBeGreaterThanOrEqual(0)
      if (!Number.isNaN(values[query])) counts.set(arm, (counts.get(arm) ?? 0) + 1)
    }
    expect(router.arms.map(({ name }) => counts.get(name) ?? 0)).toEqual(
      router.arms.map(({ chosen }) => chosen),
    )
  }
})

test('the report has the arms of a router under a transform too', async () => {
  const { folder, call } = setUp(
    config('[bm25, {name: narrow, router: {}, after: [{rerank: {by: lexical, top: 5}}]}]'),
  )
  const ran = await call('run', 'a.yaml', '--workers', '1', '--out', 'out')
  expect(ran.code, ran.err).toBe(0)
  const results = await readResults(join(folder, 'out'))
  const { routes, queries } = results
  if (!routes) throw new Error('not kept')
  expect(new Set(routes.router.words)).toEqual(new Set([results.summary.trials[1].id]))
  const blocks = packExplanations(results, [0, 1], 10, () => -1)
  const { routers, arms, chosen } = JSON.parse(
    inflateSync(Buffer.from(blocks.routes.base64, 'base64')).toString(),
  )
  expect(routers).toEqual(['narrow'])
  expect(chosen[0]).toHaveLength(queries.id.length)
  for (let row = 0; row < routes.rows; row++)
    expect(arms[chosen[0][routes.query[row]]]).toBe(routes.arm.words[routes.arm.codes[row]])
  expect(packExplanations(results, [0], 10, () => -1).routes).toBeUndefined()
})
