import { buildCsr, type Csr } from './csr.ts'
import { findTitles, type Titles } from './titles.ts'

/**
 * Title PPR's graph: undirected, weight 1, between a passage and each passage whose title occurs in its text. However
 * often and in whichever direction a title is mentioned, the pair is one edge.
 */
export function linkByTitles(texts: readonly string[], titles: Titles): Csr {
  const sources: number[] = []
  const targets: number[] = []
  const pairs = new Set<number>()
  texts.forEach((text, row) => {
    for (const { key } of findTitles(text, titles))
      for (const other of titles.rows.get(key) ?? []) {
        const pair = Math.min(row, other) * texts.length + Math.max(row, other)
        if (other === row || pairs.has(pair)) continue
        pairs.add(pair)
        sources.push(row)
        targets.push(other)
      }
  })
  return buildCsr(texts.length, { sources, targets }).csr
}
