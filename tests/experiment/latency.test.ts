import { expect, test } from 'vitest'
import type { Recipe } from '../../src/corpus/recipe.ts'
import { measureLatency } from '../../src/experiment/latency.ts'
import type { CompiledTrial } from '../../src/experiment/plan/compile.ts'
import { EMPTY_RANKING } from '../../src/ranking/order.ts'
import { defineStep, sourceQuery } from '../../src/retrieve/step.ts'
import { percentiles } from '../../src/statistics/intervals.ts'
import { openStore } from '../../src/store/store.ts'
import type { Evidence, Query, Ranking } from '../../src/types.ts'
import { temporaryFolder } from '../temporary.ts'

/** Milliseconds of the unmeasured round and of each repeat: the median of four lies between 30 and 70, of three it is 30. */
const ROUNDS = [9000, 70, 10, 30, 100]

/** Times a trial without evidence and one with; every run of a step moves the clock by what is asked. */
async function measured(repeats: number, asked: number) {
  let now = 0
  const ran: string[] = []
  const source = sourceQuery({} as Recipe)
  const costing = (trial: number, evidence: number) => {
    const times = new Map<string, number>()
    const cost = (query: Query) => {
      const time = times.get(query.id) ?? 0
      times.set(query.id, time + 1)
      // The first query is asked once more, before all: what opening costs.
      const round = query.id === 'q0' ? time - 1 : time
      return round < 0 ? 50_000 * (trial + 1) : ROUNDS[round] * (1 + Number(query.id.slice(1)) / 10) + trial
    }
    const rank = defineStep({
      name: `rank ${trial}`,
      version: 1,
      yields: 'ranking',
      run: ([query]: readonly [Query]): Ranking => {
        ran.push(`${trial} ${query.id}`)
        now += cost(query)
        return EMPTY_RANKING
      },
    })
    const cite = defineStep({
      name: `cite ${trial}`,
      version: 1,
      run: (_: readonly [Ranking]): Evidence[] => {
        now += evidence
        return []
      },
    })
    const ranking = rank([source], null)
    return {
      id: `t${trial}`,
      name: `trial ${trial}`,
      ranking,
      ...(evidence > 0 ? { evidence: cite([ranking], null) } : {}),
    } as unknown as CompiledTrial
  }
  const queries = Array.from({ length: 50 }, (_, place) => ({
    id: `q${place}`,
    text: `${place}`,
    metadata: {},
  }))
  const store = openStore(temporaryFolder())
  const progress: string[] = []
  const loads = [0.5, 1, 4, 2]
  const { load, trials, byQuery } = await measureLatency(store, [costing(0, 0), costing(1, 7)], queries, {
    queries: asked,
    repeats,
    level: 0.1,
    clock: () => now,
    cores: 2,
    load: () => loads.shift() ?? 1,
    progress: (_, done, total) => progress.push(`${done}/${total}`),
  })
  await store.close()
  return { load, trials, byQuery, ran, progress }
}

test.each([
  [3, 30],
  [4, (30 + 70) / 2],
])('a query takes the median of its %d repeats, the unmeasured round apart', async (repeats, median) => {
  const { load, trials, byQuery, progress } = await measured(repeats, 20)
  expect(load).toEqual({ before: 0.5, highest: 4, cores: 2 })
  trials.forEach((row, trial) => {
    // Fifty queries, of which twenty are timed: 0, 2, 5, 7, 10 and so on. The fiftieth costs six times the first.
    const medians = Array.from({ length: 20 }, (_, place) => {
      const query = Math.floor((place * 50) / 20)
      return median * (1 + query / 10) + trial * (1 + 7)
    })
    const queryRows = byQuery.filter((one) => one.trial === row.id)
    expect(queryRows.map(({ query }) => query).slice(0, 3)).toEqual(['q0', 'q2', 'q5'])
    expect(queryRows.map(({ milliseconds }) => milliseconds)).toEqual(
      medians.map((value) => expect.closeTo(value, 6)),
    )
    const [p50, p95, p99] = percentiles(medians, [0.5, 0.95, 0.99], 0.1)
    for (const [shown, expected] of [
      [row.p50, p50],
      [row.p95, p95],
      [row.p99, p99],
    ])
      for (const part of ['value', 'low', 'high'] as const)
        expect(shown[part] ?? -1).toBeCloseTo(expected[part] ?? -1, 6)
    expect(row).toMatchObject({ id: `t${trial}`, name: `trial ${trial}`, queries: 20, repeats })
    const seen = [row.p50, row.p95, row.p99].map(({ value }) => value)
    // The tenth, the nineteenth and the last.
    expect(seen).toEqual([3.2, 5.5, 5.7].map((factor) => expect.closeTo(median * factor + trial * 8, 6)))
    // Each repeat alone: the fastest takes 10, the slowest 70 or 100.
    const ends = [10, repeats === 3 ? 70 : 100]
    const byRepeat = (factor: number) => ends.map((time) => expect.closeTo(time * factor + trial * 8, 6))
    expect(row.byRepeat).toEqual({ p50: byRepeat(3.2), p95: byRepeat(5.5) })
    expect(row.cold).toBe(50_000 * (trial + 1) + trial * 7)
  })
  expect(progress).toEqual(Array.from({ length: repeats + 1 }, (_, round) => `${round + 1}/${repeats + 1}`))
})
