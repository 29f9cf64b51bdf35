/**
 * Sentences of the docs that follow from the tables beside them. The generators write them, and a test holds them to the
 * tables, so that no sentence says more than its numbers.
 */

/** The cells of a page's table rows whose first cell begins so, without code marks. */
export function rowsOf(page: string, begin: string): string[][] {
  return page
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) =>
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.replaceAll('`', '').trim()),
    )
    .filter(([name]) => name.startsWith(begin))
}

/** The first number of a cell; a minus is U+2212. */
export function numberOf(cell: string): number {
  return Number(/[−+]?[\d,]+(?:\.\d+)?/.exec(cell)?.[0].replace('−', '-').replaceAll(',', '') ?? Number.NaN)
}

const points = (value: number) => value.toFixed(1)
const signed = (value: number) => `${value < 0 ? '−' : '+'}${points(Math.abs(value))}`
const range = (values: readonly number[], write: (value: number) => string) => {
  const [low, high] = [Math.min(...values), Math.max(...values)].map(write)
  return low === high ? low : `${low} to ${high}`
}

/** The text between `<!-- name -->` and `<!-- end -->`. */
export function blockOf(page: string, name: string): string {
  return new RegExp(`<!-- ${name} -->\\n\\n([\\s\\S]*?)\\n\\n<!-- end -->`).exec(page)?.[1] ?? ''
}

/** docs/evidence/results.md: how wide the intervals of differences are, from the table of differences. */
export function resolution(differences: string): string {
  const [head, ...rows] = rowsOf(differences, '').filter(([name]) => !name.startsWith('---'))
  const widths = head.slice(1).map((set, column) => {
    const halves = rows.flatMap((row) => {
      const [, low, high] = row[column + 1].match(/[−+]\d+\.\d/g)?.map(numberOf) ?? []
      return low === undefined ? [] : [(high - low) / 2]
    })
    return `${points(halves.sort((a, b) => a - b)[Math.floor(halves.length / 2)])} on ${set}`
  })
  return `The 95 % interval of a difference to \`naive\` is this wide to either side, in points of recall@5 (the median row of each
column): ${widths.join(', ')}. Most smaller differences are not significant.`
}

/** Cells of a table by row and column, with the names of both. */
function gridOf(table: string) {
  const [head, ...rows] = rowsOf(table, '').filter(([name]) => !name.startsWith('---'))
  const cells = new Map(rows.map(([name, ...own]) => [name, own]))
  return { columns: head.slice(1), names: rows.map(([name]) => name), cells }
}

const markOf = (cell: string) => /[▲▼]/.exec(cell)?.[0] ?? ''

/** docs/evidence/results.md: rows that a second embedder turns, from the table of measured rows of each, on the sets of both. */
export function disagreements(first: string, second: string): string {
  const [one, other] = [first, second].map((table) => {
    const { columns, names, cells } = gridOf(table)
    return {
      columns,
      names,
      cellOf: (name: string, set: string) => cells.get(name)?.[columns.indexOf(set)] ?? '',
    }
  })
  const sets = one.columns.filter((set) => other.columns.includes(set))
  const bestOf = ({ names, cellOf }: typeof one, set: string) => {
    const score = (name: string) => numberOf(cellOf(name, set))
    return names.reduce((best, name) => (score(name) > score(best) ? name : best))
  }
  const best = sets.flatMap((set) => {
    const [a, b] = [one, other].map((grid) => bestOf(grid, set))
    return a === b ? [] : [`${set} (\`${a}\` with MiniLM, \`${b}\` with bge-small)`]
  })
  const turned = sets.flatMap((set) =>
    one.names.flatMap((name) => {
      const cells = [one, other].map(({ cellOf }) => cellOf(name, set))
      if (markOf(cells[0]) === markOf(cells[1])) return []
      const shown = [one, other].map(({ cellOf }, at) => {
        const score = `${points(numberOf(cells[at]))} ${markOf(cells[at])}`.trim()
        return `${score} (naive ${points(numberOf(cellOf('naive', set)))})`
      })
      return [`| ${set} | \`${name}\` | ${shown.join(' | ')} |`]
    }),
  )
  const gainOf = ({ cellOf }: typeof one, set: string) =>
    numberOf(cellOf('hybrid', set)) - numberOf(cellOf('naive', set))
  const smaller = sets.filter((set) => gainOf(other, set) < gainOf(one, set))
  return `The best row differs on ${best.length} of ${sets.length} sets${best.length > 0 ? `: ${best.join(', ')}` : ''}. Of ${sets.length * (one.names.length - 1)} comparisons
with \`naive\`, ${turned.length} have another verdict with the second embedder (recall@5; ▲ better, ▼ worse, no mark: no significant difference):

| set | row | MiniLM | bge-small |
|---|---|---|---|
${turned.join('\n')}

On ${smaller.length} of ${sets.length} sets, \`hybrid\` gains more or loses less over \`naive\` with MiniLM than with bge-small.`
}

