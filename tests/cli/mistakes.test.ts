import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readSummary } from '../../src/results/read.ts'
import { setUp } from './set-up.ts'

const mine = (body: string) => `export default ({ defineStrategy, steps, z }) => defineStrategy({
  name: 'mine', summary: 's', source: 's', params: z.strictObject({}),
  retrieve({ query }) {
    const dense = steps.searchDense([steps.embedQuery([query], null)], { depth: 10 })
    const last = steps.defineStep({ name: 'last', version: 1, yields: 'ranking', run: () => { throw new Error('no idea') } })
${body}
  },
})
`

describe('a strategy file', () => {
  test.each([
    [
      '    return undefinedThing.x',
      /^a\.yaml:4:5: mine\.mjs:6:\d+: `retrieve` failed: undefinedThing is not defined$/,
    ],
    ['    return { ranking: 5 }', /^a\.yaml:4:5: mine\.mjs: `retrieve` gives \{ranking, .* ranking is not$/],
    ['    return { ranking: dense, evidence: 5 }', /^a\.yaml:4:5: .* evidence is not$/],
    ['', /^a\.yaml:4:5: .* ranking is not$/],
  ])('that fails while it is built is a mistake with its place: %s', async (body, message) => {
    const { call } = setUp('dataset: towns\ntrials:\n  - naive\n  - ./mine.mjs\n', { 'mine.mjs': mine(body) })
    for (const command of ['check', 'run']) {
      const { code, err } = await call(command, 'a.yaml')
      expect(err.trimEnd()).toMatch(message)
      expect(code).toBe(2)
    }
  })

  test('that fails on every query: the reason on the terminal, `failed` on the leaderboard, no verdict', async () => {
    const { call } = setUp(
      'dataset: towns\ntrials:\n  - naive\n  - bm25: {grid: {b: [0, 1]}}\n  - ./mine.mjs\nfolds: 3\nmeasures: [recall@5]\ncompare: {draws: 200}\n',
      { 'mine.mjs': mine('    return { ranking: last([dense], null) }') },
    )
    const { code, out, err } = await call('run', 'a.yaml', '--workers', '1')
    expect(err).toContain('mine failed on every query; first on q0, in the step last: no idea')
    expect(out).toMatch(/Failed queries count as 0: mine 13/)
    expect(code).toBe(1)
    const { comparison, tuned, trials } = JSON.parse(
      (await call('leaderboard', 'experiments/a', '--json')).out,
    )
    expect(comparison.rows.map(({ name }: { name: string }) => name)).toEqual(['bm25'])
    expect(tuned.map(({ name }: { name: string }) => name).sort()).toEqual(['bm25', 'naive'])
    expect(trials).toHaveLength(4)
    const baseline = await call('run', 'a.yaml', '--workers', '1', '--set', 'compare.baseline=mine')
    expect(baseline.code).toBe(1)
    expect(JSON.parse((await call('leaderboard', 'experiments/a', '--json')).out).comparison).toBeNull()
    const { code: markdown, out: text } = await call('leaderboard', 'experiments/a', '--markdown')
    expect(markdown).toBe(0)
    expect(text).toMatch(
      /^### Strategies, tuned\n\n\| trial .*\n[\s\S]*\n\n### All trials over all queries; .*\n\n\| trial/,
    )
  })

  test('`ask` gives the reason of a failed step without a stack', async () => {
    const { call } = setUp('dataset: towns\ntrials: [./mine.mjs]\n', {
      'mine.mjs': mine('    return { ranking: last([dense], null) }'),
    })
    expect(await call('ask', 'a.yaml', 'Who?')).toEqual({
      code: 2,
      out: '',
      err: 'mine: the step last failed: no idea\n',
    })
  })
})

describe('a transform file that fails while it is applied is an error with its place', () => {
  test.each([
    ['apply() { return none.x }', /^a\.yaml:4:5: cut\.mjs:3:\d+: `apply` failed: none is not defined$/],
    ['apply() {}', /^a\.yaml:4:5: cut\.mjs: `apply` gives a step applied to its inputs$/],
    ['apply() { for (;;); }', /cut\.mjs: `apply` gave no answer within 0\.2 s$/],
    [
      'apply: ({ ranking }) => steps.defineStep({ name: "cut", version: 1, artifacts: (recipe) => ({ next: indexes.neighbors(recipe, "entities") }), run: ([one]) => one })([ranking], null)',
      /^a\.yaml:4:5: naive reads what `prepare` does not name; add to `prepare`:\n {4}graph: \[rules, titles\]$/,
    ],
  ])('%s', async (body, message) => {
    const cut = `export default ({ indexes, steps, z }) => ({ kind: 'ranking', timeout: ${body.includes('for (;;)') ? 0.2 : 60},
      name: 'cut', summary: 's', source: 's', params: z.strictObject({}),
      ${body} })`
    const { call } = setUp('dataset: towns\ntrials:\n  - bm25\n  - {naive: {}, after: [./cut.mjs]}\n', {
      'cut.mjs': cut,
    })
    const { code, err } = await call('check', 'a.yaml')
    expect(err.trimEnd()).toMatch(message)
    expect(code).toBe(2)
  })
})

test.each([
  ['chunk', 'split', /^\S*mine\.mjs:2:\d+: `split` on the document d0 failed: no idea$/],
  ['embedder', 'embed', /^\S*mine\.mjs:2:\d+: `embed` failed: no idea$/],
  ['graph', 'extract', /^\S*mine\.mjs:2:\d+: `extract` failed: no idea$/],
])(
  'what somebody’s code at prepare.%s throws is told with its place, exit 2',
  async (key, called, message) => {
    const mine = `export default ({ z }) => ({ name: 'mine', summary: 's', params: z.strictObject({}),
    ${called}() { throw new Error('no idea') } })`
    const config = `dataset: towns\nprepare: {${key}: ./mine.mjs}\ntrials: [{naive: {}, after: [graph-boost]}]\n`
    const graph = key === 'graph' ? config : config.replace('prepare: {', 'prepare: {graph: titles, ')
    const { call } = setUp(graph, { 'mine.mjs': mine })
    const { code, err } = await call('run', 'a.yaml', '--workers', '1')
    expect(err.trimEnd().split('\n').at(-1)).toMatch(message)
    expect(code).toBe(2)
  },
)

test('what `prepare` lacks is told at once, for every trial at its place, with the lines to add', async () => {
  const { call } = setUp(
    'dataset: towns\ntrials:\n  - naive\n  - graphrag-global\n  - lightrag: {grid: {pool: [5, 10]}}\n  - {naive: {}, name: boosted, after: [graph-boost]}\n',
  )
  const { code, err } = await call('check', 'a.yaml')
  expect(code).toBe(2)
  expect(err.match(/^a\.yaml:\d+:\d+/gm)).toHaveLength(new Set(err.match(/^a\.yaml:\d+:\d+/gm)).size)
  expect(err).toContain(
    'a.yaml:4:5: graphrag-global reads what `prepare` does not name; add to `prepare`:\n    graph: [rules, titles]\n    communities: leiden\n    reports: extractive\n',
  )
  expect(err).toMatch(/a\.yaml:6:\d+: naive reads .*:\n {4}graph: \[rules, titles\]/)
})

test('an error in the data does not hide one in the trials', async () => {
  const { call, folder } = setUp('dataset: broken\ntrials:\n  - graphrag-local\n')
  mkdirSync(join(folder, 'broken'))
  writeFileSync(join(folder, 'broken', 'corpus.jsonl'), '{"_id": "a"\n')
  const { code, err } = await call('check', 'a.yaml')
  expect(code).toBe(2)
  expect(err).toContain('broken/corpus.jsonl:1:')
  expect(err).toContain('a.yaml:3:5: graphrag-local reads')
})

test('`ask --trial` takes a name, a short name or a strategy, and lists the names where that is not one', async () => {
  const { call } = setUp(
    'dataset: towns\ntrials:\n  - naive: {pool: 7}\n  - hybrid: {grid: {alpha: [0.3, 0.5]}}\n  - bm25: {grid: {b: [0.3, 0.5]}}\n',
  )
  const trial = async (name: string) =>
    (await call('ask', 'a.yaml', 'TownA0?', '-t', name)).out.split('\n')[0]
  expect(await trial('naive')).toBe('naive')
  expect(await trial('hybrid alpha=0.5')).toBe('hybrid alpha=0.5')
  expect(await trial('hybrid 0.5')).toBe('hybrid alpha=0.5')
  const many = await call('ask', 'a.yaml', 'TownA0?', '-t', 'bm25')
  expect(many.code).toBe(2)
  expect(many.err).toBe('`bm25` matches 2 trials; name one of them:\n  bm25 b=0.3\n  bm25 b=0.5\n')
  const none = await call('ask', 'a.yaml', 'TownA0?', '-t', 'nave')
  expect(none.err).toBe(
    'there is no trial `nave` (did you mean "naive"?); there are\n  naive\n  hybrid alpha=0.3\n  hybrid alpha=0.5\n  bm25 b=0.3\n  bm25 b=0.5\n',
  )
})

test('`ask` shows the headings above a chunk', async () => {
  const { call, folder } = setUp('dataset: book\nprepare: {chunk: {headings: {levels: 3}}}\ntrials: [bm25]\n')
  mkdirSync(join(folder, 'book'))
  const text = '# Sea\n\nWater.\n\n## Harbour\n\nShips.\n\n### Crew\n\nThe bosun whistles.\n'
  writeFileSync(join(folder, 'book', 'sea.md'), text)
  const { out } = await call('ask', 'a.yaml', 'Who whistles? The bosun?')
  expect(out).toContain('1. Sea > Harbour > Crew  (sea.md#sea/harbour/crew, score ')
})

test('`ask --route` shows the arm that the rules of a router choose, and refuses other trials', async () => {
  const { call } = setUp('dataset: towns\ntrials: [bm25, router]\n')
  expect((await call('ask', 'a.yaml', ' ', '--route')).err).toBe('the question is empty\n')
  expect((await call('ask', 'a.yaml', 'x'.repeat(10_001), '--route')).err).toBe(
    'the question has 10001 characters; at most 10000 are allowed\n',
  )
  const { out } = await call('ask', 'a.yaml', 'where is it?', '--trial', 'router', '--route')
  expect(out).toMatch(/^hybrid\n {2}\S.*: /)
  expect(await call('ask', 'a.yaml', 'where is it?', '--route')).toEqual({
    code: 2,
    out: '',
    err: '--route: the trial `bm25` is no router by rules; name one by --trial\n',
  })
})

test('a baseline that a grid of `prepare` multiplies is one where its trials rank alike', async () => {
  const config = (grid: string) =>
    `dataset: towns\nprepare: {${grid}}\ntrials: [naive, hipporag]\ncompare: {baseline: naive}\n`
  const alike = setUp(config('embedder: lsa, graph: {grid: {r: rules, t: titles}}'))
  expect(await alike.call('run', 'a.yaml', '--workers', '1')).toMatchObject({ code: 0 })
  const [baseline] = readSummary(join(alike.folder, 'experiments', 'a')).trials
  expect(baseline).toMatchObject({ name: 'naive', strategy: 'naive' })
  const apart = setUp(config('embedder: {grid: {a: lsa, b: {lsa: {dims: 4}}}}, graph: titles'))
  expect(await apart.call('check', 'a.yaml')).toMatchObject({
    code: 2,
    err: 'a.yaml:4:21: `naive` is 2 trials; name one: `naive embedder=a`, `naive embedder=b`\n',
  })
})
