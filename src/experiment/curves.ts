import { join } from 'node:path'
import { createRecallCurve, type RecallCurveBuilder } from '../metrics/recall-curve.ts'
import { writeTable } from '../tables/parquet.ts'
import type { KeptGold } from './keep-shard.ts'
import type { Session } from './session.ts'

/** The recall-token curves of the finalists, built while their rankings are at hand: `curves.parquet`, a row a step. */
export interface Curves {
  /** Queries of a trial come in their order, so that sums have the same bits however the run was cut. */
  add(gold: KeptGold): void
  write(folder: string): void
}

export function createCurves({ trials, queries, corpora }: Session, finalists: readonly number[]): Curves {
  const builders = new Map<number, { beside: RecallCurveBuilder; first: RecallCurveBuilder }>()
  for (const trial of finalists)
    builders.set(trial, { beside: createRecallCurve(), first: createRecallCurve() })

  function add({ trial, query, found }: KeptGold): void {
    const gold = corpora[trials[trial].recipe].labels[query]
    const own = builders.get(trial)
    if (!own || !queries[query].answerable || gold.units.length === 0) return
    const judged = found && { grades: gold.grades, groups: gold.groups, ...found }
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
