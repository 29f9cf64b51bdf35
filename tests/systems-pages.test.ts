import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import {
  CLAIMS,
  claimsPage,
  EMBEDDERS,
  PARTS,
  partsPage,
  SETS,
  type Systems,
  WORLD,
} from '../scripts/systems-pages.ts'

const docs = resolve(import.meta.dirname, '..', 'docs', 'evidence')
const read = (file: string) => readFileSync(join(docs, file), 'utf8')
const systems: Systems = JSON.parse(read('systems.json'))

test('the pages of the five systems are made of what was measured, on every set with every embedder', () => {
  expect(read('seeds-results.md')).toBe(partsPage(systems))
  expect(read('claims.md')).toBe(claimsPage(systems))
  for (const name of Object.keys(EMBEDDERS))
    for (const { part, only } of PARTS)
      expect(
        systems.parts
          .filter(({ embedder, part: own }) => own === part && embedder === name)
          .map(({ set }) => set),
        `${part} with ${name}`,
      ).toEqual(only === WORLD ? [WORLD] : [...(only ? [only] : SETS), WORLD])
})

test('the disagreements of the embedders are counted among the pairs that the table has', () => {
  const page = read('seeds-results.md')
  const rows = [...page.slice(0, page.indexOf('The two embedders')).matchAll(/ of (\d) \| [−+\d.]+ \|$/gm)]
  const pairs = rows.reduce((sum, [, tried]) => sum + Number(tried), 0)
  expect(page).toContain(`of the ${pairs} pairs of a part in this table and a set`)
})

test('the claims on the page are those of the rows of seed document 003', () => {
  const wordsOf = (row: string) =>
    read('seeds.md')
      .split('\n')
      .find((one) => one.startsWith(`| ${row} |`))
      ?.split(' | ')[2]
  const short = (latency: string) => latency.replace('< ', '<').replace(' ms', '').replace(' to ', '-')
  expect(wordsOf('003.59')).toBe(CLAIMS.map(({ latency }) => short(latency)).join(', '))
  expect(wordsOf('003.60')).toBe(CLAIMS.map(({ dollars }) => String(dollars).replace(/^0/, '')).join(' '))
  // The document's table, in its order.
  expect(CLAIMS.map(({ trial }) => trial.split(' ')[0])).toEqual([
    'naive',
    'hybrid',
    'graphrag-local',
    'graphrag-global',
    'lightrag',
    'hipporag',
  ])
})

/** Latencies that seed document 003 claims without a model, in milliseconds. `graphrag-global`'s 2 to 5 s are its model's. */
const CLAIMED = {
  naive: 100,
  'hybrid alpha=0.6': 200,
  'graphrag-local': 500,
  'lightrag entityWeight=0.6': 300,
  'hipporag damping=0.85': 500,
}

test('the latencies that seed document 003 claims hold on every set, the 95th percentile too', () => {
  for (const [trial, milliseconds] of Object.entries(CLAIMED)) {
    const own = systems.claims.filter((one) => one.trial === trial)
    expect(new Set(own.map(({ set }) => set)), trial).toEqual(new Set(SETS))
    for (const { p50, p95 } of own) {
      expect(p50).toBeGreaterThan(0)
      expect(p95).toBeGreaterThanOrEqual(p50)
      expect(p95, trial).toBeLessThan(milliseconds)
    }
  }
})

test('graphrag-global costs several times as much as naive and hybrid on every set, since its calls are counted', () => {
  for (const set of SETS) {
    const costOf = (trial: string) => {
      const one = systems.claims.find((claim) => claim.trial === trial && claim.set === set)
      return one?.dollars ?? Number.NaN
    }
    for (const other of ['naive', 'hybrid alpha=0.6'])
      expect(costOf('graphrag-global') / costOf(other), `${other} on ${set}`).toBeGreaterThan(2)
  }
})

