import type { LinkPicture } from './links.ts'

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
        The strategy’s own starts, with each start’s share of their weight, and the shortest path in its graph
        to each of the first ten passages, with their ranks. The score of a PageRank is its mass. Gold is
        blue.
      </p>
    </details>
  )
}
