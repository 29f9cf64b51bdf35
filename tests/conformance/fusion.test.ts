import { expect, it } from 'vitest'
import { align, type Fusion, fuse } from '../../src/ranking/fuse.ts'
import { normalize } from '../../src/ranking/normalize.ts'
import { rankPairs } from '../../src/ranking/order.ts'
import type { Ranking } from '../../src/types.ts'
import { describeForm } from './forms.ts'

type Run = Record<string, Record<string, number>>

describeForm<{ runs: Run[] } & Record<string, Run>>('fusion', (data) => {
  // A value that is no object is a note, such as the source.
  const { runs, ...rest } = data
  const cases = Object.entries(rest).filter(([, value]) => typeof value === 'object')
  it('has cases', () => expect(cases.length).toBeGreaterThan(0))
  for (const [name, expected] of cases)
    it(name, () => {
      for (const [query, scores] of Object.entries(expected)) {
        const ids = [...new Set(runs.flatMap((run) => Object.keys(run[query] ?? {})))].sort()
        const rankings = runs.map((run) => {
          const entries = Object.entries(run[query] ?? {})
          return rankPairs(
            entries.map(([id]) => ids.indexOf(id)),
            entries.map(([, score]) => score),
            entries.length,
          )
        })
        const fused = result(name, rankings)
        expect([...fused.rows].map((row) => ids[row]).sort()).toEqual(Object.keys(scores).sort())
        fused.rows.forEach((row, i) => {
          expect(Math.abs(fused.scores[i] - scores[ids[row]])).toBeLessThan(1e-9)
        })
      }
    })
})

/** The name of a case has its fusion: `rrf_k60`, `wsum_0.3_0.2_0.5`, `comb_mnz`, `min_max_norm_run1`. */
function result(name: string, rankings: Ranking[]): Ranking {
  const [kind, ...numbers] = name.split('_')
  const all = (weights: number[], how: Fusion) =>
    fuse(
      align(rankings),
      weights.map((weight) => ({ weight })),
      how,
    )
  const ones = rankings.map(() => 1)
  if (kind === 'rrf') return all(ones, { fusion: 'rrf', rrfK: Number(numbers[0].slice(1)) })
  if (kind === 'wsum') return all(numbers.map(Number), { fusion: 'weighted', norm: 'none' })
  if (name === 'comb_mnz') return all(ones, { fusion: 'combmnz', norm: 'none' })
  const normed = /^min_max_norm_run(\d+)$/.exec(name)
  if (!normed) throw new Error(`no such form of case: ${name}`)
  const ranking = rankings[Number(normed[1]) - 1]
  return { rows: ranking.rows, scores: normalize(ranking, 'minmax') }
}