test('the best weights of lightrag are those that the page of the seeds names', () => {
  const line = read('seeds.md')
    .split('\n')
    .find((one) => one.startsWith('| 003.38 |'))
  expect(line).toContain('over five values on four sets: best at .2 and .4 on three, at .8 on one')
  const own = systems.grids.filter(({ param }) => param === 'lightrag entityWeight')
  const best = SETS.map((set) => {
    const [{ means }] = own.filter((one) => one.set === set)
    expect(means.map(([value]) => value)).toEqual([0.2, 0.4, 0.6, 0.8, 1])
    const top = Math.max(...means.map(([, mean]) => mean))
    return means.filter(([, mean]) => mean === top).map(([value]) => value)
  })
  expect(best.map(String).sort()).toEqual(['0.2,0.4', '0.2,0.4', '0.2,0.4', '0.8'])
})

/** The row of the page of the seeds with this number. */
const rowOf = (id: string) =>
  read('seeds.md')
    .split('\n')
    .find((one) => one.startsWith(`| ${id} |`)) ?? ''

test('the best alphas of fused ranks are those that the page of the seeds names', () => {
  const [, mini, bge] = /with MiniLM best at (.+), with bge-small at (.+?); docs/.exec(rowOf('003.14')) ?? []
  expect([mini, bge]).toEqual(['.5, .5, .5 and from .6 on', '.5, .5, .8 and 1'])
  const bestOf = (embedder: string) =>
    SETS.map((set) => {
      const own = systems.grids.filter(({ param }) => param === 'ranks alpha')
      const { means } = own.find((one) => one.set === set && one.embedder === embedder) ?? { means: [] }
      expect(means.map(([value]) => value)).toEqual([0, 0.3, 0.5, 0.6, 0.7, 0.8, 1])
      const top = Math.max(...means.map(([, mean]) => mean))
      return means.filter(([, mean]) => mean === top).map(([value]) => value)
    })
  expect(bestOf('MiniLM')).toEqual([[0.5], [0.5], [0.5], [0.6, 0.7, 0.8, 1]])
  expect(bestOf('bge-small')).toEqual([[0.5], [0.5], [0.8], [1]])
})

test('the times of graphrag-global without a model are those that the page of the seeds names', () => {
  const own = systems.claims.filter((one) => one.trial === 'graphrag-global' && one.embedder === 'MiniLM')
  expect(own.map(({ set }) => set)).toEqual([...SETS])
  const p50 = own.map((one) => one.p50)
  const named = [Math.min(...p50), Math.max(...p50)].map((time) => time.toFixed(1)).join(' to ')
  expect(rowOf('003.32')).toContain(`p50 of ${named} ms without a model`)
})

test('the best three of a category are in order, and no category has fewer than 15 questions', () => {
  const trials: readonly string[] = CLAIMS.map(({ trial }) => trial)
  expect(new Set(systems.best.map(({ set }) => set))).toEqual(new Set(SETS))
  for (const { n, ranked, set, category } of systems.best) {
    const name = `${category} of ${set}`
    expect(n, name).toBeGreaterThanOrEqual(15)
    expect(new Set(ranked.map(([trial]) => trial)).size, name).toBe(3)
    expect(ranked.filter(([trial]) => !trials.includes(trial)).length, name).toBe(0)
    const means = ranked.map(([, mean]) => mean)
    expect(means, name).toEqual([...means].sort((a, b) => b - a))
  }
})

test('the recall of the first system of seed document 001 is that which the page of the seeds names', () => {
  const own = systems.parts.filter((one) => one.part === 'IDF (001), terms alone')
  const means = SETS.map((set) => {
    const [first, ...others] = own.filter((one) => one.set === set)
    expect(first.measure).toBe('recall@10')
    // By terms alone, so whatever the embedder.
    for (const other of others) expect(other.before).toBe(first.before)
    return (100 * first.before).toFixed(1)
  })
  expect(rowOf('001.62')).toContain(`recall@10 of ${means.slice(0, -1).join(', ')} and ${means.at(-1)} %`)
})
