import { NEIGHBORS } from '../corpus/graph/chunk-neighbors.ts'
import { UserError } from '../errors.ts'
import { type Expanded, type ExpandedGold, expandGold } from '../library/expand-gold.ts'
import { percent, quantity } from '../report/numbers.ts'
import { type Column, terminalTable } from '../report/table.ts'
import type { Io } from './io.ts'

/** Cutoff of both measures. */
const CUTOFF = 10

interface ExpandOptions {
  /** Relation between neighbouring chunks, as in graph-boost. */
  readonly expandGold: string
  readonly hops: number
  readonly json: boolean
}

/** Prints the finalists' scores with the chunks near the gold counted too. Throws a UserError for an unknown graph. */
export async function printExpandedGold(
  folder: string,
  { expandGold: graph, hops, json }: ExpandOptions,
  io: Io,
): Promise<void> {
  const over = NEIGHBORS.find((name) => name === graph)
  if (over === undefined)
    throw new UserError(`--expand-gold: there is no graph \`${graph}\`; there are ${NEIGHBORS.join(', ')}`)
  const k = CUTOFF
  const rows = await expandGold(folder, { over, hops, k })
  if (json) return io.json({ over, hops, k, trials: rows })
  const columns: readonly Column<ExpandedGold>[] = [
    { head: 'trial', left: true, text: ({ trial }) => trial },
    ...expandedColumns(`mrr@${k}`, ({ mrr }) => mrr),
    ...expandedColumns(`recall@${k}`, ({ recall }) => recall),
  ]
  io.out(terminalTable(rows, columns, { width: io.columns }))
  io.out(
    `\nIn percent, with 95 % intervals. A chunk within ${hops} ${hops === 1 ? 'hop' : 'hops'} of a gold one over ${over} counts for it too; it need not answer.`,
  )
  const { alternatives, share } = rows[0]
  const shared = `${quantity(alternatives)} ${alternatives === 1 ? 'unit counts' : 'units count'} for a gold label on average, ${percent(share)} % of the corpus`
  io.out(
    share > WIDE ? `Warning: ${shared}. The figure describes this graph, not the retrieval.` : `${shared}.`,
  )
  const cut = Math.max(...rows.map((row) => row.cut))
  if (cut > 0)
    io.out(
      `For up to ${cut} of ${rows[0].queries} queries the ranks that a run keeps end before ${k} documents, so more may be added than is shown.`,
    )
}

/** Share of the corpus above which alternatives of a label say little. */
const WIDE = 0.05

function expandedColumns(head: string, of: (row: ExpandedGold) => Expanded): readonly Column<ExpandedGold>[] {
  const added = ({ plain, expanded, low, high }: Expanded) =>
    `+${percent(expanded - plain)} [${percent(low)}, ${percent(high)}]`
  return [
    { head, text: (row) => percent(of(row).plain) },
    { head: 'expanded', text: (row) => percent(of(row).expanded) },
    { head: 'added', left: true, text: (row) => added(of(row)) },
  ]
}
