export type BenchCell = string | number | null
export type BenchTable = readonly Readonly<Record<string, BenchCell>>[]

/** A file of bench/. */
export interface Bench {
  readonly name: string
  /** Where the usual sizes do not fit. */
  readonly sizes?: readonly number[]
  run(sizes: readonly number[]): Promise<BenchTable>
}

export interface BenchResult {
  readonly name: string
  /** What is measured, and what the baseline is. */
  readonly about: string
  readonly rows: BenchTable
}

/** Three digits are more than a noisy machine can tell; '' where a baseline would take too long. */
export function shown(cell: BenchCell): string {
  if (cell === null) return ''
  if (typeof cell === 'string') return cell
  return Number.isInteger(cell) || Math.abs(cell) >= 1000
    ? String(Math.round(cell))
    : Number(cell.toPrecision(3)).toString()
}

/** Benches of error rates and savings, which measure no time. */
const RATES = ['clusters', 'gate', 'means', 'power', 'race', 'repeats', 'router', 'selection']

/** docs/evidence/benchmarks.md: the whole job first, then operations, growth, and error rates. */
export function benchmarksPage(
  results: readonly BenchResult[],
  machine: { readonly node: string; readonly cpu: string; readonly cores: number },
): string {
  const named = (...names: string[]) =>
    names.flatMap((name) => results.filter((result) => result.name === name))
  const first = named('job')
  const last = named('growth', 'scale', ...RATES)
  const operations = results.filter((result) => !first.includes(result) && !last.includes(result))
  const section = ({ name, about, rows }: BenchResult) =>
    [`## ${name}`, about, markdownTable(rows)].join('\n\n')
  return `# Benchmarks

Written by \`npm run bench -- --write\` on ${machine.cpu}, ${machine.cores} cores, Node ${machine.node}. Each
operation has a file in [bench/](../../bench). \`peer\` is the library that does the same, of
[bench/peers/requirements.txt](../../bench/peers/requirements.txt), or plain code where no library does. \`ratio\` is the time of
the peer over ours: above 1, ours is faster. The times are from one machine at one moment, so quote ratios and measure
on your own machine. An empty cell means that the peer would take too long, or that there is none.

${[...first, ...operations, ...last].map(section).join('\n\n')}
`
}

export function markdownTable(rows: BenchTable): string {
  const heads = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  return [
    `| ${heads.map((head) => head.replaceAll('_', ' ')).join(' | ')} |`,
    `|${heads.map((_, place) => (place === 0 ? '---|' : '---:|')).join('')}`,
    ...rows.map((row) => `| ${heads.map((head) => shown(row[head] ?? null)).join(' | ')} |`),
  ].join('\n')
}
