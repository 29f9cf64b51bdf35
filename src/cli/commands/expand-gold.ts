import { resolve } from 'node:path'
import { NEIGHBORS } from '../../corpus/graph/chunk-neighbors.ts'
import { type Expanded, type ExpandedGold, expandGold } from '../../library/expand-gold.ts'
import { percent, quantity } from '../../report/numbers.ts'
import { type Column, terminalTable } from '../../report/table.ts'
import { defineCommand } from '../command.ts'

export const expandGoldCommand = defineCommand({
  args: {
    experiment: { value: 'EXPERIMENT', summary: 'folder of a finished experiment over one dataset' },
  },
  options: {
    over: {
      kind: 'text',
      value: 'GRAPH',
      choices: NEIGHBORS,
      default: 'relationships',
      summary: 'relation between neighbouring chunks, as in graph-boost',
    },
    hops: {
      kind: 'integer',
      value: 'N',
      min: 1,
      max: 10,
      default: 1,
      summary: 'maximum distance from the gold',
    },
    at: { kind: 'integer', value: 'K', min: 1, max: 20, default: 10, summary: 'cutoff of both measures' },
  },
  examples: ['touchstone expand-gold experiments/rulebook --over relationships --hops 1'],
  async run({ args, options, io }) {
    const { over, hops, at: k } = options
    const rows = await expandGold(resolve(io.folder, args.experiment), {
      ...{ over: over as (typeof NEIGHBORS)[number], hops, k },
    })
    if (options.json) return io.json({ over, hops, k, trials: rows })
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
  },
})

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
