import type { Finding } from '../../results/summary.ts'
import type { Board } from '../board.ts'
import { rivals } from '../make-board.ts'
import { measureScale } from '../measured.ts'
import { percent, plural } from '../numbers.ts'
import { warning } from './finding.ts'

/** Findings on measures that hardly tell rows apart. */

/** Share of the searched documents above which the first k hold much gold in any order. */
const NEAR = 0.25
/** Mean above which a better row has little to gain. */
const SATURATED = 0.97

/** Cutoffs near the number of documents that a query searches. */
export function nearPool({ datasets, measures }: Pick<Board, 'datasets' | 'measures'>): Finding[] {
  const cutoffOf = (name: string) => Number(/@(\d+)$/.exec(name)?.[1] ?? 0)
  return datasets.flatMap(({ documents, judgedUnit, searched = documents }) => {
    const near = measures.filter((name) => cutoffOf(name) >= NEAR * searched)
    if (judgedUnit !== 'document' || near.length === 0) return []
    const k = Math.min(...near.map(cutoffOf))
    return warning(
      'Cutoff near the pool',
      `${near.join(', ')}: a query searches ${plural(searched, 'document')}, so the first ${k} of any order hold ${percent(Math.min(1, k / searched))} % of them. Compare at a smaller cutoff.`,
    )
  })
}

/** A best row near the highest value of the primary measure. */
export function saturated(board: Board): Finding[] {
  const { primary, comparison } = board
  const [best] = rivals(board)
  const { bounded, better } = measureScale(board, primary)
  const mean = best?.row.measures[primary]?.mean ?? 0
  if (!bounded || better === 'lower' || mean <= SATURATED) return []
  const detectable = Math.min(...(comparison?.rows ?? []).flatMap((row) => row.detectable ?? []))
  const limit = Number.isFinite(detectable)
    ? `; this comparison could detect differences of about ${percent(detectable)} points`
    : ''
  return warning(
    'Saturated measure',
    `${best.name} reaches ${percent(mean)} in ${primary}. A better row can gain ${percent(1 - mean)} points at most${limit}.`,
  )
}
