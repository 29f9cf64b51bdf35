/** Retrieved passage or gold. */
export interface LinkedPassage {
  /** From 1; 0 if not retrieved. */
  readonly rank: number
  readonly title: string
  readonly gold: boolean
  /** Index of the text. */
  readonly place: number
}

interface LinkNode {
  readonly column: number
  readonly row: number
  readonly label: string
  readonly kind: 'question' | 'name' | 'passage' | 'gold' | 'lost'
}

export interface LinkPicture {
  readonly nodes: readonly LinkNode[]
  /** Pairs of indexes of `nodes`. */
  readonly edges: readonly (readonly [from: number, to: number])[]
  readonly columns: number
  readonly rows: number
  /** Titles of gold without a path. */
  readonly unreached: readonly string[]
}

export interface WalkedLink {
  readonly from: WalkedEnd | null
  readonly to: WalkedEnd
  /** Null for a link that is no start. */
  readonly share: number | null
}

interface WalkedEnd {
  readonly name: string
  /** Index of the text; -1 for a chunk without one, -2 for an entity. */
  readonly text: number
}

/** Layout of a walk: the question, starts with their shares, and shortest paths to passages. A column is a distance. */
export function walkPicture(links: readonly WalkedLink[], passages: readonly LinkedPassage[]): LinkPicture {
  const keyOf = ({ name, text }: WalkedEnd) => (text >= 0 ? text : `${text} ${name}`)
  const columnOf = new Map<number | string, number>()
  const ends = new Map(links.map(({ to }) => [keyOf(to), to]))
  const shares = new Map<number | string, number>()
  for (const { from, to, share } of links) {
    if (from !== null || share === null) continue
    columnOf.set(keyOf(to), 1)
    shares.set(keyOf(to), share)
  }
  for (const [key, column] of columnOf)
    for (const { from, to } of links)
      if (from && keyOf(from) === key && !columnOf.has(keyOf(to))) columnOf.set(keyOf(to), column + 1)
  const unreached = passages.filter(({ gold, place }) => gold && !columnOf.has(place))
  const nodes: LinkNode[] = [{ column: 0, row: 0, label: 'question', kind: 'question' }]
  const rows: number[] = [1]
  const nodeOf = new Map<number | string, number>()
  for (const [key, column] of columnOf) {
    const passage = passages.find(({ place }) => place === key)
    const share = shares.get(key)
    const label = `${passage && passage.rank > 0 ? `${passage.rank}. ` : ''}${passage?.title ?? ends.get(key)?.name}${share === undefined ? '' : ` ${Math.round(100 * share)} %`}`
    const kind = !passage ? 'name' : passage.gold ? (passage.rank > 0 ? 'gold' : 'lost') : 'passage'
    rows[column] = (rows[column] ?? 0) + 1
    nodeOf.set(key, nodes.push({ column, row: rows[column] - 1, label, kind }) - 1)
  }
  const edges = links.flatMap(({ from, to }): [number, number][] => {
    const pair = [from ? nodeOf.get(keyOf(from)) : 0, nodeOf.get(keyOf(to))]
    return pair[0] !== undefined && pair[1] !== undefined ? [[pair[0], pair[1]]] : []
  })
  return {
    nodes,
    edges,
    columns: rows.length,
    rows: Math.max(...rows),
    unreached: unreached.map(({ title }) => title),
  }
}
