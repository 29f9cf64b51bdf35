import type { Finding } from '../../results/summary.ts'
import type { Board } from '../board.ts'
import { rivals } from '../make-board.ts'
import { measureScale } from '../measured.ts'
import { percent, plural } from '../numbers.ts'
import { warning } from './finding.ts'

/** Findings on measures that hardly tell rows apart. */

/** Share of documents above which any order holds much gold. */
const NEAR = 0.25
const SATURATED = 0.97

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
