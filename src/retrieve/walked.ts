import type { Reset } from '../corpus/graph/pagerank.ts'

/** Graph that a step walked for one query, with its starts. */
export interface Walked {
  readonly starts: Reset
  neighbours(node: number): ArrayLike<number>
  /** Nodes that lead to a chunk: its own node, or its entities. */
  entries(row: number): ArrayLike<number>
  /** Name of an entity, or the row of a chunk. */
  endOf(node: number): string | number
}

/** Link of a walk: from the question (null), an entity's name or a chunk's row; a start has its share of all starts' weight. */
export type WalkLink = readonly [from: string | number | null, to: string | number, share: number | null]

/** Maximum starts of a stored walk, chunks at its ends, and nodes visited before a search ends. */
const [STARTS, CHUNKS, LOOKED_AT] = [8, 10, 5000]

/** The heaviest starts, and the links of a shortest path from them to each chunk that one reaches. */
export function linksOf(walked: Walked, rows: ArrayLike<number>): WalkLink[] {
  const { starts, neighbours, entries, endOf } = walked
  const total = Array.from(starts.weights).reduce((sum, weight) => sum + weight, 0)
  const heaviest = Array.from(starts.nodes, (node, at) => ({ node, weight: starts.weights[at] }))
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight || a.node - b.node)
    .slice(0, STARTS)
  if (heaviest.length === 0) return []
  /** Node before each reached one, in the order of their distance; -1 for a start. */
  const before = new Map(heaviest.map(({ node }) => [node, -1]))
  for (const node of before.keys()) {
    if (before.size > LOOKED_AT) break
    const next = neighbours(node)
    for (let at = 0; at < next.length; at++) if (!before.has(next[at])) before.set(next[at], node)
  }
  const order = new Map([...before.keys()].map((node, place) => [node, place]))
  const links = new Map<string, WalkLink>()
  const add = (from: string | number, to: string | number) => {
    if (from !== to) links.set(JSON.stringify([from, to]), [from, to, null])
  }
  for (const row of Array.from(rows).slice(0, CHUNKS)) {
    const reached = Array.from(entries(row)).filter((node) => order.has(node))
    const nearest = reached.sort((a, b) => (order.get(a) ?? 0) - (order.get(b) ?? 0))[0]
    if (nearest === undefined) continue
    add(endOf(nearest), row)
    for (
      let node = nearest, from = before.get(node) ?? -1;
      from >= 0;
      node = from, from = before.get(node) ?? -1
    )
      add(endOf(from), endOf(node))
  }
  const share = (weight: number) => Number((weight / total).toPrecision(4))
  return [
    ...heaviest.map(({ node, weight }): WalkLink => [null, endOf(node), share(weight)]),
    ...links.values(),
  ]
}
