import type { Compare } from '../src/config/experiment.ts'
import { compareRows } from '../src/experiment/finish/compare-rows.ts'
import { makeFolds } from '../src/statistics/folds.ts'
import { momentsOf } from '../src/statistics/summarize.ts'
import { tune, tunedValues } from '../src/statistics/tuned.ts'
import type { Grid } from './null-grids.ts'

const LEVEL = 0.05

/** A grid compared as a run does: each strategy's best trial with the first trial, or tuned rows with the first strategy's. */
export function compareGrid(grid: Grid, how: 'no folds' | '5 folds', seed: number, draws = 1000) {
  const compare: Compare = {
    by: 'value',
    baseline: '',
    level: LEVEL,
    correction: 'max-t',
    family: 'best-per-strategy',
    draws,
    seed,
  }
  const rowOf = (id: string, strategy: string, values: Float64Array) => ({
    ...{ id, name: id, strategy, values, quality: momentsOf(values).mean },
  })
  const { names, strategies, matrix } = grid
  if (how === 'no folds') {
    const rows = names.map((name, trial) => rowOf(name, strategies[trial], matrix[trial]))
    return compareRows(rows, names[0], compare, 'higher')?.rows ?? []
  }
  const ids = Array.from(matrix[0], (_, query) => `q${query}`)
  const folds = makeFolds({ ids, categories: ids.map(() => null), folds: 5, seed })
  const tuned = tune({ trials: names, strategies, matrix, parts: folds, kind: 'folds', better: 'higher' })
  const rows = tuned.map((row) => rowOf(row.strategy, row.strategy, tunedValues(row, matrix)))
  const trialsOf = (strategy: string) => matrix.filter((_, trial) => strategies[trial] === strategy)
  const trials = new Map(tuned.map(({ strategy }) => [strategy, trialsOf(strategy)]))
  return compareRows(rows, strategies[0], compare, 'higher', { tuned: { folds, trials } })?.rows ?? []
}

/** Shares of grids without a true difference that have a false verdict, or intervals that contain the truth. */
export function errorRates(grids: number, gridOf: (seed: number) => Grid, how: 'no folds' | '5 folds') {
  let found = 0
  let leader = 0
  let all = 0
  let compared = 0
  for (let seed = 0; seed < grids; seed++) {
    const rows = compareGrid(gridOf(seed), how, seed)
    if (rows.some(({ verdict }) => verdict === 'better' || verdict === 'worse')) found++
    if (rows.length === 0) continue
    compared++
    const covers = ({ low, high }: { readonly low: number; readonly high: number }) => low <= 0 && high >= 0
    if (covers(rows.reduce((a, b) => (b.difference > a.difference ? b : a)))) leader++
    if (rows.every(covers)) all++
  }
  return { found: found / grids, leader: leader / compared, all: all / compared }
}
