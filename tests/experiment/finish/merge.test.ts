import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mergeParts } from '../../../src/experiment/finish/merge.ts'
import type { ShardLabels } from '../../../src/experiment/shard/locate.ts'
import { cellsOf, findParts, readRankings, writePart } from '../../../src/experiment/shard/parts.ts'
import type { ShardResult, TrialRows } from '../../../src/experiment/shard/result.ts'
import { temporaryName } from '../../../src/store/write.ts'
import { temporaryFolder } from '../../temporary.ts'

/** Result of a trial for a query, as an object. */
const anyCell = fc.record({
  values: fc.array(fc.oneof(fc.double({ noNaN: true }), fc.constant(Number.NaN)), {
    minLength: 2,
    maxLength: 2,
  }),
  worst: fc.double(),
  best: fc.double(),
  retrieved: fc.nat(),
  tokens: fc.nat(),
  evidenceTokens: fc.nat(),
  counters: fc.option(
    fc.oneof(fc.record({ links: fc.nat(2), modelCalls: fc.nat(9) }), fc.constant({ fallbacks: 1 })),
  ),
  arm: fc.option(fc.constantFrom('naive', 'the best one')),
  fallbacks: fc.option(
    fc.array(fc.constantFrom('nothing is linked', 'no walk'), { minLength: 1, maxLength: 2 }),
  ),
  failure: fc.option(fc.record({ step: fc.constantFrom('dense', 'fuse'), message: fc.string() }), {
    freq: 3,
  }),
  label: fc.array(
    fc.record({ rank: fc.nat(100), score: fc.double(), stage: fc.nat(255), channel: fc.nat(15) }),
    { minLength: 4, maxLength: 4 },
  ),
  first: fc.array(fc.record({ row: fc.nat(), score: fc.double({ noNaN: true }) }), { maxLength: 3 }),
})
type Cell = typeof anyCell extends fc.Arbitrary<infer T> ? T : never

const MEASURES = ['recall@5', 'mrr']
const RANKS = 3

/** Labels of each query: from none to three. */
const labelsOf = (query: number) => (query * 2) % 4

/** The cells of one trial for queries from `begin` on. */
function rowsOf(own: readonly Cell[], begin: number): TrialRows {
  const labels = own.flatMap(({ label }, at) => label.slice(0, labelsOf(begin + at)))
  const padded = own.flatMap(({ first }) =>
    Array.from({ length: RANKS }, (_, rank) => first[rank] ?? { row: 0, score: 0 }),
  )
  const doubles = (values: readonly number[]) => Float64Array.from(values)
  const whole = (values: readonly number[]) => Int32Array.from(values)
  return {
    values: MEASURES.map((_, measure) => doubles(own.map(({ values }) => values[measure]))),
    worst: doubles(own.map(({ worst }) => worst)),
    best: doubles(own.map(({ best }) => best)),
    retrieved: whole(own.map(({ retrieved }) => retrieved)),
    tokens: whole(own.map(({ tokens }) => tokens)),
    evidenceTokens: whole(own.map(({ evidenceTokens }) => evidenceTokens)),
    counters: own.map(({ counters }) => counters as Record<string, number> | null),
    breakdowns: own.map(() => null),
    walks: own.map(() => null),
    arms: own.map(({ arm }) => arm),
    fallbacks: own.map(({ fallbacks }) => fallbacks),
    notes: own.map(() => null),
    marks: own.map(() => null),
    failures: own.map(({ failure }) => failure),
    first: {
      ranks: RANKS,
      counts: Uint8Array.from(own, ({ first }) => first.length),
      rows: Uint32Array.from(padded, ({ row }) => row),
      scores: doubles(padded.map(({ score }) => score)),
    },
    ranks: whole(labels.map(({ rank }) => rank)),
    scores: doubles(labels.map(({ score }) => score)),
    stages: Uint8Array.from(labels, ({ stage }) => stage),
    channels: Uint8Array.from(labels, ({ channel }) => channel),
  }
}

/** The cells of the queries from `begin` to `end` as a shard gives them. */
function shardOf(
  cells: readonly (readonly Cell[])[],
  shard: number,
  begin: number,
  end: number,
): ShardResult {
  return {
    shard,
    begin,
    end,
    trials: cells.map((row) => cellsOf(MEASURES, rowsOf(row.slice(begin, end), begin))),
    computed: new Map([['dense', shard + 1], ...(shard === 0 ? [['fuse', 7] as const] : [])]),
    milliseconds: new Map(),
  }
}

