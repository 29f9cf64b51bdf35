import { membersOf } from './csr.ts'
import type { Graph } from './graph.ts'

/** Part of a graph that is small enough to draw. */
interface GraphPicture {
  readonly nodes: readonly PictureNode[]
  /** Pairs of places in `nodes`, the lower first. */
  readonly edges: readonly PictureEdge[]
  /** Neighbours of the starts that were left out. */
  readonly omitted: number
}

interface PictureNode {
  readonly name: string
  /** True for an entity that the picture is about. */
  readonly start: boolean
  /** True for the entity of a goal that is nearest to the starts. */
  readonly goal: boolean
}

interface PictureEdge {
  readonly ends: readonly [number, number]
  /** True if a path goes along it. */
  readonly walked: boolean
}

interface PictureParts {
  /** Entity rows that the picture is about. */
  readonly starts: readonly number[]
  /** Sets of entity rows; the shortest way from the starts to each is drawn. */
  readonly goals: readonly ReadonlySet<number>[]
  /** Entity rows along each path. */
  readonly paths: readonly (readonly number[])[]
}

/** Maximum length of a way to a goal. */
const WAY = 4

/**
 * The starts, the paths, the shortest way to each goal, then the starts' neighbours: those with most neighbours in the picture
 * first, then those with most neighbours at all. At most `most` entities, every relationship between them, and the steps of paths.
 */
export function pictureOf(graph: Graph, { starts, goals, paths }: PictureParts, most: number): GraphPicture {
  const { entities, csr } = graph
  const neighbours = (row: number) => csr.targets.subarray(csr.offsets[row], csr.offsets[row + 1])
  const ways = shortestWays(neighbours, starts, goals)
  const wanted = new Set([...starts, ...paths.flat(), ...ways.flat()])
  const chosen = new Set([...wanted].slice(0, most))
  const beside = new Map<number, number>()
  for (const row of chosen)
    for (const other of neighbours(row))
      if (!chosen.has(other)) beside.set(other, (beside.get(other) ?? 0) + 1)
  const ofStarts = [...new Set(starts.flatMap((row) => [...neighbours(row)]))]
  const near = ofStarts.filter((row) => !chosen.has(row))
  near.sort(
    (a, b) =>
      (beside.get(b) ?? 0) - (beside.get(a) ?? 0) || entities.degrees[b] - entities.degrees[a] || a - b,
  )
  const added = near.slice(0, Math.max(0, most - chosen.size))
  for (const row of added) chosen.add(row)

  const rows = [...chosen]
  const place = new Map(rows.map((row, at) => [row, at]))
  const pair = (a: number, b: number) => (a < b ? `${a} ${b}` : `${b} ${a}`)
  const walked = new Set(paths.flatMap((path) => path.slice(1).map((row, at) => pair(path[at], row))))
  const begin = new Set(starts)
  const ends = new Set(ways.map((way) => way[way.length - 1]))
  const related = (row: number, other: number) => neighbours(row).includes(other)
  // A walk goes over synonyms and shared passages too.
  const beyond = [...walked]
    .map((ends) => ends.split(' ').map(Number))
    .flatMap(([row, other]): PictureEdge[] => {
      const [from, to] = [place.get(row), place.get(other)]
      if (from === undefined || to === undefined || from === to || related(row, other)) return []
      return [{ ends: [Math.min(from, to), Math.max(from, to)], walked: true }]
    })
  return {
    nodes: rows.map((row) => ({ name: entities.names[row], start: begin.has(row), goal: ends.has(row) })),
    edges: [
      ...rows.flatMap((row, from) =>
        [...neighbours(row)].flatMap((other): PictureEdge[] => {
          const to = place.get(other)
          return to === undefined || to <= from
            ? []
            : [{ ends: [from, to], walked: walked.has(pair(row, other)) }]
        }),
      ),
      ...beyond,
    ],
    omitted: near.length - added.length,
  }
}

/** Shortest way of at most `WAY` edges from any start to the nearest member of each goal; a goal out of reach has none. */
function shortestWays(
  neighbours: (row: number) => Uint32Array,
  starts: readonly number[],
  goals: readonly ReadonlySet<number>[],
): number[][] {
  const before = new Map<number, number>(starts.map((row) => [row, -1]))
  const open = new Set(goals)
  const ways = new Map<ReadonlySet<number>, number[]>()
  const wayTo = (row: number): number[] => {
    const earlier = before.get(row) ?? -1
    return earlier < 0 ? [row] : [...wayTo(earlier), row]
  }
  let frontier = [...before.keys()]
  for (let edges = 0; frontier.length > 0 && open.size > 0; edges++) {
    for (const goal of open) {
      const found = frontier.find((row) => goal.has(row))
      if (found !== undefined && open.delete(goal)) ways.set(goal, wayTo(found))
    }
    if (edges === WAY) break
    const next: number[] = []
    for (const row of frontier)
      for (const other of neighbours(row))
        if (!before.has(other)) {
          before.set(other, row)
          next.push(other)
        }
    frontier = next
  }
  return goals.flatMap((goal) => {
    const way = ways.get(goal)
    return way ? [way] : []
  })
}

/** Entities in chunks. */
export function entitiesIn(chunks: Iterable<number>, { entitiesOfChunk }: Graph): Set<number> {
  return new Set([...chunks].flatMap((chunk) => [...membersOf(entitiesOfChunk, chunk)]))
}
