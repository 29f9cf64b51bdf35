import { adjust, type Correction } from './correction.ts'
import {
  drawMacroFlips,
  macroDetectable,
  macroEquivalence,
  macroIntervals,
  macroMean,
  macroTest,
  type Strata,
} from './macro.ts'
import { countSigns } from './sign-test.ts'
import { differences, momentsOf } from './summarize.ts'
import { type Verdict, verdictOf } from './verdict.ts'

export interface CompareMacroInput {
  /** One name a row, unique. */
  readonly names: readonly string[]
  /** Values by [row][stratum][query], NaN where a query does not count. */
  readonly rows: readonly (readonly Float64Array[])[]
  /** Pairs of row names: each is compared as `name` minus `baseline`. */
  readonly family: readonly { readonly name: string; readonly baseline: string }[]
  readonly level: number
  readonly correction: Correction
  readonly draws: number
  readonly seed: number
  readonly better: 'higher' | 'lower'
  /** Differences within plus or minus this are equivalent (TOST), where asked. */
  readonly margin?: number
}

/** Two rows compared by their macro means, over the queries that count for all rows. */
export interface MacroComparison {
  readonly name: string
  readonly baseline: string
  /** Mean of name minus baseline in each stratum, over its n queries. */
  readonly strata: readonly { readonly n: number; readonly difference: number }[]
  /** The mean of these, with its bootstrap interval. */
  readonly difference: number
  readonly low: number
  readonly high: number
  /** Randomization test, two-sided; `adjusted` over the family. */
  readonly p: number
  readonly adjusted: number
  /** Queries of all strata on which the name is better, equal, worse. */
  readonly wins: number
  readonly ties: number
  readonly losses: number
  /** The smallest macro difference that one test at this level shows 80 % of the time; null where none varies. */
  readonly detectable: number | null
  /** TOST's p, where a margin was given. */
  readonly equivalence: number | null
  readonly verdict: Verdict
}

/** As `compareTrials`, over strata; of one stratum it says the same. */
export function compareMacro(input: CompareMacroInput): MacroComparison[] {
  const { family, level, draws, seed, better } = input
  const rows = countedRows(input)
  const pairs = family.map(({ name, baseline }) => {
    const [own, other] = [rows.get(name), rows.get(baseline)]
    if (!own || !other) throw new Error(`no row named ${own ? baseline : name}`)
    return { name, baseline, own: own.map((values, stratum) => differences(values, other[stratum])) }
  })
  if (pairs.length === 0) return []
  const flips = drawMacroFlips(
    pairs[0].own.map(({ length }) => length),
    draws,
    seed,
  )
  const ps = pairs.map(({ own }) => macroTest(own, flips))
  const adjusted = adjust(ps, input.correction)
  const intervals = macroIntervals(
    pairs.map(({ own }) => own),
    { draws, seed, level },
  )
  const sign = better === 'higher' ? 1 : -1
  return pairs.map(({ name, baseline, own }, place) => {
    const difference = macroMean(own)
    const equivalence = input.margin === undefined ? null : macroEquivalence(own, input.margin)
    const { wins, ties, losses } = countSigns(own.flatMap((values) => [...values]))
    return {
      name,
      baseline,
      strata: own.map((values) => ({ n: values.length, difference: momentsOf(values).mean })),
      difference,
      ...intervals[place],
      p: ps[place],
      adjusted: adjusted[place],
      wins: sign > 0 ? wins : losses,
      ties,
      losses: sign > 0 ? losses : wins,
      detectable: macroDetectable(own, level),
      equivalence,
      verdict: verdictOf({
        n: wins + ties + losses,
        difference: sign * difference,
        adjusted: adjusted[place],
        equivalence,
        level,
      }),
    }
  })
}

/** Each row's values of the queries that are NaN in no row, by stratum. */
function countedRows({ names, rows }: CompareMacroInput): Map<string, Strata> {
  const strata = rows[0]?.length ?? 0
  const counted = Array.from({ length: strata }, (_, stratum) => {
    const places = [...(rows[0][stratum].keys() ?? [])]
    return places.filter((query) => rows.every((row) => !Number.isNaN(row[stratum][query])))
  })
  return new Map(
    names.map((name, place) => [
      name,
      counted.map((places, stratum) => Float64Array.from(places, (query) => rows[place][stratum][query])),
    ]),
  )
}
