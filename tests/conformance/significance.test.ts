import { describe, expect, test } from 'vitest'
import { adjust } from '../../src/statistics/correction.ts'
import { effectSize } from '../../src/statistics/effect.ts'
import { countSigns, signTest } from '../../src/statistics/sign-test.ts'
import { momentsOf, pairedDifferences } from '../../src/statistics/summarize.ts'
import { tTest } from '../../src/statistics/t-test.ts'
import { wilcoxon } from '../../src/statistics/wilcoxon.ts'
import { flipTest } from '../statistics/paired.ts'
import { describeForm } from './forms.ts'

type Paired = { readonly a: number[]; readonly b: number[] } & Readonly<Record<string, unknown>>

/** Each figure of a case and ours; what a case does not hold is not compared. */
const FIGURES: Readonly<Record<string, (own: Float64Array) => unknown>> = {
  mean_diff: (own) => momentsOf(own).mean,
  t: (own) => tTest(own).t,
  t_p: (own) => tTest(own).p,
  t_ci95: (own) => [tTest(own).low, tTest(own).high],
  W: (own) => countSigns(own).wins,
  T: (own) => countSigns(own).ties,
  L: (own) => countSigns(own).losses,
  wilcoxon_stat: (own) => wilcoxon(own).statistic,
  wilcoxon_p: (own) => wilcoxon(own).p,
  exact_sign_flip_p: (own) => flipTest([own], 5000, 1),
  sign_test_p: (own) => signTest(countSigns(own)),
  cohen_dz: (own) => effectSize([own]),
}
const CORRECTIONS = {
  bonferroni: 'bonferroni',
  holm: 'holm',
  bh_fdr: 'benjamini-hochberg',
  by_fdr: 'benjamini-yekutieli',
} as const

interface Family {
  readonly p: readonly number[]
}
interface Data {
  readonly paired?: readonly Paired[]
  readonly multiple_comparison?: Family | readonly Family[]
  readonly tukey_hsd?: unknown
}

describeForm<Data>('significance', ({ paired: pairs = [], multiple_comparison = [], tukey_hsd }) => {
  // Tukey's honest significant difference is of independent samples; what is compared here are pairs.
  if (tukey_hsd)
    describe.skip('tukey_hsd: it is of an unpaired test, and what is compared here are pairs', () => {
      test.todo('compare tukey_hsd')
    })
  pairs.forEach((paired, place) => {
    test(`pair ${place + 1}`, () => {
      const own = pairedDifferences(paired.b, paired.a)
      const held = Object.keys(FIGURES).filter((name) => name in paired)
      expect(held.length).toBeGreaterThan(3)
      for (const name of held) near(name, FIGURES[name](own), paired[name])
    })
  })
  ;[multiple_comparison].flat().forEach((family, place) => {
    test(`family ${place + 1}`, () => {
      const held = Object.entries(CORRECTIONS).filter(([name]) => name in family)
      expect(held.length).toBeGreaterThan(0)
      for (const [name, correction] of held)
        near(name, adjust(family.p, correction), (family as Family & Record<string, unknown>)[name])
    })
  })
})

/** Within 1e-9 of the size of the figure, or both not a number. */
function near(name: string, own: unknown, expected: unknown): void {
  if (Array.isArray(expected)) {
    expect(own).toHaveLength(expected.length)
    expected.forEach((value, place) => {
      near(`${name}[${place}]`, (own as number[])[place], value)
    })
  } else if (expected === null) expect([name, own]).toEqual([name, Number.NaN])
  else {
    const off = Math.abs((own as number) - (expected as number))
    expect({
      name,
      own,
      expected,
      close: off <= 1e-9 * Math.max(1, Math.abs(expected as number)),
    }).toMatchObject({ close: true })
  }
}
