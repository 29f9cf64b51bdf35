import { withBlocks } from './pages.ts'

export type Cell = string | number | null
export type Table = readonly Readonly<Record<string, Cell>>[]

/** Default export of a file of bench/ or simulations/. */
export interface Measured {
  readonly name: string
  /** Sizes, measured one by one; omitted if `run` takes none. */
  readonly sizes?: readonly number[]
  /** Sizes that only `--sizes` measures, because they take long. */
  readonly onRequest?: readonly number[]
  run(size: number): Promise<Table> | Table
}

/** Rows of one size of one operation or simulation, as measured. */
export interface Part {
  readonly name: string
  /** null if it has no sizes. */
  readonly size: number | null
  readonly date: string
  /** Processor, cores and version of Node; omitted by simulations, which have the same rows on every machine. */
  readonly machine?: string
  /** Share of the cores' time that other programs took meanwhile. */
  readonly others?: number
  readonly rows: Table
}

/** A file of bench/ or simulations/, and the comment above its default export. */
export interface Described {
  readonly name: string
  readonly about: string
}

/** Share of the cores' time from which a page mentions other programs. */
const BUSY = 0.05

/** Three digits are more than a noisy machine can tell; '' where a peer would take too long. */
export function shown(cell: Cell): string {
  if (cell === null) return ''
  if (typeof cell === 'string') return cell
  return Number.isInteger(cell) || Math.abs(cell) >= 1000
    ? String(Math.round(cell))
    : Number(cell.toPrecision(3)).toString()
}

/** Stored parts with one measured anew. Parts of files and sizes that are gone are dropped. */
export function withPart(
  parts: readonly Part[],
  part: Part,
  catalogue: { readonly names: readonly string[]; readonly sizes: readonly (number | null)[] },
): Part[] {
  const otherParts = parts.filter(({ name, size }) =>
    name === part.name
      ? size !== part.size && catalogue.sizes.includes(size)
      : catalogue.names.includes(name),
  )
  return [...otherParts, part].sort(
    (a, b) =>
      catalogue.names.indexOf(a.name) - catalogue.names.indexOf(b.name) || (a.size ?? 0) - (b.size ?? 0),
  )
}

/** docs/evidence/benchmarks.md: the whole job first, then the others. */
export function benchmarksPage(all: readonly Described[], parts: readonly Part[]): string {
  const ordered = [...all.filter(({ name }) => name === 'job'), ...all.filter(({ name }) => name !== 'job')]
  return `# Benchmarks

Written by \`npm run bench -- --write\` from [benchmarks.json](benchmarks.json). Each operation has a file in
[bench/](../../bench). \`npm run bench -- --write --only bm25\` measures one operation again, and leaves the others.
\`peer\` is a library of [bench/requirements.txt](../../bench/requirements.txt), or what the section names. \`ratio\` is the
time of the peer over ours: above 1, ours is faster. The times are from one machine at one moment, so quote ratios and measure
on your own machine. An empty cell means that it was not measured.

${sections(ordered, parts)}
`
}

/** The page docs/statistics.md with the table of these parts. */
export function withErrorRates(page: string, parts: readonly Part[]): string {
  return withBlocks(page, { 'error rates': errorRatesTable(parts) })
}

/** Lowest and highest false rates by kind of cell. */
function errorRatesTable(parts: readonly Part[]): string {
  const kinds = new Map<string, number[]>()
  for (const { name, rows } of parts)
    for (const { shape, rows: compared, 'false %': rate } of rows) {
      if (typeof rate !== 'number') continue
      const kind = { null: shape, tuned: `${compared}`, samples: `${shape}`.split(', ').pop(), real: 'real' }[
        name
      ]
      kinds.set(`${kind}`, [...(kinds.get(`${kind}`) ?? []), rate])
    }
  return markdownTable(
    [...kinds].map(([kind, rates]) => ({
      differences: kind,
      cells: rates.length,
      'lowest false %': Math.min(...rates),
      'highest false %': Math.max(...rates),
    })),
  )
}

function sections(all: readonly Described[], parts: readonly Part[]): string {
  return all
    .map(({ name, about }) => {
      const partsOfName = parts.filter((part) => part.name === name)
      const body =
        partsOfName.length > 0
          ? measuredTable(partsOfName)
          : [`No figures are stored: run \`npm run bench -- --write --only ${name}\`.`]
      return [`## ${name}`, about, ...body].join('\n\n')
    })
    .join('\n\n')
}

/** When and on what parts were measured, and their rows; a column says it where parts differ. */
function measuredTable(parts: readonly Part[]): string[] {
  const stamps = parts.map(({ date, machine }) => `${date}, ${machine}`)
  const busy = ({ others = 0 }: { readonly others?: number }) =>
    others < BUSY ? '' : `other programs took ${Math.round(100 * others)} % of the cores' time`
  if (new Set(stamps).size === 1) {
    const most = busy({ others: Math.max(...parts.map(({ others }) => others ?? 0)) })
    return [
      `Measured ${stamps[0]}${most && `; at most, ${most}`}.`,
      markdownTable(parts.flatMap(({ rows }) => rows.map(ratioFirst))),
    ]
  }
  const rows = parts.flatMap((part, at) =>
    part.rows.map((row) => ({
      ...ratioFirst(row),
      measured: [stamps[at], busy(part)].filter(Boolean).join('; '),
    })),
  )
  return [markdownTable(rows)]
}

/** The row with its ratio after its name. */
const ratioFirst = ({ case: name, ratio, ...row }: Table[number]): Table[number] =>
  ratio === undefined ? { case: name, ...row } : { case: name, ratio, ...row }

export function markdownTable(rows: Table): string {
  const heads = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  return [
    `| ${heads.map((head) => head.replaceAll('_', ' ')).join(' | ')} |`,
    `|${heads.map((_, place) => (place === 0 ? '---|' : '---:|')).join('')}`,
    ...rows.map((row) => `| ${heads.map((head) => shown(row[head] ?? null)).join(' | ')} |`),
  ].join('\n')
}
