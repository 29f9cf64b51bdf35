import { type Artifact, derived } from '../../store/artifact.ts'
import { entityKey } from '../../text/entity-key.ts'
import { ratioFrom } from '../../text/similarity.ts'
import { chunkColumns } from '../corpus.ts'
import type { Recipe } from '../recipe.ts'

/** Letters that are compared of a heading or title; comparing costs the product of the two lengths. */
const LONGEST = 200

/** Looks up chunks by the approximate name of their heading, or of their title if they have no heading. */
export interface HeaderIndex {
  /** Heading most similar to `title`, at least `threshold`, with the chunk rows below it; the first on a tie. */
  lookUp(
    title: string,
    threshold: number,
  ): { readonly rows: readonly number[]; readonly match: number } | undefined
}

export function headerIndex(recipe: Recipe): Artifact<HeaderIndex> {
  return derived('header_index', { chunks: chunkColumns(recipe, 'title', 'section') }, ({ chunks }) =>
    headersOf(chunks.map(({ title, section }) => section.at(-1) ?? title)),
  )
}

export function headersOf(headings: readonly string[]): HeaderIndex {
  const rows = new Map<string, number[]>()
  headings.forEach((heading, row) => {
    const key = entityKey(heading).slice(0, LONGEST)
    if (key !== '') rows.set(key, [...(rows.get(key) ?? []), row])
  })
  return {
    lookUp(title, threshold) {
      const wanted = entityKey(title).slice(0, LONGEST)
      const exact = rows.get(wanted)
      if (exact) return { rows: exact, match: 1 }
      let best: { rows: readonly number[]; match: number } | undefined
      for (const [key, chunks] of wanted === '' ? [] : rows) {
        const match = ratioFrom(Math.max(threshold, Number.MIN_VALUE), wanted, key)
        if (match > (best?.match ?? 0)) best = { rows: chunks, match }
      }
      return best
    },
  }
}