test('parts put together are what the trials gave, cell by cell, however the queries were cut', async () => {
  const grid = fc
    .record({ trials: fc.integer({ min: 1, max: 3 }), queries: fc.integer({ min: 1, max: 7 }) })
    .chain(({ trials, queries }) => {
      const row = fc.array(anyCell, { minLength: queries, maxLength: queries })
      return fc.array(row, { minLength: trials, maxLength: trials })
    })
  await fc.assert(
    fc.asyncProperty(grid, fc.integer({ min: 1, max: 4 }), async (cells, size) => {
      const folder = temporaryFolder()
      const queries = cells[0].length
      const shards = Math.ceil(queries / size)
      // Written in any order, as threads end.
      for (let shard = shards - 1; shard >= 0; shard--)
        writePart(
          folder,
          'plan',
          MEASURES,
          shardOf(cells, shard, shard * size, Math.min((shard + 1) * size, queries)),
        )
      const found = findParts(folder, 'plan')
      const parts = [...found.values()].sort((a, b) => a.shard - b.shard)
      expect(parts.map(({ shard }) => shard)).toEqual(Array.from({ length: shards }, (_, shard) => shard))
      const labels = Array.from(
        { length: queries },
        (_, query) => ({ units: new Int32Array(labelsOf(query)) }) as ShardLabels,
      )
      const merged = await mergeParts(parts, { measures: MEASURES, trials: cells.length, labels }, () => {})

      const all = cells.flat()
      const judged = cells.flatMap((row) =>
        row.flatMap(({ label }, query) => label.slice(0, labelsOf(query))),
      )
      expect(merged).toMatchObject({ trials: cells.length, queries })
      MEASURES.forEach((_, measure) => {
        expect([...merged.values[measure]]).toEqual(all.map(({ values }) => values[measure]))
      })
      for (const column of ['worst', 'best', 'retrieved', 'tokens', 'evidenceTokens'] as const)
        expect([...merged[column]], column).toEqual(all.map((cell) => cell[column]))
      expect([...merged.ranks]).toEqual(judged.map(({ rank }) => rank))
      expect([...merged.scores]).toEqual(judged.map(({ score }) => score))
      expect([...merged.stages]).toEqual(judged.map(({ stage }) => stage))
      expect([...merged.channels]).toEqual(judged.map(({ channel }) => channel))
      const ends = Array.from({ length: queries + 1 }, (_, query) =>
        Array.from({ length: query }, (_, before) => labelsOf(before)).reduce((a, b) => a + b, 0),
      )
      expect([...merged.labelOffsets]).toEqual(ends)
      expect(merged.failures).toEqual(
        cells.flatMap((row, trial) =>
          row.flatMap(({ failure }, query) => (failure ? [{ trial, query, ...failure }] : [])),
        ),
      )
      cells.forEach((row, trial) => {
        const sums: Record<string, number> = {}
        for (const { counters } of row) {
          for (const [name, count] of Object.entries(counters ?? {})) sums[name] = (sums[name] ?? 0) + count
          if (counters && 'links' in counters)
            sums.linked = (sums.linked ?? 0) + ((counters.links as number) > 0 ? 1 : 0)
        }
        expect(merged.counters[trial]).toEqual(sums)
        const noted = merged.arms.get(trial)
        expect(row.map((_, query) => noted?.[query] ?? null)).toEqual(row.map(({ arm }) => arm))
        const reasons = row.flatMap(({ fallbacks }) => fallbacks ?? [])
        const count = (reason: string) => reasons.filter((one) => one === reason).length
        expect(merged.fallbacks[trial]).toEqual(new Map(reasons.map((one) => [one, count(one)])))
      })
      expect(merged.computed).toEqual({ dense: (shards * (shards + 1)) / 2, fuse: 7 })

      // Rankings of some trials, in the order asked for.
      const asked = [...cells.keys()].reverse().slice(0, 2)
      let begin = 0
      for (const part of parts) {
        const count = Math.min(size, queries - begin)
        const kept = await readRankings(part, asked)
        asked.forEach((trial, place) => {
          const row = cells[trial].slice(begin, begin + count)
          const { first } = kept[place]
          expect(first.ranks).toBe(RANKS)
          row.forEach((cell, at) => {
            const places = Array.from({ length: first.counts[at] }, (_, rank) => at * RANKS + rank)
            expect(places.map((one) => ({ row: first.rows[one], score: first.scores[one] }))).toEqual(
              cell.first,
            )
          })
        })
        begin += count
      }
    }),
    { numRuns: 25 },
  )
})

test('what is no whole part of this plan is removed, and only that', () => {
  const folder = temporaryFolder()
  const [cell] = fc.sample(anyCell, { numRuns: 1, seed: 1 })
  const part = writePart(folder, 'plan', MEASURES, shardOf([[cell]], 3, 0, 1))
  const parts = join(folder, 'parts', 'plan')
  const [name] = readdirSync(parts)
  expect(name).toMatch(/^00003-[0-9a-f]{16}\.parquet$/)
  // Another hash, another number under the same bytes, a temporary file.
  const others = [name.replace(/-./, '-x'), temporaryName('00004')]
  const altered = name.replace(/-./, (dash) => (dash === '-0' ? '-1' : '-0'))
  for (const file of [...others, altered]) writeFileSync(join(parts, file), 'no part')
  expect([...findParts(folder, 'plan')]).toEqual([[3, part]])
  // Another worker may be writing one of them.
  expect(readdirSync(parts).sort()).toEqual([name, ...others].sort())
  expect(findParts(folder, 'another plan').size).toBe(0)
  // Of two whole parts of one shard one is enough, and either may be it.
  writePart(folder, 'plan', MEASURES, shardOf([[{ ...cell, tokens: cell.tokens + 1 }]], 3, 0, 1))
  const [first] = readdirSync(parts)
    .filter((file) => /^00003-[0-9a-f]{16}\.parquet$/.test(file))
    .sort()
  expect([...findParts(folder, 'plan')]).toEqual([[3, { shard: 3, path: join(parts, first) }]])
})
