import { join } from 'node:path'
import { createRecallCurve, type RecallCurveBuilder } from '../metrics/recall-curve.ts'
import { writeTable } from '../tables/parquet.ts'
import type { Evidence, Ranking } from '../types.ts'
import type { Session } from './session.ts'

/** The recall-token curves of the finalists, built while their rankings are at hand: `curves.parquet`, a row a step. */
export interface Curves {
  /** A query's ranking, or null where the trial failed on it. */
  add(trial: number, query: number, ranking: Ranking | null, evidence: readonly Evidence[]): void
  write(folder: string): void
}

export function createCurves(
  { plan, trials, queries, corpora }: Session,
  finalists: readonly number[],
): Curves {
  const builders = new Map<number, { beside: RecallCurveBuilder; first: RecallCurveBuilder }>()
  for (const trial of finalists)
    builders.set(trial, { beside: createRecallCurve(), first: createRecallCurve() })

  function add(trial: number, query: number, ranking: Ranking | null, evidence: readonly Evidence[]): void {
    const { labels, locator } = corpora[trials[trial].recipe]
    const gold = labels[query]
    const own = builders.get(trial)
    if (!own || !queries[query].answerable || gold.units.length === 0) return
    const located = ranking && locator.locate(ranking, gold, plan.experiment.depth)
    const judged = located && {
      grades: gold.grades,
      groups: gold.groups,
      ranks: located.ranks,
      tokens: located.tokens,
      retrieved: located.retrieved,
      evidenceTokens: evidence.reduce((sum, { tokens }) => sum + tokens, 0),
    }
    own.beside.add(judged, 'beside')
    own.first.add(judged, 'first')
  }

  function write(folder: string): void {
    const rows = finalists.flatMap((trial) => {
      // Without evidence both are the same curve.
      const kinds = trials[trial].evidence ? (['beside', 'first'] as const) : (['beside'] as const)
      return kinds.flatMap((evidence) => {
        const { tokens, recall } = (builders.get(trial) as Record<typeof evidence, RecallCurveBuilder>)[
          evidence
        ].curve()
        return [...tokens].map((budget, step) => ({ trial, evidence, budget, recall: recall[step] }))
      })
    })
    writeTable(join(folder, 'curves.parquet'), [
      { name: 'trial', type: 'int32', values: Int32Array.from(rows, ({ trial }) => trial) },
      { name: 'evidence', type: 'string', values: rows.map(({ evidence }) => evidence) },
      { name: 'tokens', type: 'int32', values: Int32Array.from(rows, ({ budget }) => budget) },
      { name: 'recall', type: 'number', values: Float64Array.from(rows, ({ recall }) => recall) },
    ])
  }
  return { add, write }
}
