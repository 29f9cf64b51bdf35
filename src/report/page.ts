import type { ComponentChildren } from 'preact'
import type { Results } from '../results/read.ts'
import type { Summary } from '../results/summary.ts'
import { type Board, boardJson } from './board.ts'
import type { Shape } from './browser/types.d.ts'
import { type Block, jsonBlock } from './detail/encode.ts'
import { packDetail } from './detail/pack.ts'
import { term } from './glossary.tsx'
import { boardOf } from './make-board.ts'
import { plural, quantity } from './numbers.ts'
import { portable } from './portable.ts'
import { baselinePlace, representatives } from './representatives.ts'
import { shell } from './shell.tsx'
import { stageName } from './stage-words.ts'
import { strategyDefinitions } from './strategy-terms.tsx'
import { SECTIONS } from './views/registry.ts'
import type { PageSection } from './views/section.tsx'
import { say } from './words.tsx'

export const MAX_PAGE_BYTES = 5_000_000

/**
 * Renders an experiment as one HTML file that opens offline and makes no request. Equal results give equal bytes.
 * `home` is the address of the list of experiments in `touchstone view`.
 */
export async function renderReport(given: Results, home?: string): Promise<string> {
  const results = portable(given)
  const { summary, latency } = results
  const board = boardOf(summary, latency)
  const chosen = representatives(summary)
  const order = byImportance(summary, board, chosen)
  const views = SECTIONS.map((view) => view({ ...results, board, chosen }))
  const tables = { board: jsonBlock(boardJson(board)) }

  // The space for per-query data is known once the rest is rendered.
  const sectionsWith = (shown: readonly number[], cuts: readonly string[]) => {
    const perQuery = {
      trials: shown.map((at) => ({ value: String(at), name: summary.trials[at].name })),
      cuts,
    }
    return views
      .map((view) => (typeof view === 'function' ? view(perQuery) : view))
      .filter((section) => section !== null)
  }
  const parts = { best: chosen[0] ?? null, home, definitions: await strategyDefinitions(board, summary) }
  const draft = sectionsWith(order, [])
  const size = Buffer.byteLength(page(results, draft, { ...parts, shape: null, blocks: tables }))
  const { shape, cuts, blocks } = packDetail(results, order, MAX_PAGE_BYTES - size - 20_000)
  return page(results, sectionsWith(shape.trials, cuts), {
    ...parts,
    shape,
    blocks: { ...tables, ...blocks },
  })
}

/** Representatives of strategies, then other finalists, then by rank. */
function byImportance({ trials }: Summary, { ranked, seen }: Board, chosen: readonly number[]): number[] {
  const placeOf = new Map(trials.map(({ id }, index) => [id, index]))
  const byRank = (seen.length > 0 ? seen : ranked).map(({ id }) => placeOf.get(id)!)
  return [...new Set([...chosen, ...byRank.filter((index) => trials[index].finalist), ...byRank])]
}

interface Parts {
  /** Index of the best trial; null without trials. */
  readonly best: number | null
  readonly home: string | undefined
  readonly definitions: ComponentChildren
  readonly shape: Shape | null
  readonly blocks: Readonly<Record<string, Block>>
}

function page(
  { summary }: Results,
  sections: readonly PageSection[],
  { best, home, definitions, shape, blocks }: Parts,
): string {
  const meta = {
    experiment: summary.experiment,
    primary: summary.primary,
    measures: summary.measures,
    baseline: baselinePlace(summary),
    best,
    chosen: representatives(summary),
    shape,
    stageNames: Object.fromEntries(
      (shape?.stages ?? []).map((stage) => [stage, stageName(stage, summary.depth)]),
    ),
  }
  const [dataset] = summary.datasets
  return shell({
    title: summary.experiment,
    home,
    subtitle: say`${dataset.name}: ${plural(dataset.documents, 'document')}, ${plural(dataset.judged, 'judged query', 'judged queries')}; ${term('trial', plural(summary.trials.length, 'trial'))} of ${plural(new Set(summary.trials.map(({ strategy }) => strategy)).size, 'strategy', 'strategies')} to ${term('depth', `depth ${quantity(summary.depth)}`)}; labels by ${dataset.judgedUnit}.`,
    notice: 'Without JavaScript this page shows its text and tables, but no charts and no queries.',
    sections,
    definitions,
    meta,
    blocks,
  })
}
