import type { Finding, Result } from '../../results/summary.ts'
import type { Board } from '../board.ts'
import { signOf } from '../measured.ts'
import { baselineName, comparedName, testName } from '../notes.ts'
import { corrected, plural, points, quantity } from '../numbers.ts'
import { countVerdicts, isIdentical } from '../outcome.ts'
import { listed, note, warning } from './finding.ts'

/** Findings on the tests. */

const VERDICTS = [
  ['better', 'better'],
  ['worse', 'worse'],
  ['equivalent', 'equivalent'],
  ['cannot tell', 'not significant'],
] as const

export function tests(board: Board): Finding[] {
  const { comparison } = board
  if (!comparison || comparison.rows.length === 0) return []
  const { rows, correction, draws, measure, family, untested } = comparison
  const outcomes = rows.map((row) => {
    if (isIdentical(row)) return 'identical'
    return row.untested ? 'not tested' : new Map<string, string>(VERDICTS).get(row.verdict)
  })
  const counted = [...VERDICTS.map(([, words]) => words), 'identical', 'not tested']
    .map((words) => [outcomes.filter((outcome) => outcome === words).length, words] as const)
    .filter(([count]) => count > 0)
    .map(([count, words]) => `${quantity(count)} ${words}`)
  const others = family === 'pairs' ? 'between pairs of rows' : `with ${baselineName(board)}`
  const routers = untested
    ? ` No verdict: ${untested.join(', ')}. A router fitted in folds learns from the queries that score it, so a test would report false differences. Use \`split\` instead of \`folds\` to get a verdict.`
    : ''
  return note(
    'Tests',
    `${plural(rows.length, 'comparison')} in ${measure} ${others} (family: ${family}) by ${testName(rows, draws)}${board.isMacro ? ', stratified by dataset' : ''}, ${corrected(correction, rows)}: ${counted.join(', ')}.${routers}`,
  )
}

export function testLimits(board: Board): Finding[] {
  const { comparison } = board
  if (!comparison || comparison.rows.length === 0) return []
  const { rows, level, correction, family } = comparison
  const nameOf = comparedName(board)
  const tested = rows.filter((row) => !isIdentical(row) && !row.untested)
  const unclear = tested.filter(({ verdict }) => verdict === 'cannot tell').map(nameOf)
  const same = rows.filter(isIdentical).map(nameOf)
  const other = family === 'pairs' ? 'between the two rows' : 'from the baseline'
  const detectable = rows.flatMap(({ detectable }) => detectable ?? []).sort((a, b) => a - b)
  const [min, max] = [detectable[0], detectable[detectable.length - 1]].map((size) =>
    points(size).replace('+', ''),
  )
  const reasons = rows.flatMap((row) => (row.untested ? `${nameOf(row)}: ${row.untested}` : []))
  const sentences = [
    same.length > 0 &&
      `Identical${family === 'pairs' ? '' : ' to the baseline'} on every query: ${listed(same)}.`,
    unclear.length > 0 && `No significant difference ${other}: ${listed(unclear)}.`,
    unclear.length === 0 && tested.length > 0 && 'Every test reached a verdict.',
    detectable.length === 0
      ? 'No minimum detectable effect can be computed.'
      : `The minimum detectable effect (80 % power) is ${min === max ? min : `${min} to ${max}`} points, with ${plural(countVerdicts(rows[0]), 'query', 'queries')} at level ${level}, ${corrected(correction, rows)}.`,
    reasons.length > 0 && `Not tested: ${listed(reasons)}.`,
  ]
  return note('Limits of the tests', sentences.filter(Boolean).join(' '))
}

/** Rows better on one dataset and worse on another. */
export function turningRows(board: Board): Finding[] {
  if (!board.isMacro) return []
  const turning = (board.comparison?.rows ?? [])
    .filter(({ datasets }) => {
      const verdicts = datasets.map(({ verdict }) => verdict)
      return verdicts.includes('better') && verdicts.includes('worse')
    })
    .map(comparedName(board))
  if (turning.length === 0) return []
  return warning('It depends on the dataset', `Better on one and worse on another: ${listed(turning)}.`)
}

export function checks(_: unknown, result: Result): Finding[] {
  const { primary, health, datasets, comparison, level } = result
  const { unsolved, small, trials } = health
  const isPooled = trials.length > 0 && trials.every(({ unjudged }) => unjudged)
  return [
    ...(signOf(result) < 0 || unsolved.length === 0
      ? []
      : note(
          'Unsolved',
          `${plural(unsolved.length, 'query has', 'queries have')} no trial above 0 in ${primary}: ${listed(unsolved, 12)}. This lowers every mean by the same amount. Check for wrong labels, or for passages that all strategies miss.`,
        )),
    ...(small.length === 0
      ? []
      : note(
          'Too small',
          `${listed(small.map(({ name, queries }) => `${name} (${queries})`))}: even a trial that is better on every query there would not reach p ≤ ${comparison?.level ?? level}.`,
        )),
    ...(isPooled || datasets.length > 1
      ? []
      : note(
          'Unjudged',
          `Only relevant results have labels, so a relevant ${datasets[0].judgedUnit} without a label counts as a miss.`,
        )),
  ]
}
