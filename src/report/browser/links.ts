import { literal, wholeWords } from './patterns.ts'

export interface LinkedPassage {
  /** Rank from 1; 0 if it was not retrieved. */
  readonly rank: number
  readonly title: string
  readonly text: string
  readonly gold: boolean
  /** Note of a step, as `hop 1`. */
  readonly mark: string
}

interface LinkNode {
  readonly column: number
  readonly row: number
  readonly label: string
  readonly kind: 'question' | 'name' | 'passage' | 'gold' | 'lost'
}

export interface LinkPicture {
  readonly nodes: readonly LinkNode[]
  /** Pairs of places in `nodes`. */
  readonly edges: readonly (readonly [from: number, to: number])[]
  readonly columns: number
  readonly rows: number
}

/** Most names, and most passages of a column; gold is never left out. */
const MOST = 10
/** Shortest name or title that counts as mentioned. */
const SHORTEST = 3

/**
 * Links from the question over the names that a strategy found in it to retrieved passages, and between passages. A link is
 * a mention: a passage holds the name, or one passage the other's title. A passage's column is its distance, or its hop
 * where a step noted it. Passages without a link are left out unless they are gold. Null without any linked passage.
 */
export function linkPicture(
  question: string,
  found: readonly string[],
  passages: readonly LinkedPassage[],
): LinkPicture | null {
  const names = [...new Set(found.filter((name) => name.length >= SHORTEST))].slice(0, MOST)
  const mentions = mentionsOf([...names, ...passages.map(({ title }) => title)])
  const whole = passages.map(({ title, text }) => `${title}\n${text}`)
  const direct = (at: number) =>
    names.some((name) => mentions(whole[at], name)) || mentions(question, passages[at].title)
  const isLinked = (a: number, b: number) =>
    a !== b && (mentions(whole[a], passages[b].title) || mentions(whole[b], passages[a].title))

  const first = names.length > 0 ? 2 : 1
  const columnOf = new Map<number, number>()
  passages.forEach(({ mark }, at) => {
    const [, hop] = /^hop (\d+)$/.exec(mark) ?? []
    if (hop !== undefined) columnOf.set(at, first + Number(hop))
    else if (direct(at)) columnOf.set(at, first)
  })
  for (let column = first, isNew = true; isNew; column++) {
    const before = [...columnOf.keys()].filter((at) => columnOf.get(at) === column)
    const next = passages.flatMap((_, at) =>
      !columnOf.has(at) && before.some((other) => isLinked(other, at)) ? [at] : [],
    )
    for (const at of next) columnOf.set(at, column + 1)
    isNew = next.length > 0
  }
  if (columnOf.size === 0) return null
  const last = Math.max(...columnOf.values())
  passages.forEach(({ gold }, at) => {
    if (gold && !columnOf.has(at)) columnOf.set(at, last + 1)
  })

  const nodes: LinkNode[] = [{ column: 0, row: 0, label: 'question', kind: 'question' }]
  const rows: number[] = [1]
  const add = (column: number, label: string, kind: LinkNode['kind']) => {
    rows[column] = (rows[column] ?? 0) + 1
    return nodes.push({ column, row: rows[column] - 1, label, kind }) - 1
  }
  const nameNodes = names.map((name) => add(1, name, 'name'))
  const shown = passages.flatMap((passage, at) => {
    const column = columnOf.get(at)
    if (column === undefined || (!passage.gold && (rows[column] ?? 0) >= MOST)) return []
    const { rank, title, gold } = passage
    const label = rank > 0 ? `${rank}. ${title}` : title
    return [{ at, column, node: add(column, label, gold ? (rank > 0 ? 'gold' : 'lost') : 'passage') }]
  })
  const edges: [number, number][] = nameNodes.map((node) => [0, node])
  for (const { at, node } of shown) {
    names.forEach((name, place) => {
      if (mentions(whole[at], name)) edges.push([nameNodes[place], node])
    })
    if (mentions(question, passages[at].title)) edges.push([0, node])
  }
  for (const from of shown)
    for (const to of shown)
      if (to.column === from.column + 1 && isLinked(from.at, to.at)) edges.push([from.node, to.node])
  return { nodes, edges, columns: rows.length, rows: Math.max(...rows.filter((count) => count > 0)) }
}

export interface WalkedLink {
  /** Null for the question. */
  readonly from: WalkedEnd | null
  readonly to: WalkedEnd
  /** Share of a start; null for another link. */
  readonly share: number | null
}

interface WalkedEnd {
  readonly name: string
  /** Place among the texts of the page; -1 for a chunk without a text there, -2 for an entity. */
  readonly text: number
}

/**
 * Links that a step really walked: the question, its starts with their shares, and shortest paths to retrieved passages. A
 * column is a distance. Gold that no path reaches is in the last column.
 */
export function walkPicture(
  links: readonly WalkedLink[],
  passages: readonly (Pick<LinkedPassage, 'rank' | 'title' | 'gold'> & { readonly place: number })[],
): LinkPicture {
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
  const last = Math.max(...columnOf.values())
  for (const { gold, place, title } of passages)
    if (gold && !columnOf.has(place)) {
      columnOf.set(place, last + 1)
      ends.set(place, { name: title, text: place })
    }
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
  return { nodes, edges, columns: rows.length, rows: Math.max(...rows) }
}

/** Tests if a text mentions one of the given phrases as whole words. */
function mentionsOf(phrases: readonly string[]) {
  const patterns = new Map(
    phrases
      .filter((phrase) => phrase.trim().length >= SHORTEST)
      .map((phrase) => [phrase, wholeWords(literal(phrase))]),
  )
  return (text: string, phrase: string) => text.search(patterns.get(phrase) ?? /$^/) >= 0
}
