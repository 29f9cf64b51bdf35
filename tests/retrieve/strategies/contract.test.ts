import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createMemo } from '../../../src/retrieve/evaluate.ts'
import { type Expression, expressionsOf, sourceQuery } from '../../../src/retrieve/step.ts'
import { type Inner, strategies } from '../../../src/retrieve/strategies/index.ts'
import type { Evidence, Query, Ranking } from '../../../src/types.ts'
import { documents, questions } from '../../fixtures/passages.ts'
import { compareEntries } from '../../ranking/compare-entries.ts'
import { sharedFolder } from '../../temporary.ts'
import { evaluate, pinOf, prepare, recipe, retrieved } from './prepared.ts'

/** Params that must change what is computed, for each strategy at least one. */
const POINTS: Record<string, readonly Record<string, unknown>[]> = {
  naive: [{}, { pool: 7 }],
  bm25: [{}, { k1: 1.5 }, { b: 0 }, { idf: 'okapi' }, { pool: 7 }],
  grep: [{}, { rare: 0.01 }, { pool: 7 }],
  run: [{}],
  hybrid: [
    {},
    { alpha: 0.3 },
    { alpha: 0 },
    { alpha: 1 },
    { norm: 'none' },
    { norm: 'tmm' },
    { norm: 'zscore' },
    { norm: 'dbsf' },
    { fusion: 'rrf' },
    { fusion: 'rrf', rrfK: 20 },
    { fusion: 'max' },
    { fusion: 'multiplicative' },
    { fusion: 'combmnz' },
    { k1: 1.5 },
    { pool: 7 },
  ],
  'graphrag-local': [
    {},
    { entities: 3 },
    { relationships: 2 },
    { contextTokens: 500 },
    { reportShare: 0 },
    { communityLevel: 0 },
  ],
  'graphrag-local-simple': [
    {},
    { hops: 1 },
    { entities: 2 },
    { link: 'names' },
    { projection: 'sum' },
    { projection: 'constant' },
  ],
  'graphrag-global': [
    {},
    { communities: 2 },
    { cite: 'reports' },
    { variant: 'graphrag' },
    { variant: 'graphrag', communityLevel: 0 },
    { variant: 'graphrag', seed: 3 },
    { variant: 'dynamic' },
  ],
  lightrag: [
    {},
    { mode: 'local' },
    { mode: 'global' },
    { mode: 'hybrid' },
    { pick: 'weight' },
    { chunks: 5 },
    { keep: 3 },
  ],
  'lightrag-simple': [{}, { entityWeight: 0.3 }],
  hipporag: [{}, { damping: 0.8 }, { facts: 2 }, { phrases: 2 }, { passageWeight: 0.5 }],
  'hipporag-v1': [{}, { projection: 'max' }],
  'hipporag-simple': [{}, { projection: 'constant' }],
  pathrag: [
    {},
    { order: 'sources' },
    { entities: 3 },
    { relationships: 2 },
    { threshold: 0 },
    { decay: 0.5 },
    { paths: 2 },
    { pool: 7 },
  ],
  'lazy-graphrag': [{}, { budget: 3 }, { perCommunity: 1 }, { patience: 1 }, { relevance: 0.2 }, { pool: 7 }],
  linearrag: [
    {},
    { tiers: 1 },
    { sentences: 1 },
    { threshold: 0 },
    { passageRatio: 0 },
    { passageWeight: 1 },
    { damping: 0.8 },
    { pool: 7 },
  ],
  'title-ppr': [
    {},
    { prior: 'dense' },
    { prior: 'bm25' },
    { alpha: 0.2 },
    { resetTop: 5 },
    { power: 1 },
    { titleWeight: 0 },
    { damping: 0.8 },
  ],
  traversal: [
    {},
    { expander: 'words' },
    { terms: 1 },
    { idf: 'none' },
    { phraseBonus: 0 },
    { anchorBonus: 0 },
    { coverageBonus: 0 },
    { alpha: 0 },
    { alpha: 1 },
    { fusion: 'rrf' },
    { norm: 'zscore' },
    { requireBothPaths: true },
    { pool: 7 },
  ],
  raptor: [
    {},
    { tokens: 50 },
    { lift: false },
    { search: 'traversal' },
    { search: 'traversal', nodes: 1 },
    { pool: 7 },
  ],
  'multi-hop': [
    {},
    { maxHops: 0 },
    { maxHops: 2 },
    { hopChunks: 2 },
    { judge: 'rules' },
    { headers: false },
    { threshold: 0.5 },
    { of: 'bm25' },
    { pool: 7 },
  ],
  rm3: [{}, { terms: 3 }, { originalWeight: 0.2 }, { originalWeight: 0 }, { pool: 7 }],
  random: [{}, { seed: 7 }, { pool: 7 }],
  fuse: [
    {},
    { rrfK: 20 },
    { weights: [1, 2, 1] },
    { fusion: 'weighted' },
    { fusion: 'weighted', weights: [1, 0, 3] },
    { fusion: 'weighted', norm: 'zscore' },
    { fusion: 'max' },
    { fusion: 'multiplicative' },
    { fusion: 'combmnz' },
    { of: ['random', 'whole-corpus'] },
    { of: ['graphrag-local', 'lightrag', 'naive'] },
  ],
}

