import { join } from 'node:path'
import type { GradedRanking } from '../../metrics/define.ts'
import { createRecallCurve } from '../../metrics/recall-curve.ts'
import { writeTable } from '../../tables/parquet.ts'
import type { PartRankings } from '../shard/parts.ts'
import type { Session } from '../shard/session.ts'
import type { Merged } from './merge.ts'

/** Writes the recall-token curves of the finalists: `curves.parquet`, one row per step. `kept` holds rankings by finalist. */
export function writeCurves(
  session: Session,
  finalists: readonly number[],
  kept: readonly PartRankings[],
  merged: Merged,
): void {
  const rows = finalists.flatMap((trial, index) => {
    const { beside, first } = curvesOf(session, trial, kept[index].labelTokens, merged)
    // Without evidence both curves are equal.
    const curves = session.trials[trial].evidence ? { beside, first } : { beside }
    return Object.entries(curves).flatMap(([evidence, { tokens, recall }]) =>
      [...tokens].map((budget, step) => ({ trial, evidence, budget, recall: recall[step] })),
    )
  })
  writeTable(join(session.folder, 'curves.parquet'), [
    { name: 'trial', type: 'int32', values: Int32Array.from(rows, ({ trial }) => trial) },
    { name: 'evidence', type: 'string', values: rows.map(({ evidence }) => evidence) },
    { name: 'tokens', type: 'int32', values: Int32Array.from(rows, ({ budget }) => budget) },
    { name: 'recall', type: 'number', values: Float64Array.from(rows, ({ recall }) => recall) },
  ])
}

/** Adds queries in id order, so that sums have the same bits for every way to cut the run into shards. */
function curvesOf(
  { trials, queries, corpora }: Session,
  trial: number,
  labelTokens: Int32Array,
  merged: Merged,
) {
  const [beside, first] = [createRecallCurve(), createRecallCurve()]
  const { labelOffsets, ranks, retrieved, evidenceTokens } = merged
  const all = labelOffsets[merged.queries]
  const tokens = Float64Array.from(labelTokens)
  for (let label = 0; label < all; label++)
    if (ranks[trial * all + label] === 0) tokens[label] = Number.POSITIVE_INFINITY
  const failed = new Set(merged.failures.filter((one) => one.trial === trial).map(({ query }) => query))
  for (const [query, { answerable }] of queries.entries()) {
    const { grades, groups } = corpora[trials[trial].recipe].labels[query]
    if (!answerable || grades.length === 0) continue
    const [begin, end] = [labelOffsets[query], labelOffsets[query + 1]]
    const cell = trial * merged.queries + query
    const judged: GradedRanking = {
      ...{ grades, groups },
      ranks: ranks.subarray(trial * all + begin, trial * all + end),
      tokens: tokens.subarray(begin, end),
      retrieved: retrieved[cell],
      evidenceTokens: evidenceTokens[cell],
    }
    beside.add(failed.has(query) ? null : judged, 'beside')
    first.add(failed.has(query) ? null : judged, 'first')
  }
  return { beside: beside.curve(), first: first.curve() }
}
