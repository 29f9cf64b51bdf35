import type { WalkedEnd, WalkedLink } from './types.d.ts'

/** Retrieved passage or gold. */
interface LinkedPassage {
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

export type LinkPicture = ReturnType<typeof walkPicture>

/** Layout of a walk: the question, starts with their shares, and shortest paths to passages. A column is a distance. */
export function walkPicture(links: readonly WalkedLink[], passages: readonly LinkedPassage[]) {
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
  // Pairs of indexes of nodes.
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

/** Pixels of a row, a dot, a character, and the least gap between columns. */
const [ROW, DOT, CHARACTER, GAP] = [24, 4, 6.2, 44]
/** Maximum characters. */
const LABEL = 22

const shortened = (label: string) => (label.length > LABEL ? `${label.slice(0, LABEL - 1)}…` : label)

/** Draws the question at the left, then one column per step. */
export function Walk({ name, picture }: { readonly name: string; readonly picture: LinkPicture }) {
  const { nodes, edges, columns, rows, unreached } = picture
  const endOf = ({ label }: { readonly label: string }) => 12 + CHARACTER * shortened(label).length
  const lefts = [8]
  for (let column = 0; column < columns; column++) {
    const widest = nodes.reduce(
      (most, node) => (node.column === column ? Math.max(most, endOf(node)) : most),
      0,
    )
    lefts.push(lefts[column] + widest + GAP)
  }
  const x = (column: number) => lefts[column]
  const y = (row: number) => 12 + row * ROW
  const [width, height] = [Math.ceil(lefts[columns] - GAP), rows * ROW + 4]
  return (
    <details class="links" open>
      <summary>Walk of {name}</summary>
      <div class="scroll" tabIndex={0} role="group" aria-label={`Walk of ${name}`}>
        <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
          {edges.map(([from, to]) => {
            const [a, b] = [nodes[from], nodes[to]]
            const start = x(a.column) + endOf(a)
            const middle = (start + x(b.column) - DOT) / 2
            return (
              <path
                key={`${from}-${to}`}
                class={b.kind}
                d={`M${start},${y(a.row)}C${middle},${y(a.row)} ${middle},${y(b.row)} ${x(b.column) - DOT},${y(b.row)}`}
              />
            )
          })}
          {nodes.map(({ column, row, label, kind }, place) => (
            <g key={place} class={kind} transform={`translate(${x(column)},${y(row)})`}>
              <title>{label}</title>
              <circle r={DOT} />
              <text x="8" dy="0.32em">
                {shortened(label)}
              </text>
            </g>
          ))}
        </svg>
      </div>
      {unreached.length > 0 && <p class="about">No path leads to this gold: {unreached.join(', ')}.</p>}
      <p class="about">
        Next to the question: the starts of the walk, with their shares of the starting weight. Lines: the
        shortest paths in the graph to the first ten passages, each with its rank. Gold is blue.
      </p>
    </details>
  )
}
