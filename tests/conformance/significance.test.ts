import { expect, test } from 'vitest'
import { tTest } from '../../src/statistics/intervals.ts'
import { countSigns, effectSize, momentsOf, pairedDifferences } from '../../src/statistics/moments.ts'
import { exactFlips } from '../../src/statistics/sample.ts'
import { describeForm } from './forms.ts'

type Paired = { readonly a: number[]; readonly b: number[] } & Readonly<Record<string, unknown>>

/** Our values of the figures of a case. */
const FIGURES: Readonly<Record<string, (differences: Float64Array) => unknown>> = {
  mean_diff: (differences) => momentsOf(differences).mean,
  t: (differences) => tTest(differences).t,
  t_p: (differences) => tTest(differences).p,
  t_ci95: (differences) => [tTest(differences).low, tTest(differences).high],
  W: (differences) => countSigns(differences).wins,
  T: (differences) => countSigns(differences).ties,
  L: (differences) => countSigns(differences).losses,
  exact_sign_flip_p: (differences) => exactFlips([...differences].filter((difference) => difference !== 0)),
  cohen_dz: (differences) => effectSize([differences]),
}

/** Two differences whose t-test gives this p: with one degree of freedom p = 1 - 2 atan(t) / pi. */
function differencesOf(p: number): number[] {
  const t = Math.tan((Math.PI * (1 - p)) / 2)
  return [t - 1, t + 1]
}

interface Family {
  readonly p: readonly number[]
  readonly bonferroni: readonly number[]
}
interface Data {
  readonly paired?: readonly Paired[]
  readonly multiple_comparison?: Family | readonly Family[]
}

describeForm<Data>('significance', (data) => {
  const { paired: pairs = [], multiple_comparison = [] } = data
  const families = [multiple_comparison].flat()
  pairs.forEach((paired, place) => {
    test(`pair ${place + 1}`, () => {
      const figures = Object.keys(FIGURES).filter((name) => name in paired)
      expect(figures.length).toBeGreaterThan(3)
      for (const name of figures)
        near(name, FIGURES[name](pairedDifferences(paired.b, paired.a)), paired[name])
    })
  })
  families.forEach(({ p, bonferroni }, place) => {
    test(`family ${place + 1}`, () => {
      const adjusted = p.map((value) => tTest(differencesOf(value), { comparisons: p.length }).adjusted)
      near('bonferroni', adjusted, bonferroni)
    })
  })
})

/** Within 1e-9 of the size of the figure, or both not a number. */
function near(name: string, value: unknown, expected: unknown): void {
  if (Array.isArray(expected)) {
    expect(value).toHaveLength(expected.length)
    expected.forEach((part, place) => {
      near(`${name}[${place}]`, (value as number[])[place], part)
    })
  } else if (expected === null) expect([name, value]).toEqual([name, Number.NaN])
  else {
    const off = Math.abs((value as number) - (expected as number))
    expect({
      name,
      value,
      expected,
      close: off <= 1e-9 * Math.max(1, Math.abs(expected as number)),
    }).toMatchObject({ close: true })
  }
}
