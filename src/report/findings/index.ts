import type { Finding, Result } from '../../results/summary.ts'
import type { Board } from '../board.ts'
import { boardOf, isScored } from '../make-board.ts'
import { dependentQueries, missingGold, sample, synthetic, unanswerable } from './origin.ts'
import {
  belowTrials,
  fewQueries,
  losses,
  nearPool,
  otherLeaders,
  saturated,
  standIn,
  tiedScores,
  ties,
  tuning,
} from './ranking.ts'
import { checks, testLimits, tests, turningRows } from './tests.ts'
import { cutQueries, failures, fallbacks, foundNothing, thinGraphs, wideGraphs } from './trials.ts'

type Rule = (board: Board, result: Result) => readonly Finding[]

const scored =
  (rule: Rule): Rule =>
  (board, result) =>
    isScored(board) ? rule(board, result) : []

/** The most important ones come first. A new finding is a function here. */
const RULES: readonly Rule[] = [
  sample,
  synthetic,
  foundNothing,
  scored(standIn),
  failures,
  missingGold,
  scored(fewQueries),
  scored(nearPool),
  scored(saturated),
  turningRows,
  scored(dependentQueries),
  scored(belowTrials),
  scored(losses),
  scored(tuning),
  scored(tiedScores),
  fallbacks,
  (_, { indexes }) => thinGraphs(indexes),
  wideGraphs,
  cutQueries,
  scored(ties),
  scored(otherLeaders),
  scored(tests),
  scored(testLimits),
  unanswerable,
  scored(checks),
]

/** Findings, warnings first. `prepared` are those on the data. */
export function findingsOf(result: Result, prepared: readonly Finding[]): readonly Finding[] {
  const board = boardOf(result)
  const findings = [...RULES.flatMap((rule) => rule(board, result)), ...prepared]
  return [...findings.filter(isWarning), ...findings.filter((finding) => !isWarning(finding))]
}

export function isWarning({ severity }: Finding): boolean {
  return severity === 'warning'
}
