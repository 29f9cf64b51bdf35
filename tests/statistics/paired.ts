import { compareTrials } from '../../src/statistics/compare.ts'
import type { Strata } from '../../src/statistics/strata.ts'

/** The paired randomization test of differences, as a comparison with nothing but zeros. */
export function flipTest(strata: Strata, draws: number, seed: number): number {
  const own = Float64Array.from(strata.flatMap((values) => Array.from(values)))
  const [{ p }] = compareTrials({
    names: ['own', 'zeros'],
    matrix: [own, new Float64Array(own.length)],
    strata: strata.map(({ length }) => length),
    family: [{ name: 'own', baseline: 'zeros' }],
    ...{ level: 0.05, correction: 'max-t', draws, seed, better: 'higher' },
  })
  return p
}
