import type { Latency } from '../results/latency.ts'
import type { ComparedRow, Summary } from '../results/summary.ts'
import type { Board } from './board.ts'
import { milliseconds, plural, quantity } from './numbers.ts'

/** Names and definitions below a leaderboard, for all output formats. */

export const SEEN = 'All trials over all queries; tuning selected by these scores'

export function namesOf({ ranked, seen }: Board): Map<string, string> {
  return new Map([...ranked, ...seen].map(({ id, name }) => [id, name]))
}

export function baselineName(board: Board): string {
  const id = String(board.comparison?.baseline)
  return namesOf(board).get(id) ?? id
}

/** Returns a function that names a compared row, or both rows of a pair. */
export function comparedName(board: Board, names = namesOf(board)): (row: ComparedRow) => string {
  const nameOf = (id: string) => names.get(id) ?? id
  return ({ id, baseline }) =>
    board.comparison?.family === 'pairs' ? `${nameOf(id)} − ${nameOf(baseline)}` : nameOf(id)
}

export function testName(rows: readonly Pick<ComparedRow, 'test'>[], draws: number): string {
  if (rows.some(({ test }) => test === 'student')) return 'Student’s t over clusters'
  const bootstrap = `paired bootstrap with ${quantity(draws)} resamples`
  const exact = 'an exact test of sign flips (6 to 14 differences)'
  if (!rows.some(({ test }) => test === 'exact')) return bootstrap
  return rows.some(({ test }) => test === 'bootstrap') ? `${bootstrap} or ${exact}` : exact
}

/** Name of the row that differences are computed against. */
export function differencesTo(board: Board): string {
  return board.comparison?.family === 'pairs' ? 'the second row of the pair' : baselineName(board)
}

/** 'a (100 judged queries), b (1,190)'. */
export function datasetsInWords({ datasets }: Board): string {
  return datasets
    .map(({ name, judged }, index) =>
      index === 0
        ? `${name} (${plural(judged, 'judged query', 'judged queries')})`
        : `${name} (${quantity(judged)})`,
    )
    .join(', ')
}

export function macroNote({ datasets, level }: Board): string {
  return `Macro mean: unweighted mean over the ${datasets.length} datasets. Brackets: ${confidence(level)}interval for new queries of these datasets, not for other datasets.`
}

export const MARKS_NOTE = "Each dataset's mark comes from its own test; no mark means not tested."

/** '95 % '; '' without a level. */
export function confidence(level: number | undefined): string {
  return level === undefined ? '' : `${Number((100 * (1 - level)).toFixed(2))} % `
}

export function tokensName({ context }: Pick<Summary, 'context'>): string {
  return `tokens@${context.chunks}`
}

export function sentWords({ context }: Pick<Summary, 'context'>): string {
  return `${context.chunks === 1 ? 'the first chunk' : `the first ${context.chunks} chunks`} and ${context.chunks === 1 ? 'its' : 'their'} evidence`
}

export function queriesOf(datasets: Summary['datasets']): number {
  return datasets.reduce((sum, { queries }) => sum + queries, 0)
}

/** Highest ratio of a percentile between repeats. */
const STEADY = 2

const NAMED = 6

/** Note on times without model calls: no model was asked, a recording was replayed, or the store has no times. */
export function searchOnlyNote(names: readonly string[]): string[] {
  return names.length > 0 ? [`Search time only, because model calls were not timed: ${list(names)}.`] : []
}

function list(names: readonly string[]): string {
  const more = names.length > NAMED ? ` and ${quantity(names.length - NAMED)} more` : ''
  return `${names.slice(0, NAMED).join(', ')}${more}`
}

/** Sentences on how times were measured and why they may be unreliable. */
export function latencyNotes({ load, trials }: Latency): string[] {
  const [first] = trials
  if (!first) return []
  const { queries, repeats, p95 } = first
  const unsteady = trials
    .filter(({ byRepeat }) => Object.values(byRepeat).some(([low, high]) => high > STEADY * low))
    .map(({ name }) => name)
  const inEngines = trials.flatMap(({ name, p50, engine }) =>
    engine ? [`${name} ${milliseconds(engine.p50.value)} of ${milliseconds(p50.value)}`] : [],
  )
  const inModels = trials.flatMap(({ name, model }) => (model ? [`${name} ${milliseconds(model.p50)}`] : []))
  const dates = [...new Set(trials.flatMap(({ model }) => (model ? [model.from, model.to] : [])))].sort()
  return [
    `Times: ${plural(queries, 'query', 'queries')} × ${plural(repeats, 'repeat')} per trial, load ${load.before.toFixed(1)} before and at most ${load.highest.toFixed(1)} while timing, on ${plural(load.cores, 'core')}.`,
    inModels.length > 0 &&
      `Times include model calls as first measured (${dates[0]}${dates.length > 1 ? ` to ${dates[dates.length - 1]}` : ''}); their part of p50, in ms: ${list(inModels)}.`,
    ...searchOnlyNote(trials.filter(({ searchOnly }) => searchOnly).map(({ name }) => name)),
    inEngines.length > 0 && `Part of p50 that engines report for their searches, in ms: ${list(inEngines)}.`,
    Math.max(load.before, load.highest) > load.cores &&
      'The load was above the number of cores, so times may include waiting for a core.',
    p95.high === null &&
      `With ${plural(queries, 'query', 'queries')} p95 has no upper confidence limit; use p50.`,
    unsteady.length > 0 &&
      `Repeats differ by more than a factor of ${STEADY} in p50 or p95: ${list(unsteady)}.`,
  ].filter((note) => note !== false)
}
