import { quoteRanges } from '../../src/dataset/gold-places.ts'
import type { Question, Quoted } from './questions.ts'

export interface Ranked {
  readonly documentId: string
  readonly text: string
}

/**
 * The ranks, from 1, at which a ranking first holds a trap's gold and its wrong passage; Infinity where it does not. A
 * chunk holds a passage if its text holds the quote, which stands once in its file.
 */
export function trapRanks(
  { gold, trap = [] }: Pick<Question, 'gold' | 'trap'>,
  ranking: readonly Ranked[],
): { readonly gold: number; readonly wrong: number } {
  const rankOf = (places: readonly Quoted[]) => {
    const index = ranking.findIndex(({ documentId, text }) =>
      places.some(({ file, quote }) => file === documentId && quoteRanges(text, quote).length > 0),
    )
    return index < 0 ? Number.POSITIVE_INFINITY : index + 1
  }
  return { gold: rankOf(gold), wrong: rankOf(trap) }
}
