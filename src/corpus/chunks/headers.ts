import { type Artifact, derived } from '../../store/artifact.ts'
import { entityKey } from '../../text/entity-key.ts'
import { ratioFrom } from '../../text/similarity.ts'
import { chunkColumns } from '../corpus.ts'
import type { Recipe } from '../recipe.ts'

/** Letters of the longest heading, or title that is looked for: to compare two takes the product of their lengths. */
const LONGEST = 200

/** Chunks by the heading that they stand under (their title where under none), to be looked up by names nearly right. */
export interface HeaderIndex {
  /** The heading most like `title`, from `threshold` on, with the rows under it; of equally alike ones the first. */
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
      for (const [key, own] of wanted === '' ? [] : rows) {
        const match = ratioFrom(Math.max(threshold, Number.MIN_VALUE), wanted, key)
        if (match > (best?.match ?? 0)) best = { rows: own, match }
      }
      return best
    },
  }
}
