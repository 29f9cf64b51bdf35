import type { GradedRanking } from '../../src/metrics/define.ts'

/** The metrics again, written for the eye: whole rankings of objects, no shared code. */
export interface Ranked {
  readonly grade: number | null
}

/** The ranking that a Judged describes: null where an unjudged unit stands. */
export function rankingOf({ grades, ranks, retrieved }: GradedRanking): Ranked[] {
  const ranking: Ranked[] = Array.from({ length: retrieved }, () => ({ grade: null }))
  grades.forEach((grade, label) => {
    if (ranks[label] > 0) ranking[ranks[label] - 1] = { grade }
  })
  return ranking
}

const isRelevant = ({ grade }: Ranked) => grade !== null && grade >= 1

type Oracle = (ranking: Ranked[], grades: number[], k: number) => number

export const ORACLES: Readonly<Record<string, Oracle>> = {
  recall: (ranking, grades, k) => divide(ranking.slice(0, k).filter(isRelevant).length, count(grades)),
  full_recall: (ranking, grades, k) =>
    count(grades) > 0 && ranking.slice(0, k).filter(isRelevant).length === count(grades) ? 1 : 0,
  hit: (ranking, _, k) => (ranking.slice(0, k).some(isRelevant) ? 1 : 0),
  precision: (ranking, _, k) => ranking.slice(0, k).filter(isRelevant).length / k,
  mrr: (ranking, _, k) => divide(1, ranking.slice(0, k).findIndex(isRelevant) + 1),
  map: (ranking, grades, k) =>
    divide(
      sum(
        ranking
          .slice(0, k)
          .map((ranked, place) => (isRelevant(ranked) ? precisionAt(ranking, place + 1) : 0)),
      ),
      count(grades),
    ),
  ndcg: (ranking, grades, k) =>
    divide(
      dcg(ranking.slice(0, k).map(({ grade }) => Math.max(0, grade ?? 0))),
      dcg(
        [...grades]
          .filter((grade) => grade > 0)
          .sort((a, b) => b - a)
          .slice(0, k),
      ),
    ),
  judged: (ranking, _, k) =>
    divide(ranking.slice(0, k).filter(({ grade }) => grade !== null).length, Math.min(k, ranking.length)),
  context_precision: (ranking, _, k) =>
    divide(
      sum(
        ranking
          .slice(0, k)
          .map((ranked, place) => (isRelevant(ranked) ? precisionAt(ranking, place + 1) : 0)),
      ),
      ranking.slice(0, k).filter(isRelevant).length,
    ),
  rbp: (ranking, _, k) =>
    0.2 * sum(ranking.slice(0, k).map((ranked, place) => (isRelevant(ranked) ? 0.8 ** place : 0))),
  err: (ranking, _, k) => {
    const stops = ranking.slice(0, k).map(({ grade }) => (2 ** Math.max(0, grade ?? 0) - 1) / 16)
    return sum(
      stops.map(
        (stop, place) =>
          (stop * product(stops.slice(0, place).map((stopRate) => 1 - stopRate))) / (place + 1),
      ),
    )
  },
}

function precisionAt(ranking: Ranked[], k: number): number {
  return ranking.slice(0, k).filter(isRelevant).length / k
}
function count(grades: number[]): number {
  return grades.filter((grade) => grade >= 1).length
}
function dcg(gains: number[]): number {
  return sum(gains.map((gain, place) => gain / Math.log2(place + 2)))
}
function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
function product(values: number[]): number {
  return values.reduce((total, value) => total * value, 1)
}
function divide(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole
}
