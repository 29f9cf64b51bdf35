import { buildCsr, type Csr } from './csr.ts'
import type { SynonymEdges } from './graph.ts'
import type { Incidence } from './incidence.ts'

/**
 * HippoRAG's graphs. Each fact adds 1 to its pair of phrases in both directions; a synonym's cosine takes the place of
 * what stands in the direction in which it was found; the two directions add up:
 *
 *     weight(a, b) = (cosine(a -> b) if found, else facts(a, b)) + (cosine(b -> a) if found, else facts(a, b))
 *
 * Version 2 adds the passages: node `phrases` + chunk row, weight 1 to each phrase that stands in it. No self edges.
 * (OSU-NLP-Group/HippoRAG, `add_fact_edges`, `add_passage_edges`, `add_synonymy_edges`; edge lists of an igraph, whose
 * parallel edges a walk adds up.)
 */
export interface FactPairs {
  /** Phrases (entity rows) and how often the fact was stated. */
  readonly subjects: ArrayLike<number>
  readonly objects: ArrayLike<number>
  readonly counts: ArrayLike<number>
}

/** HippoRAG 1: phrases only. */
export function phraseGraph(phrases: number, facts: FactPairs, synonyms: SynonymEdges): Csr {
  const edges = phraseEdges(phrases, facts, synonyms)
  return buildCsr(phrases, edges).csr
}

/** HippoRAG 2: phrases and passages. `chunks`: phrase -> chunk rows. */
export function phrasePassageGraph(
  phrases: number,
  passages: number,
  facts: FactPairs,
  synonyms: SynonymEdges,
  chunks: Incidence,
): Csr {
  const { sources, targets, weights } = phraseEdges(phrases, facts, synonyms)
  for (let phrase = 0; phrase < phrases; phrase++)
    for (let i = chunks.offsets[phrase]; i < chunks.offsets[phrase + 1]; i++) {
      sources.push(phrase)
      targets.push(phrases + chunks.members[i])
      weights.push(1)
    }
  return buildCsr(phrases + passages, { sources, targets, weights }).csr
}

function phraseEdges(phrases: number, facts: FactPairs, synonyms: SynonymEdges) {
  const sources: number[] = []
  const targets: number[] = []
  const weights: number[] = []
  const add = (source: number, target: number, weight: number) => {
    if (weight <= 0) return
    sources.push(source)
    targets.push(target)
    weights.push(weight)
  }
  const { csr: pairs } = buildCsr(phrases, {
    sources: facts.subjects,
    targets: facts.objects,
    weights: facts.counts,
  })
  const found = createLookup(phrases, synonyms)
  for (let a = 0; a < phrases; a++)
    for (let i = pairs.offsets[a]; i < pairs.offsets[a + 1]; i++) {
      const b = pairs.targets[i]
      // Both directions of the pair pass here; each adds its own where no synonym takes its place.
      if (!found(a, b)) add(a, b, pairs.weights[i])
    }
  for (let i = 0; i < synonyms.sources.length; i++)
    add(synonyms.sources[i], synonyms.targets[i], synonyms.weights[i])
  return { sources, targets, weights }
}

/** Whether a synonym edge leads from a to b; the edges are sorted by source, then target. */
function createLookup(
  phrases: number,
  { sources, targets }: SynonymEdges,
): (a: number, b: number) => boolean {
  const offsets = new Uint32Array(phrases + 1)
  for (const source of sources) offsets[source + 1]++
  for (let a = 0; a < phrases; a++) offsets[a + 1] += offsets[a]
  return (a, b) => {
    let low = offsets[a]
    let high = offsets[a + 1]
    while (low < high) {
      const middle = (low + high) >> 1
      if (targets[middle] < b) low = middle + 1
      else high = middle
    }
    return low < offsets[a + 1] && targets[low] === b
  }
}

/** How many passages hold each phrase. */
export function passageCounts({ offsets }: Incidence): Uint32Array {
  return Uint32Array.from({ length: offsets.length - 1 }, (_, row) => offsets[row + 1] - offsets[row])
}
