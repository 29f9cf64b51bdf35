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

/** Last column of the table of measured rows: points of recall@5 below the best row, on the set where a row loses most. */
export const MOST_LOST = 'most lost'

/** Row of the table of norms: `hybrid` with the params that were best on the other folds. */
export const TUNED = 'tuned:hybrid'

/** docs/evidence/results.md: how wide the intervals of differences are, from the table of differences. */
export function resolution(differences: string): string {
  const [head, ...rows] = rowsOf(differences, '').filter(([name]) => !name.startsWith('---'))
  const columns = head.slice(1).map((set, column) => {
    const cells = rows.flatMap((row) => {
      const [difference, low, high] = row[column + 1].match(/[−+]\d+\.\d/g)?.map(numberOf) ?? []
      return low === undefined ? [] : [{ difference, low, high }]
    })
    const halves = cells.map(({ low, high }) => (high - low) / 2).sort((a, b) => a - b)
    const half = halves[Math.floor(halves.length / 2)]
    return { set, half, smaller: cells.filter(({ difference }) => Math.abs(difference) < half) }
  })
  const smaller = columns.flatMap((column) => column.smaller)
  const significant = smaller.filter(({ low, high }) => low * high > 0).length
  return `The 95 % interval of a difference to \`naive\` is this wide to either side, in points of recall@5 (the median row of each
column): ${columns.map(({ set, half }) => `${points(half)} on ${set}`).join(', ')}. Of the ${smaller.length} smaller differences with an interval, ${significant} ${significant === 1 ? 'is' : 'are'} significant.`
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
  const [left, other] = [first, second].map((table) => {
    const { columns, names, cells } = gridOf(table)
    return {
      columns,
      names,
      cellOf: (name: string, set: string) => cells.get(name)?.[columns.indexOf(set)] ?? '',
    }
  })
  const sets = left.columns.filter((set) => set !== MOST_LOST && other.columns.includes(set))
  const bestOf = ({ names, cellOf }: typeof left, set: string) => {
    const score = (name: string) => numberOf(cellOf(name, set))
    return names.reduce((best, name) => (score(name) > score(best) ? name : best))
  }
  const best = sets.flatMap((set) => {
    const [a, b] = [left, other].map((grid) => bestOf(grid, set))
    return a === b ? [] : [`${set} (\`${a}\` with MiniLM, \`${b}\` with bge-small)`]
  })
  const turned = sets.flatMap((set) =>
    left.names.filter((name) => markOf(left.cellOf(name, set)) !== markOf(other.cellOf(name, set))),
  ).length
  const gainOf = ({ cellOf }: typeof left, set: string) =>
    numberOf(cellOf('hybrid', set)) - numberOf(cellOf('naive', set))
  const smaller = sets.filter((set) => gainOf(other, set) < gainOf(left, set))
  return `The best row differs on ${best.length} of ${sets.length} sets${best.length > 0 ? `: ${best.join(', ')}` : ''}. Of ${sets.length * (left.names.length - 1)} comparisons
with \`naive\`, ${turned} have another verdict with the second embedder. On ${smaller.length} of ${sets.length} sets, \`hybrid\` gains more or loses less over \`naive\` with MiniLM than with bge-small.`
}

/**
 * README.md and docs/strategies.md: the loss of `title-ppr` to the best row, from the tables of measured rows with each embedder,
 * and to `linearrag`, from the table of the first choice. `results` is the link to the page with these tables.
 */
export function losses(first: string, second: string, choice: string, results: string): string {
  const [left, other] = [first, second].map((table) => rowsOf(table, 'title-ppr')[0])
  const { columns: heads, names } = gridOf(first)
  const { columns, cells } = gridOf(choice)
  const score = (name: string, at: number) => numberOf(cells.get(name)?.[at] ?? '')
  const others = columns.map((column, at) => ({
    column: column.replace(': ', ' with '),
    ahead: score('linearrag', at) - score('title-ppr', at),
  }))
  const above = others.filter(({ ahead }) => ahead > 0)
  return `Use \`title-ppr\` if you do not compare strategies. On ${heads.length - 1} sets (${heads.slice(0, -1).join(', ')}), its recall@5 is at most
${left.at(-1)} points below the best of [${names.length} strategies and variants](${results}#strategies-with-their-defaults) with MiniLM, and
at most ${other.at(-1)} with bge-small. Three of the sets were built along Wikipedia's links, which favours \`title-ppr\`.

\`linearrag\` is not among these ${names.length}. It was compared with \`title-ppr\` on 3 of the sets with both embedders. It is higher in
${above.length} of ${others.length} comparisons (${above.map(({ column, ahead }) => `${signed(ahead)} on ${column}`).join(', ')}), and otherwise up to ${points(Math.max(...others.map(({ ahead }) => -ahead)))} points lower.`
}

/** Weights of the dense side in the grid of configs/fusion-grid.yaml. */
const ALPHAS = ['0.4', '0.5', '0.6', '0.7']

/**
 * docs/evidence/results.md: points that each alpha of the norm `corpus` loses to the best fusion of each set, and a fusion chosen in
 * folds, from the tables of norms of each embedder.
 */
export function alphaCosts(embedders: readonly { readonly name: string; readonly norms: string }[]): string {
  const columns = embedders.flatMap(({ name, norms }) => {
    const grid = gridOf(norms)
    return grid.columns.map((set, at) => {
      const score = (row: string) => numberOf(grid.cells.get(row)?.[at] ?? '')
      const best = Math.max(...grid.names.filter((row) => row.startsWith('hybrid ')).map(score))
      const alphas = ALPHAS.map((alpha) => score(`hybrid alpha=${alpha} fusion=weighted norm=corpus`))
      return { name, set, lost: [...alphas, score(TUNED)].map((value) => best - value) }
    })
  })
  const rows = [...ALPHAS, 'chosen in 5 folds'].map((head, row) => {
    const lost = columns.map((column) => column.lost[row])
    return { head, lost, worst: Math.max(...lost) }
  })
  const least = rows.slice(0, ALPHAS.length).reduce((a, b) => (b.worst < a.worst ? b : a))
  const half = rows[ALPHAS.indexOf('0.5')]
  const wins = columns
    .filter((_, at) => half.lost[at] < least.lost[at])
    .map(({ name, set }) => `${set} with ${name}`)
  const exception = wins.length === 0 ? '' : ` Alpha 0.5 loses less on ${wins.join(' and ')}.`
  return `| \`corpus\`, alpha | ${columns.map(({ name, set }, at) => (columns[at - 1]?.name === name ? set : `${name}: ${set}`)).join(' | ')} | worst |
|---${'|---'.repeat(columns.length)}|---|
${rows.map(({ head, lost, worst }) => `| ${head} | ${[...lost, worst].map(points).join(' | ')} |`).join('\n')}

Alpha ${least.head} has the smallest worst loss, ${points(least.worst)} points; alpha 0.5 loses up to ${points(half.worst)}.${exception}`
}

/** docs/evidence/results.md: intervals that leave 0 out by chance. */
export function byChance(parts: readonly { readonly low: number | null }[]): string {
  const withInterval = parts.filter(({ low }) => low !== null).length
  return `${withInterval} of ${parts.length} pairs of a part and a set have an interval, uncorrected. If no part
had an effect, about ${Math.round(0.05 * withInterval)} of them (5 %) would leave out 0 by chance.`
}