/** README.md: the loss of `title-ppr` to the best row, from the tables of losses with each embedder. */
export function losses(first: string, second: string): string {
  const [one, other] = [first, second].map((table) => rowsOf(table, 'title-ppr')[0])
  // Rows are sorted by their worst loss, between the head and its rule and the best scores.
  const [, least] = rowsOf(second, '')
  const count = rowsOf(first, '').filter(([name]) => name !== '' && !/^(?:---|best)/.test(name)).length
  const better = least[0] === 'title-ppr' ? '' : ` (\`${least[0]}\` loses ${least.at(-1)} there)`
  return `Take \`title-ppr\` if you change nothing: on ${one.length - 2} real sets it loses at most ${one.at(-1)} points of recall@5 to the best of [${count} strategies and variants](docs/evidence/results.md#what-each-strategy-loses) with MiniLM, and
${other.at(-1)}${other.length === one.length ? '' : ` on ${other.length - 2}`} with bge-small${better}, though most of them were built along links, which favours it. \`linearrag\` is not among these rows ([by case](docs/choose.md)).`
}

/** docs/choose.md: differences between rows with one embedder and with the other, from its table. */
export function chosen(table: string): string {
  const { columns, cells } = gridOf(table)
  const score = (name: string, column: number) => numberOf(cells.get(name)?.[column] ?? '')
  const sets = [...new Set(columns.map((column) => column.split(':')[0]))]
  const pairs = [
    ['hybrid', 'naive'],
    ['bm25 reranked by the embedder', 'bm25'],
    ['title-ppr', 'naive'],
    ['linearrag', 'naive'],
  ]
  const lines = pairs.map(([name, base]) => {
    const gains = sets.map((set, at) => {
      const [a, b] = [2 * at, 2 * at + 1].map((column) => score(name, column) - score(base, column))
      return { set, a, b }
    })
    const turned = gains.filter(({ a, b }) => Math.sign(a) * Math.sign(b) < 0).map(({ set }) => set)
    const all = gains.map(({ set, a, b }) => `${signed(a)} and ${signed(b)} on ${set}`).join(', ')
    return `- \`${name}\` over \`${base}\`: ${all}.${turned.length > 0 ? ` The sign changes on ${turned.join(' and ')}.` : ''}`
  })
  const own = sets.map(
    (set, at) => `${signed(score('naive', 2 * at + 1) - score('naive', 2 * at))} on ${set}`,
  )
  return [...lines, `- \`naive\` with bge-small over \`naive\` with MiniLM: ${own.join(', ')}.`].join('\n')
}

/** docs/strategies/lightrag.md: `mix` beside `naive`, from the table of differences. */
export function mixBesideNaive(differences: string): string {
  const [row] = rowsOf(differences, 'lightrag mode=mix')
  const found = row.slice(1).map(numberOf)
  return `\`mix\` scored ${range(found, signed)} points of recall@5 relative to \`naive\` on ${found.length} sets`
}

/** docs/evidence/seeds-results.md: intervals that leave 0 out by chance. */
export function byChance(parts: readonly { readonly low: number | null }[]): string {
  const withInterval = parts.filter(({ low }) => low !== null).length
  return `${withInterval} of ${parts.length} pairs of a part and a set have an interval, uncorrected. If no part
had an effect, about ${Math.round(0.05 * withInterval)} of them (5 %) would leave out 0 by chance.`
}
