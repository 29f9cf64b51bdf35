import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { membersOf } from '../../../src/corpus/graph/csr.ts'
import { createMemo } from '../../../src/retrieve/evaluate.ts'
import { type Expression, sourceQuery } from '../../../src/retrieve/step.ts'
import { embedGraphQuery } from '../../../src/retrieve/steps/embed.ts'
import { graphInput } from '../../../src/retrieve/steps/entities.ts'
import { filterRetrieved } from '../../../src/retrieve/steps/filter.ts'
import { linkEntities } from '../../../src/retrieve/steps/link.ts'
import type { Ranking } from '../../../src/types.ts'
import { documents, questions } from '../../fixtures/passages.ts'
import { evaluate, prepare, recipe, retrieved, transformed } from '../strategies/prepared.ts'

const folder = mkdtempSync(join(tmpdir(), 'touchstone-graph-first-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const source = sourceQuery(recipe)
const link = { entities: 3 }

const plain = (name: string, params = {}) => retrieved(name, params).ranking
const graphFirst = (ranking: Expression<Ranking>, params: object) =>
  transformed('graph-first', params, ranking)

test.each([
  ['naive', 0],
  ['naive', 1],
  ['bm25', 0],
  ['bm25', 1],
])(
  '%s gives its ranking among the chunks of linked entities and of those within %d hops',
  async (name, hops) => {
    const whole = plain(name, { pool: documents.length })
    const root = graphFirst(whole, { ...link, hops, least: 1 })
    const linked = linkEntities([embedGraphQuery(source)], { ...link, above: 0.2 })
    const store = await prepare(folder, [whole, root, linked])
    const graph = await store.open(graphInput(recipe).graph)
    const { offsets, targets } = graph.csr
    const near = (row: number) => [row, ...targets.slice(offsets[row], offsets[row + 1])]
    const [all, kept, entities] = await Promise.all([
      evaluate(store, whole, questions),
      evaluate(store, root, questions),
      evaluate(store, linked, questions),
    ])
    kept.forEach((ranking, at) => {
      const reached = [...entities[at].rows].flatMap((row) => (hops === 0 ? [row] : near(row)))
      const chunks = new Set(reached.flatMap((row) => [...membersOf(graph.chunksOfEntity, row)]))
      expect(chunks.size).toBeLessThan(documents.length)
      expect([...ranking.rows]).toEqual([...all[at].rows].filter((row) => chunks.has(row)))
    })
  },
)

test('a search that is cut short gives the best of them, where a cut of its list would lose it', async () => {
  const roots = [1, documents.length].map((pool) =>
    graphFirst(plain('random', { pool }), { ...link, least: 1 }),
  )
  const short = plain('random', { pool: 1 })
  const store = await prepare(folder, [short, ...roots])
  const [before, [best, whole]] = [
    await evaluate(store, short, questions),
    await Promise.all(roots.map((root) => evaluate(store, root, questions))),
  ]
  best.forEach(({ rows }, at) => {
    expect([...rows]).toEqual([...whole[at].rows.subarray(0, 1)])
  })
  expect(questions.some((_, at) => best[at].rows[0] !== before[at].rows[0])).toBe(true)
})

test('all is searched, counted as a fallback, where too few chunks are linked', async () => {
  const before = plain('naive')
  const [some, none] = [graphFirst(before, { ...link, least: 1 }), graphFirst(before, { least: 100_000 })]
  const store = await prepare(folder, [before, some, none])
  expect(await evaluate(store, none, questions)).toEqual(await evaluate(store, before, questions))
  const memo = createMemo(store, questions, () => 0)
  await memo.cells(none)
  await memo.cells(some)
  expect(memo.facts([none], 0)).toMatchObject({
    counters: { searchedShare: 1 },
    fallbacks: ['too few chunks are linked'],
  })
  const facts = memo.facts([some], 0)
  expect(facts.fallbacks).toEqual([])
  const searched = facts.counters.searchedShare * documents.length
  expect(searched).toBeLessThan(documents.length)
  expect(searched).toBeCloseTo(Math.round(searched), 9)
  expect(facts.finds.linkedGold).toHaveLength(1)
})

test("a trial's filter holds too", async () => {
  const whole = plain('naive', { pool: documents.length })
  const root = graphFirst(whole, { ...link, least: 1 })
  const kept = documents.filter((_, row) => row % 2 === 0).map(({ id }) => id)
  const filter = { where: { source: kept }, statistics: 'corpus' } as const
  const both = filterRetrieved({ ranking: root }, source, filter).ranking
  const store = await prepare(folder, [root, both])
  const [linked, filtered] = [await evaluate(store, root, questions), await evaluate(store, both, questions)]
  filtered.forEach(({ rows }, at) => {
    expect([...rows]).toEqual([...linked[at].rows].filter((row) => row % 2 === 0))
  })
})
