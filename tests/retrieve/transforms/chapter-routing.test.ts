import { expect, test } from 'vitest'
import { rankPairs } from '../../../src/ranking/order.ts'
import { sourceQuery } from '../../../src/retrieve/step.ts'
import { groupChapters, routeToChapters } from '../../../src/retrieve/transforms/chapter-routing.ts'
import { outputsOf, recipe } from '../strategies/prepared.ts'

const source = sourceQuery(recipe)

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
