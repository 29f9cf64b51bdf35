import { type Diagnostic, UserError } from '../errors.ts'
import type { OutputKind } from '../store/output.ts'
import { compareIds } from '../text/ids.ts'
import { isMap, jsonLocation, parseJson } from '../text/json.ts'
import { didYouMean } from '../text/nearest.ts'
import { namedRows, namesInWords } from './row-names.ts'
import type { Summary } from './summary.ts'

/** Expected means: `gate --write` writes them, `gate --expected` reads them. */
export interface ExpectedScores {
  readonly kind: typeof KIND
  readonly format: typeof EXPECTED_FORMAT
  /** Maximum deviation of a mean. */
  readonly tolerance: number
  readonly scores: Means
}

/** Means by row (a trial's name or `tuned:<strategy>`) and measure; null if no query counts. */
export type Means = Readonly<Record<string, Readonly<Record<string, number | null>>>>

export interface ScoreDifference {
  readonly row: string
  readonly measure: string
  readonly expected: number | null
  readonly found: number | null
}

const KIND = 'expected scores'
const EXPECTED_FORMAT = 1

export const EXPECTED_SCORES: OutputKind = {
  name: 'a file of expected scores',
  isOwn: (beginning) => beginning.startsWith(`{\n  "kind": "${KIND}",`),
}

export function meansOf(summary: Pick<Summary, 'trials' | 'tuned'>): Means {
  return Object.fromEntries(
    namedRows(summary).map(({ name, measures }) => [
      name,
      Object.fromEntries(
        Object.entries(measures).map(([measure, { mean, n }]) => [
          measure,
          n > 0 && Number.isFinite(mean) ? mean : null,
        ]),
      ),
    ]),
  )
}

export function expectedText(scores: Means, tolerance: number): string {
  const expected: ExpectedScores = { kind: KIND, format: EXPECTED_FORMAT, tolerance, scores }
  return `${JSON.stringify(expected, null, 2)}\n`
}

/** Reads a file of expected scores. Throws all errors at once. */
export function parseExpected(text: string, file: string): ExpectedScores {
  const parsed = parseJson(text)
  if (parsed.diagnostic) {
    const { message, offset } = parsed.diagnostic
    throw new UserError({ file, message, ...(offset === undefined ? {} : jsonLocation(text, offset)) })
  }
  const value = (isMap(parsed.value) ? parsed.value : {}) as Partial<ExpectedScores>
  if (value.kind !== KIND || value.format !== EXPECTED_FORMAT)
    throw new UserError(
      `is no file of expected scores (${JSON.stringify({ kind: KIND, format: EXPECTED_FORMAT })}); \`touchstone gate EXPERIMENT --write FILE\` writes one`,
      file,
    )
  const diagnostics: Diagnostic[] = []
  const wrong = (message: string) => diagnostics.push({ file, message })
  const keys = ['kind', 'format', 'tolerance', 'scores']
  for (const key of Object.keys(value))
    if (!keys.includes(key)) wrong(`has an unknown key ${JSON.stringify(key)}${didYouMean(key, keys)}`)
  const { tolerance, scores } = value
  if (typeof tolerance !== 'number' || tolerance < 0) wrong('"tolerance" must be a number, 0 or more')
  if (!isMap(scores) || Object.keys(scores).length === 0) wrong('"scores" must hold rows by name')
  else
    for (const [row, measures] of Object.entries(scores)) {
      if (!isMap(measures) || Object.keys(measures).length === 0)
        wrong(`"scores", ${JSON.stringify(row)}: must hold means by measure`)
      else
        for (const [measure, mean] of Object.entries(measures))
          if (mean !== null && typeof mean !== 'number')
            wrong(`"scores", ${JSON.stringify(row)}, ${JSON.stringify(measure)}: must be a number or null`)
    }
  if (diagnostics.length > 0) throw new UserError(diagnostics)
  return value as ExpectedScores
}

/** Selects rows by name. Throws a UserError for an absent one. */
export function onlyRows(expected: ExpectedScores, names: readonly string[], file: string): ExpectedScores {
  const { scores } = expected
  const absent = names.filter((name) => !Object.hasOwn(scores, name))
  if (absent.length > 0)
    throw new UserError(
      absent.map((name) => ({ file, message: unknown('the file', 'row', name, Object.keys(scores)) })),
    )
  return { ...expected, scores: Object.fromEntries(names.map((name) => [name, scores[name]])) }
}

/** Errors of measures whose means are all within the tolerance from 0. */
export function looseTolerance({
  scores,
  tolerance,
}: Pick<ExpectedScores, 'scores' | 'tolerance'>): Diagnostic[] {
  const highest = new Map<string, number>()
  for (const row of Object.values(scores))
    for (const [measure, mean] of Object.entries(row))
      highest.set(measure, Math.max(highest.get(measure) ?? 0, Math.abs(mean ?? 0)))
  return [...highest]
    .filter(([, mean]) => mean > 0 && mean <= tolerance)
    .map(([measure, mean]) => ({
      message: `the tolerance ${tolerance} checks nothing of ${measure}, which is ${mean} at most: an experiment that scores 0 would pass; give a smaller one`,
    }))
}

/** Errors for expected rows and measures that the experiment lacks. */
export function missingScores({ scores }: ExpectedScores, means: Means, file: string): Diagnostic[] {
  return Object.entries(scores).flatMap(([row, measures]) => {
    const rowMeans = Object.hasOwn(means, row) ? means[row] : undefined
    if (!rowMeans) return [{ file, message: unknown('the experiment', 'row', row, Object.keys(means)) }]
    return Object.keys(measures)
      .filter((measure) => !Object.hasOwn(rowMeans, measure))
      .map((measure) => ({
        file,
        message: unknown('the experiment', 'measure', measure, Object.keys(rowMeans)),
      }))
  })
}

export function differingScores({ scores, tolerance }: ExpectedScores, means: Means): ScoreDifference[] {
  return Object.entries(scores).flatMap(([row, measures]) =>
    Object.entries(measures)
      .map(([measure, expected]) => ({ row, measure, expected, found: means[row][measure] }))
      .filter(({ expected, found: mean }) =>
        expected === null || mean === null
          ? expected !== mean
          : !(Math.abs(mean - expected) <= tolerance + ROUNDING),
      ),
  )
}

/** Slack for rounding, so that a mean exactly at the tolerance passes. */
const ROUNDING = 1e-12

function unknown(holder: string, kind: string, name: string, names: readonly string[]): string {
  const all = namesInWords([...names].sort(compareIds), (name) => JSON.stringify(name))
  return `${holder} has no ${kind} ${JSON.stringify(name)}${didYouMean(name, names)}; it has ${all}`
}
