import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { rankPairs } from '../../../src/ranking/order.ts'
import { createMemo } from '../../../src/retrieve/evaluate.ts'
import { sourceQuery } from '../../../src/retrieve/step.ts'
import {
  groupChapters,
  routeToChapters,
  scoreChapters,
} from '../../../src/retrieve/transforms/chapter-routing.ts'
import { documents, questions } from '../../fixtures/passages.ts'
import { evaluate, outputsOf, prepare, recipe, retrieved, transformed } from '../strategies/prepared.ts'

const folder = mkdtempSync(join(tmpdir(), 'touchstone-chapters-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const source = sourceQuery(recipe)
const before = retrieved('naive').ranking
const routed = (params: object) => transformed('chapter-routing', { by: 'document', ...params }, before)

test('a chapter is an outermost heading of a document, or a document', () => {
  const chunks = [
    { documentId: 'a', section: ['One', 'Deep'] },
    { documentId: 'a', section: ['Two'] },
    { documentId: 'a', section: ['One'] },
    { documentId: 'b', section: ['One'] },
    { documentId: 'b', section: [] },
  ].map((chunk, at) => ({ id: `${chunk.documentId}#${at}`, ...chunk }))
  const byHeading = groupChapters(chunks, 'heading')
  expect([...byHeading.of]).toEqual([0, 1, 0, 2, 3])
  expect(byHeading.rows.map((rows) => [...rows])).toEqual([[0, 2], [1], [3], [4]])
  expect([...groupChapters(chunks, 'document').of]).toEqual([0, 0, 0, 1, 1])
})

test("chapters score by the best or the sum of their chunks' scores, from 0 to 1", () => {
  const ranking = rankPairs([0, 1, 2, 3], [9, 5, 3, 1], 4)
  const of = Uint32Array.of(0, 1, 1, 1)
  expect([...scoreChapters(ranking, of, 'best')]).toEqual([
    [0, 1],
    [1, 0.5],
  ])
  expect([...scoreChapters(ranking, of, 'sum')]).toEqual([
    [0, 1],
    [1, 0.75],
  ])
})

test.each([
  ['of equal chapters the first', { top: 1 }, [0, 1], 2 / 6],
  ['their chunks in the order of the corpus, found or not', { top: 2 }, [0, 1, 2], 3 / 6],
  ['the chapter with the greatest sum', { top: 1, score: 'sum' as const }, [3, 4], 2 / 6],
  ['chapters with exactly the share of all scores', { top: 1, share: 1 / 2.75 }, [0, 1], 2 / 6],
  ['all, where the best have less', { top: 1, share: 0.37 }, null, 1],
])('a query is routed to %s', (_, given, rows, searched) => {
  const chunks = ['a', 'a', 'b', 'c', 'c', 'd'].map((documentId, at) => {
    return { id: `${documentId}#${at}`, documentId, section: [] }
  })
  const chapters = groupChapters(chunks, 'document')
  // From 0 to 1: both of a and b 1, those of c 0.75 and 0.5, that of d 0.
  const ranking = rankPairs([0, 2, 3, 4, 5], [9, 9, 7, 5, 1], 5)
  const params = { by: 'document' as const, score: 'best' as const, share: 0, ...given }
  const [routed] = outputsOf(routeToChapters, [[ranking]], params, { chapters })
  expect([routed.rows && [...routed.rows], routed.searched]).toEqual([rows, searched])
  const { step } = routeToChapters([source as never], params)
  expect(step.facts?.(routed).fellBack).toBe(rows ? null : 'no chapter stands out')
  expect(step.facts?.(routed).counts).toEqual({ searchedShare: searched })
  expect(step.facts?.(routed).finds).toEqual({ routedGold: rows ? [Uint32Array.from(rows)] : [] })
  const none = outputsOf(routeToChapters, [[rankPairs([], [], 0)]], params, { chapters })
  expect(none).toEqual([{ rows: null, searched: 1 }])
})

test('chunks of the best chapters stay, others are dropped or stand below; all stands where none stands out', async () => {
  const roots = [
    routed({ top: 1, score: 'best' }),
    routed({ top: 1, score: 'best', rest: 'below' }),
    routed({ top: 1, share: 1 }),
  ]
  const store = await prepare(folder, roots)
  const [dropped, below, all] = await Promise.all(roots.map((root) => evaluate(store, root, questions)))
  const plain = await evaluate(store, before, questions)
  plain.forEach((ranking, at) => {
    // The best chunk's document comes first.
    expect(dropped[at].rows[0]).toBe(ranking.rows[0])
    expect(dropped[at].rows.length).toBeLessThan(ranking.rows.length)
    expect([...below[at].rows].sort()).toEqual([...ranking.rows].sort())
    expect([...below[at].rows.subarray(0, dropped[at].rows.length)]).toEqual([...dropped[at].rows])
    expect([...below[at].scores]).toEqual([...below[at].rows.keys()].map((i) => ranking.rows.length - i))
    expect(all[at]).toEqual(ranking)
  })
  // Every document is one chunk: two chapters are the two best, in the order and with the scores that they had.
  const [two, whole] = [routed({ top: 2 }), routed({ top: 10_000, share: 1 })]
  const twoBest = await evaluate(store, two, questions)
  plain.forEach(({ rows, scores }, at) => {
    expect(twoBest[at]).toEqual({ rows: rows.slice(0, 2), scores: scores.slice(0, 2) })
  })
  const counted = createMemo(store, questions, () => 0)
  for (const root of [two, whole]) await counted.cells(root)
  expect(counted.facts([two], 0).counters.searchedShare).toBeCloseTo(2 / documents.length, 12)
  const { rows } = plain[0]
  expect([...counted.facts([two], 0).finds.routedGold[0]]).toEqual(
    [...rows.slice(0, 2)].sort((a, b) => a - b),
  )
  // All chapters of the ranking have all scores: that is enough.
  expect(counted.facts([whole], 0).fallbacks).toEqual([])
  const memo = createMemo(store, questions, () => 0)
  await memo.cells(roots[0])
  const { counters, finds } = memo.facts([roots[0]], 0)
  expect(counters.searchedShare).toBeGreaterThan(0)
  expect(counters.searchedShare).toBeLessThan(1)
  expect(finds.routedGold).toHaveLength(1)
  await memo.cells(roots[2])
  expect(memo.facts([roots[2]], 0).fallbacks).toEqual(['no chapter stands out'])
})
