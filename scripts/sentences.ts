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
  return `A 95 % interval of a difference to \`naive\` reaches this many points of recall@5 to either side, in the middle row of each
column: ${widths.join(', ')}. Smaller differences cannot be told from zero.`
}

/** docs/strategies/lightrag.md: `mix` beside `naive`, from the table of differences. */
export function mixBesideNaive(differences: string): string {
  const [row] = rowsOf(differences, 'lightrag mode=mix')
  const found = row.slice(1).map(numberOf)
  return `\`mix\` scored ${range(found, signed)} points of recall@5 relative to \`naive\` on ${found.length} sets`
}

/** docs/statistics.md: fusions beside their parts, from the table of combined trials. */
export function fusions(page: string): string {
  const rows = rowsOf(page, '')
  const scores = (name: string) => {
    const row = rows.find(([first]) => first === name) as string[]
    return [numberOf(row[1]), numberOf(row[4])]
  }
  const ways = (name: string) => {
    const at = rows.findIndex(([first]) => first.startsWith(`fuse of ${name}:`))
    return rows.slice(at, at + 3)
  }
  const sets = ['hotpotqa', 'claude-docs']
  const [naive, bm25, ppr] = ['naive', 'bm25', 'title-ppr'].map(scores)
  const two = sets.map((set, at) => {
    const own = ways('naive, bm25')
    const gains = own.map((row) => numberOf(row[1 + 3 * at]) - Math.max(naive[at], bm25[at]))
    const better = own.filter((row) => row[2 + 3 * at].includes('▲')).length
    return `${range(gains, signed)} points on ${set} (${better} of ${own.length} better than naive by the test)`
  })
  const three = sets.map((set, at) => {
    const own = ways('naive, bm25, title-ppr').map((row) => numberOf(row[1 + 3 * at]) - ppr[at])
    return `${range(own, signed)} on ${set}`
  })
  return `- Fusions of naive and bm25 score above the better of the two: ${two.join(', ')}.
  With title-ppr as a third part, fusions score, relative to title-ppr alone, ${three.join(', ')}.`
}

/** docs/evidence/seeds-results.md: intervals that leave 0 out by chance. */
export function byChance(parts: readonly { readonly low: number; readonly high: number }[]): string {
  const changed = parts.filter(({ low, high }) => low !== 0 || high !== 0).length
  return `${changed} of ${parts.length} pairs of a part and a set have an interval, each its own: if no part
changed anything, about ${Math.round(0.05 * changed)} of them (5 %) would leave 0 out by chance.`
}
