import { type Artifact, artifactsBelow } from '../../store/artifact.ts'
import type { Store } from '../../store/store.ts'
import type { TermCounts } from '../../text/term-counts.ts'
import type { Analyzer } from '../../text/tokenize.ts'

/** Artifacts with an index of words, the preferred first. */
const INDEXES = [['lexicon', 'field_lexicon'], ['lsa']]

/**
 * Inverse document frequencies of a text's terms, from the index of BM25 (or else LSA): ln(1 + (N - n + .5) / (n + .5))
 * for n of N texts, Infinity for an unknown term. Null without an index of words.
 */
export async function rarityOf(
  store: Store,
  read: readonly Artifact<unknown>[],
): Promise<((text: string) => number[]) | null> {
  const [index] = INDEXES.flatMap((names) => read.filter(({ name }) => names.includes(name)))
  if (!index) return null
  const held = new Map<string, number>()
  let texts = 0
  for (const artifact of artifactsBelow([index.inputs.counts])) {
    if (artifact.name !== 'term_counts') continue
    const { terms, offsets, lengths } = (await store.open(artifact)) as TermCounts
    texts = Math.max(texts, lengths.length)
    // Uses the field that has the term most often.
    for (const [term, word] of terms.entries())
      held.set(word, Math.max(held.get(word) ?? 0, offsets[term + 1] - offsets[term]))
  }
  const analyze = (await store.open(index.inputs.analyze)) as Analyzer
  return (text) =>
    [...new Set(analyze(text))].map((word) => {
      const n = held.get(word)
      return n === undefined ? Number.POSITIVE_INFINITY : Math.log1p((texts - n + 0.5) / (n + 0.5))
    })
}
