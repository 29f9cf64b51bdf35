import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { blockOf } from '../scripts/pages.ts'
import { seedRow } from '../scripts/reference/seeds.ts'
import {
  CLAIMS,
  claimsTable,
  EMBEDDERS,
  PARTS,
  partsTable,
  SETS,
  type Systems,
  WORLD,
} from '../scripts/systems-figures.ts'

const docs = resolve(import.meta.dirname, '..', 'docs', 'evidence')
const read = (file: string) => readFileSync(join(docs, file), 'utf8')
const systems: Systems = JSON.parse(read('systems.json'))

test('the tables of the five systems are made of stored figures, on every set with every embedder', () => {
  const results = read('results.md')
  expect(blockOf(results, 'parts')).toBe(partsTable(systems))
  expect(blockOf(results, 'claims')).toBe(claimsTable(systems))
  for (const name of Object.keys(EMBEDDERS))
    for (const { part, only } of PARTS)
      expect(
        systems.parts
          .filter(({ embedder, part: partOfRow }) => partOfRow === part && embedder === name)
          .map(({ set }) => set),
        `${part} with ${name}`,
      ).toEqual(only === WORLD ? [WORLD] : [...(only ? [only] : SETS), WORLD])
})

test('each set has its chapters for each embedder: coverage, share searched, recall and MRR', () => {
  for (const set of [...SETS, WORLD])
    for (const name of Object.keys(EMBEDDERS)) {
      const rows = systems.chapters.filter((row) => row.set === set && row.embedder === name)
      expect(rows.map(({ top }) => top)).toEqual([0, 3, 8, 12])
      expect(rows[0]).toMatchObject({ coverage: 1, searched: 1 })
      for (const row of rows.slice(1)) expect(row.searched).toBeLessThan(row.coverage)
    }
})

test('the claims in the table are those of the rows of seed document 003', () => {
  const short = (latency: string) => latency.replace('< ', '<').replace(' ms', '').replace(' to ', '-')
  expect(seedRow('003.59').value).toBe(CLAIMS.map(({ latency }) => short(latency)).join(', '))
  expect(seedRow('003.60').value).toBe(
    CLAIMS.map(({ dollars }) => String(dollars).replace(/^0/, '')).join(' '),
  )
  // The document's table, in its order.
  expect(CLAIMS.map(({ trial }) => trial.split(' ')[0])).toEqual([
    'naive',
    'hybrid',
    'graphrag-local-simple',
    'graphrag-global',
    'lightrag-simple',
    'hipporag-simple',
  ])
})

/** Latencies that seed document 003 claims without a model, in milliseconds. `graphrag-global`'s 2 to 5 s are its model's. */
const CLAIMED = {
  naive: 100,
  'hybrid alpha=0.6': 200,
  'graphrag-local-simple': 500,
  'lightrag-simple entityWeight=0.6': 300,
  'hipporag-simple damping=0.85': 500,
}

test('the latencies that seed document 003 claims hold on every set, the 95th percentile too', () => {
  for (const [trial, milliseconds] of Object.entries(CLAIMED)) {
    const rows = systems.claims.filter((row) => row.trial === trial)
    expect(new Set(rows.map(({ set }) => set)), trial).toEqual(new Set(SETS))
    for (const { p50, p95 } of rows) {
      expect(p50).toBeGreaterThan(0)
      expect(p95).toBeGreaterThanOrEqual(p50)
      expect(p95, trial).toBeLessThan(milliseconds)
    }
  }
})

test('graphrag-global costs several times as much as naive and hybrid on every set, since its calls are counted', () => {
  for (const set of SETS) {
    const costOf = (trial: string) => {
      const row = systems.claims.find((claim) => claim.trial === trial && claim.set === set)
      return row?.dollars ?? Number.NaN
    }
    for (const other of ['naive', 'hybrid alpha=0.6'])
      expect(costOf('graphrag-global') / costOf(other), `${other} on ${set}`).toBeGreaterThan(2)
  }
})

test('the best weights of lightrag are those that the page of the seeds names', () => {
  expect(seedRow('003.38').key).toContain(
    'over five values on four sets: best at .2 and .4 on three, at .8 on one',
  )
  const rows = systems.grids.filter(({ param }) => param === 'lightrag-simple entityWeight')
  const best = SETS.map((set) => {
    const [{ means }] = rows.filter((row) => row.set === set)
    expect(means.map(([value]) => value)).toEqual([0.2, 0.4, 0.6, 0.8, 1])
    const top = Math.max(...means.map(([, mean]) => mean))
    return means.filter(([, mean]) => mean === top).map(([value]) => value)
  })
  expect(best.map(String).sort()).toEqual(['0.2,0.4', '0.2,0.4', '0.2,0.4', '0.8'])
})

test('the best alphas of fused ranks are those that the page of the seeds names', () => {
  const [, mini, bge] = /with MiniLM best at (.+), with bge-small at (.+)$/.exec(seedRow('003.14').key) ?? []
  expect([mini, bge]).toEqual(['.5, .5, .5 and from .6 on', '.5, .5, .8 and 1'])
  const bestOf = (embedder: string) =>
    SETS.map((set) => {
      const rows = systems.grids.filter(({ param }) => param === 'ranks alpha')
      const { means } = rows.find((row) => row.set === set && row.embedder === embedder) ?? { means: [] }
      expect(means.map(([value]) => value)).toEqual([0, 0.3, 0.5, 0.6, 0.7, 0.8, 1])
      const top = Math.max(...means.map(([, mean]) => mean))
      return means.filter(([, mean]) => mean === top).map(([value]) => value)
    })
  expect(bestOf('MiniLM')).toEqual([[0.5], [0.5], [0.5], [0.6, 0.7, 0.8, 1]])
  expect(bestOf('bge-small')).toEqual([[0.5], [0.5], [0.8], [1]])
})

test('the times of graphrag-global without a model are those that the page of the seeds names', () => {
  const rows = systems.claims.filter((row) => row.trial === 'graphrag-global' && row.embedder === 'MiniLM')
  expect(rows.map(({ set }) => set)).toEqual([...SETS])
  const p50 = rows.map((row) => row.p50)
  const named = [Math.min(...p50), Math.max(...p50)].map((time) => time.toFixed(1)).join(' to ')
  expect(seedRow('003.32').key).toContain(`p50 of ${named} ms without a model`)
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
  const rows = systems.parts.filter((row) => row.part === 'IDF (001), terms alone')
  const means = SETS.map((set) => {
    const [first, ...others] = rows.filter((row) => row.set === set)
    expect(first.measure).toBe('recall@10')
    // By terms alone, so whatever the embedder.
    for (const other of others) expect(other.before).toBe(first.before)
    return (100 * first.before).toFixed(1)
  })
  expect(seedRow('001.62').key).toContain(
    `recall@10 of ${means.slice(0, -1).join(', ')} and ${means.at(-1)} %`,
  )
})
