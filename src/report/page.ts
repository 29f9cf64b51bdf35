import type { Results } from '../results/read.ts'
import type { Summary } from '../results/summary.ts'
import { type Assets, readAssets } from './assets.ts'
import { packBoard } from './detail/board.ts'
import { type Block, sizeOf } from './detail/encode.ts'
import { type DetailShape, packDetail, packTrials } from './detail/pack.ts'
import { term } from './glossary.ts'
import { type Html, html, markup } from './html.ts'
import { baselinePlace, type Leaderboard, leaderboardOf, representatives } from './leaderboard-rows.ts'
import { isCount } from './measured.ts'
import { plural, quantity } from './numbers.ts'
import { portable } from './portable.ts'
import { shell } from './shell.ts'
import { stageName } from './stage-words.ts'
import { strategyDefinitions } from './strategy-terms.ts'
import { VIEWS } from './views/registry.ts'
import type { PageSection } from './views/section.ts'

/** Maximum size of a report in bytes. */
export const MAX_PAGE_BYTES = 5_000_000

/**
 * Renders an experiment as one HTML file that opens offline and makes no request. Text and tables are markup; an inlined
 * script draws charts and looks up queries from data in the file. Equal results give equal bytes. `home` is the address of
 * the list of experiments, for a page that `touchstone view` serves.
 */
export async function renderReport(given: Results, home?: string): Promise<string> {
  const results = portable(given)
  const { summary, latency } = results
  const assets = readAssets()
  const board = leaderboardOf(summary, latency)
  const chosen = representatives(summary)
  const order = byImportance(summary, board, chosen)
  const best = chosen[0] ?? null
  const definitions = await strategyDefinitions(board)
  const views = VIEWS.map((view) => view({ ...results, board, chosen }))
  const tables = { trials: packTrials(summary, board), board: packBoard(board) }

  // The space for per-query data is known once everything else is rendered.
  const sectionsWith = (shown: readonly number[], cuts: readonly string[]) => {
    const perQuery = {
      trials: shown.map((at) => ({ value: String(at), name: summary.trials[at].name })),
      cuts,
    }
    return views
      .map((view) => (typeof view === 'function' ? view(perQuery) : view))
      .filter((section) => section !== null)
  }
  const draft = sectionsWith(order, [])
  const small = { ...tables, ...blocksOf(draft) }
  const size = Buffer.byteLength(
    page(results, draft, { best, assets, home, definitions, shape: null, blocks: small }),
  )
  const { shape, cuts, blocks } = packDetail(results, order, MAX_PAGE_BYTES - size - sizeOf(small) - 20_000)
  const sections = sectionsWith(shape.trials, cuts)
  return page(results, sections, {
    best,
    assets,
    home,
    definitions,
    shape,
    blocks: { ...tables, ...blocksOf(sections), ...blocks },
  })
}

function blocksOf(sections: readonly PageSection[]): Record<string, Block> {
  return Object.assign({}, ...sections.map(({ blocks }) => blocks))
}

/** Trials by importance: representatives of strategies, then other finalists, then by rank. */
function byImportance(
  { trials }: Summary,
  { ranked, seen }: Leaderboard,
  chosen: readonly number[],
): number[] {
  const placeOf = new Map(trials.map(({ id }, index) => [id, index]))
  const byRank = (seen.length > 0 ? seen : ranked).map(({ id }) => placeOf.get(id)!)
  return [...new Set([...chosen, ...byRank.filter((index) => trials[index].finalist), ...byRank])]
}

interface Parts {
  /** Index of the best trial; null without trials. */
  readonly best: number | null
  readonly assets: Assets
  readonly home: string | undefined
  readonly definitions: Html
  /** Layout of the blocks of per-query data. */
  readonly shape: DetailShape | null
  readonly blocks: Readonly<Record<string, Block>>
}

function page(
  { summary }: Results,
  sections: readonly PageSection[],
  { best, assets, home, definitions, shape, blocks }: Parts,
): string {
  const meta = {
    experiment: summary.experiment,
    primary: summary.primary,
    measures: summary.measures,
    depth: summary.depth,
    chunks: summary.context.chunks,
    counts: summary.measures.filter((measure) => isCount(summary, measure)),
    baseline: baselinePlace(summary),
    best,
    chosen: representatives(summary),
    ...Object.assign({}, ...sections.map(({ meta }) => meta)),
    shape,
    stageNames: Object.fromEntries(
      (shape?.stages ?? []).map((stage) => [stage, stageName(stage, summary.depth)]),
    ),
  }
  const { dataset } = summary
  return shell({
    title: summary.experiment,
    home,
    subtitle: html`${dataset.name}: ${plural(dataset.documents, 'document')}, ${plural(dataset.judged, 'judged query', 'judged queries')}; ${term('trial', plural(summary.trials.length, 'trial'))} of ${plural(new Set(summary.trials.map(({ strategy }) => strategy)).size, 'strategy', 'strategies')} to ${term('depth', `depth ${quantity(summary.depth)}`)}; labels by ${dataset.judgedUnit}.`,
    notice: 'Without JavaScript this page shows its text and tables, but no charts and no queries.',
    sections,
    definitions,
    meta,
    blocks: Object.entries(blocks).map(blockElement),
    assets,
  })
}

/** Script element of a block of data. */
export function blockElement([name, { base64, type }]: [string, Block]): Html {
  return html`<script type="text/plain" id="block-${name}" data-type="${type}">${markup(base64)}</script>\n`
}
