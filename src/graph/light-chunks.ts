import { rankPairs } from '../ranking/order.ts'
import { pollWeighted } from '../ranking/polling.ts'
import { type Incidence, membersOf } from './incidence.ts'

/**
 * LightRAG's choice of chunks behind entities or relationships (the owners, best first): a chunk belongs to the first
 * owner that holds it; within an owner, chunks that more owners hold come first. Then
 *
 *     weight   weighted polling, from `perOwner` chunks of the first owner to 1 of the last
 *     vector   of all of them, the perOwner x owners / 2 with the best cosine to the query
 *
 * HKUDS/LightRAG, lightrag/operate.py, `_find_related_text_unit_from_entities` and `..._from_relations`.
 */
export const CHUNK_PICKS = ['vector', 'weight'] as const
export type ChunkPick = (typeof CHUNK_PICKS)[number]

/** The chunks of each owner, without those in `taken`. Owners of none at all are left out. */
export function chunksOfOwners(
  owners: readonly number[],
  chunksOf: Incidence,
  taken: ReadonlySet<number> = new Set(),
): number[][] {
  const occurrences = new Map<number, number>()
  const owned: number[][] = []
  for (const owner of owners) {
    const own: number[] = []
    let holds = false
    for (const chunk of membersOf(chunksOf, owner)) {
      if (taken.has(chunk)) continue
      holds = true
      const times = occurrences.get(chunk) ?? 0
      if (times === 0) own.push(chunk)
      occurrences.set(chunk, times + 1)
    }
    if (holds) owned.push(own)
  }
  for (const own of owned) own.sort((a, b) => (occurrences.get(b) ?? 0) - (occurrences.get(a) ?? 0))
  return owned
}

/** Picks from the chunks of each owner. `cosines` are asked for with `vector` only; equal cosines: the higher row. */
export function pickChunks(
  owned: readonly (readonly number[])[],
  pick: ChunkPick,
  perOwner: number,
  cosines: (chunks: readonly number[]) => ArrayLike<number>,
): number[] {
  if (owned.length === 0) return []
  if (pick === 'weight') return pollWeighted(owned, perOwner, 1)
  const chunks = owned.flat()
  return Array.from(rankPairs(chunks, cosines(chunks), Math.floor((perOwner * owned.length) / 2)).rows)
}