/** The other trials of a config whose trials are the strategies with their defaults. */
const others: Inner = (name, query) => retrieved(name, {}, query)

/** Params that a strategy needs. */
const NEEDED: Record<string, (folder: string) => Record<string, unknown>> = {
  run(folder) {
    const path = join(folder, 'theirs.trec')
    const lines = questions.flatMap(({ id }, place) =>
      [0, 1, 2].map(
        (rank) => `${id} Q0 ${documents[(place + rank) % documents.length].id} 0 ${9 - rank} x\n`,
      ),
    )
    writeFileSync(path, lines.join(''))
    return { path }
  },
  fuse: () => ({ of: ['naive', 'bm25', 'lightrag'] }),
}

const folder = sharedFolder()
const empty: Query = { id: 'empty', text: '', metadata: {} }
const unknown: Query = { id: 'unknown', text: 'zzz qqq ???', metadata: {} }

/** Strategies that need a language model: tests/system/roles.test.ts runs them against a server. */
const ASKING = ['rag-fusion']
describe.each([...strategies.byName].filter(([name]) => !ASKING.includes(name)))('%s', (name, strategy) => {
  const needed = NEEDED[name]?.(folder) ?? {}
  const rootsOf = (point: Record<string, unknown>): Expression<unknown>[] => {
    const { ranking, evidence } = retrieved(strategy, { ...needed, ...point }, sourceQuery(recipe), others)
    return evidence ? [ranking, evidence] : [ranking]
  }
  const points = POINTS[name] ?? [{}]

  it('says what it is', () => {
    expect(strategy.name).toBe(name)
    for (const text of [strategy.summary, strategy.source]) expect(text?.length).toBeGreaterThan(10)
    for (const param of Object.values(strategy.params.shape))
      expect((param as { description?: string }).description, 'every param has a description').toBeTruthy()
  })

  it('refuses params that it does not know', () => {
    expect(strategy.params.safeParse(needed).success).toBe(true)
    expect(strategy.params.safeParse({ ...needed, nonsense: 1 }).success).toBe(false)
  })

  it('is the same computation twice, and another one with other params', () => {
    const keys = points.map((point) =>
      rootsOf(point)
        .map(({ key }) => key)
        .join(' '),
    )
    expect(
      points.map((point) =>
        rootsOf(point)
          .map(({ key }) => key)
          .join(' '),
      ),
    ).toEqual(keys)
    expect(new Set(keys).size).toBe(keys.length)
  })

  it('names a channel for whatever finds chunks', () => {
    const steps = expressionsOf(rootsOf({})).map(({ step }) => step)
    expect(steps.some(({ channel }) => channel !== undefined)).toBe(true)
    for (const step of steps) if (step.channel) expect(step.yields).toBe('ranking')
  })

  it.each(points.map((point) => [JSON.stringify(point), point] as const))(
    'answers with %s',
    async (_, point) => {
      const roots = rootsOf(point)
      const store = await prepare(join(folder, 'store'), roots)
      const shard = [...questions, empty, unknown]
      const [ranking, evidence] = roots as [Expression<Ranking>, Expression<readonly Evidence[]> | undefined]
      const rankings = await evaluate(store, ranking, shard)
      for (const { rows, scores } of rankings) {
        expect(rows.length).toBe(scores.length)
        expect(new Set(rows).size).toBe(rows.length)
        for (const row of rows) expect(row).toBeLessThan(documents.length)
        for (let i = 1; i < rows.length; i++)
          expect(compareEntries(scores[i - 1], rows[i - 1], scores[i], rows[i])).toBeLessThan(0)
      }
      // A second computation, and each query give the same bits.
      expect(await evaluate(store, ranking, shard)).toEqual(rankings)
      for (const [place, query] of shard.entries())
        expect((await evaluate(store, ranking, [query]))[0]).toEqual(rankings[place])
      const evidences = evidence ? await evaluate(store, evidence, shard) : []
      expect(pinOf(rankings, evidences)).toMatchSnapshot()
      for (const texts of evidences)
        for (const { id, text, tokens } of texts) {
          expect(id).not.toBe('')
          expect(text).not.toBe('')
          expect(tokens).toBeGreaterThan(0)
        }
    },
  )

  it('counts only what was computed', async () => {
    const roots = rootsOf({})
    const store = await prepare(join(folder, 'store'), roots)
    const memo = createMemo(store, questions, () => 0)
    for (const root of roots) await memo.cells(root)
    for (const place of questions.keys())
      for (const amount of Object.values(memo.facts(roots, place).counters))
        expect(amount).toBeGreaterThanOrEqual(0)
  })
})
