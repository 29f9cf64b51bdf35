import { membersOf } from '../../../corpus/graph/csr.ts'
import type { Communities } from '../../../corpus/graph/graph.ts'

/**
 * LazyGraphRAG's search. Communities are ranked by the mean rank of their `perCommunity` chunks that are nearest to the query.
 * Best first, the nearest untested chunks of each are tested for relevance, `perCommunity` of them. After `patience`
 * communities in a row without a relevant chunk, or at the end of the list, the search goes on in the children of the
 * communities that had one. It ends when none had, or after `budget` tests.
 *
 * A community without children stands for its child: its next chunks are tested. The publication says nothing about it.
 * Edge et al., LazyGraphRAG, Microsoft Research, 2024.
 */
export type LazyOptions = {
  readonly budget: number
  readonly perCommunity: number
  readonly patience: number
}

/** Yields chunks to test, receives the answers, and ends with the relevant ones, nearest to the query first. */
export function* searchLazily(
  cosines: ArrayLike<number>,
  { parents, children, chunks }: Pick<Communities, 'parents' | 'children' | 'chunks'>,
  { budget, perCommunity, patience }: LazyOptions,
): Generator<readonly number[], number[], readonly boolean[]> {
  const rankOf = ranksOf(cosines)
  const nearest = (community: number) =>
    [...membersOf(chunks, community)].sort((a, b) => rankOf[a] - rankOf[b])
  const tested = new Set<number>()
  const relevant: number[] = []
  let open = [...parents.keys()].filter((community) => parents[community] < 0)
  while (open.length > 0) {
    const ranked = open.flatMap((community) => {
      const members = nearest(community)
      if (members.length === 0) return []
      const best = members.slice(0, perCommunity)
      const rank = best.reduce((sum, chunk) => sum + rankOf[chunk], 0) / best.length
      return [{ community, members, rank }]
    })
    ranked.sort((a, b) => a.rank - b.rank || a.community - b.community)
    const next: number[] = []
    let misses = 0
    for (const { community, members } of ranked) {
      const untested = members.filter((chunk) => !tested.has(chunk))
      const batch = untested.slice(0, Math.min(perCommunity, budget - tested.size))
      if (batch.length === 0) continue
      const answers = yield batch
      for (const chunk of batch) tested.add(chunk)
      const found = batch.filter((_, at) => answers[at])
      relevant.push(...found)
      misses = found.length > 0 ? 0 : misses + 1
      if (found.length > 0) next.push(...(children[community].length > 0 ? children[community] : [community]))
      if (misses === patience) break
    }
    open = next
  }
  return relevant.sort((a, b) => rankOf[a] - rankOf[b])
}

/** Rank of each chunk by its cosine, from 0; equal ones by row. */
function ranksOf(cosines: ArrayLike<number>): Uint32Array {
  const order = Array.from({ length: cosines.length }, (_, row) => row)
  order.sort((a, b) => cosines[b] - cosines[a])
  const ranks = new Uint32Array(order.length)
  order.forEach((row, rank) => {
    ranks[row] = rank
  })
  return ranks
}
