import type { Results } from '../results/read.ts'
import { type Assets, readAssets } from './assets.ts'
import { compileChart } from './charts/chart.ts'
import { type Block, jsonBlock, sizeOf } from './detail/encode.ts'
import { packDetail } from './detail/pack.ts'
import { packTrials } from './detail/trials.ts'
import { type Html, html, markup } from './html.ts'
import { leaderboardLatex } from './leaderboard-formats.ts'
import { isCount } from './measured.ts'
import { plural, quantity } from './numbers.ts'
import { shell } from './shell.ts'
import { baselinePlace, representatives, standingsOf } from './standings.ts'
import { categoriesView } from './views/categories.ts'
import { comparisonView } from './views/comparison.ts'
import { costView } from './views/cost.ts'
import { differencesView } from './views/differences.ts'
import { gridView } from './views/grid.ts'
import { healthView } from './views/health.ts'
import { indexesView } from './views/indexes.ts'
import { leaderboardView } from './views/leaderboard.ts'
import { lostView } from './views/lost.ts'
import { provenanceView } from './views/provenance.ts'
import { queriesView } from './views/queries.ts'
import { robustnessView } from './views/robustness.ts'
import { routerView } from './views/router.ts'
import type { Section } from './views/section.ts'
import { verdictView } from './views/verdict.ts'

/** Bytes that a report may have. */
export const MOST_BYTES = 5_000_000

/**
 * Renders an experiment as one HTML file that opens offline and asks for nothing: text and tables are markup, pictures
 * are drawn and queries are looked up by an inlined script from data inside the file. Equal results give equal bytes.
 */
export function renderReport(results: Results): string {
  const { summary, latency } = results
  const assets = readAssets()
  const standings = standingsOf(summary, latency)
  const chosen = representatives(summary)
  const order = byImportance(results, chosen)
  const choosable = (places: readonly number[]) =>
    places.map((place) => ({ place, name: summary.trials[place].name }))
  const grid = gridView(summary)
  const robustness = robustnessView(results)
  const small: Record<string, Block> = {
    trials: packTrials(summary, standings),
    latex: jsonBlock(leaderboardLatex(summary, latency)),
  }

  const sectionsFor = (trials: readonly number[], cuts: readonly string[]) =>
    [
      verdictView(summary, standings),
      leaderboardView(summary, standings),
      costView(summary, latency, results.curves, chosen),
      grid?.section,
      comparisonView(summary, standings),
      differencesView(summary, choosable(trials)),
      categoriesView(summary, chosen),
      robustness,
      healthView(summary),
      queriesView(summary, choosable(trials), cuts),
      lostView(summary, chosen),
      routerView(summary),
      indexesView(summary),
      provenanceView(results),
    ].filter((section) => section !== null && section !== undefined)

  const draft = page(results, sectionsFor(order, []), { small, grid, chosen, order, detail: null, assets })
  const detail = packDetail(results, order, MOST_BYTES - Buffer.byteLength(draft) - sizeOf(small) - 20_000)
  return page(results, sectionsFor(detail.shape.trials, detail.cuts), {
    small,
    grid,
    chosen,
    order,
    detail,
    assets,
  })
}

interface Parts {
  readonly small: Readonly<Record<string, Block>>
  readonly grid: ReturnType<typeof gridView>
  readonly chosen: readonly number[]
  readonly order: readonly number[]
  readonly detail: ReturnType<typeof packDetail> | null
  readonly assets: Assets
}

/** The trials that readers ask about first: those that stand for a strategy, then the other finalists, then by rank. */
function byImportance({ summary, latency }: Results, chosen: readonly number[]): number[] {
  const { ranked, seen } = standingsOf(summary, latency)
  const placeOf = new Map(summary.trials.map(({ id }, place) => [id, place]))
  const byRank = (seen.length > 0 ? seen : ranked).map(({ id }) => placeOf.get(id)!)
  return [...new Set([...chosen, ...byRank.filter((place) => summary.trials[place].finalist), ...byRank])]
}

function page(
  { summary }: Results,
  sections: readonly Section[],
  { small, grid, chosen, detail, assets }: Parts,
): string {
  const meta = {
    experiment: summary.experiment,
    primary: summary.primary,
    measures: summary.measures,
    depth: summary.depth,
    chunks: summary.context.chunks,
    counts: summary.measures.filter((measure) => isCount(summary, measure)),
    baseline: baselinePlace(summary),
    best: chosen[0] ?? null,
    grid: grid?.controls ?? [],
    shape: detail?.shape ?? null,
    charts: Object.fromEntries(
      sections.flatMap(({ charts }) => charts.map((chart) => [chart.id, compileChart(chart)])),
    ),
  }
  const { dataset } = summary
  return shell({
    title: summary.experiment,
    subtitle: html`${dataset.name}: ${plural(dataset.documents, 'document')}, ${plural(dataset.judged, 'judged query', 'judged queries')}; ${plural(summary.trials.length, 'trial')} of ${plural(new Set(summary.trials.map(({ strategy }) => strategy)).size, 'strategy', 'strategies')} to depth ${quantity(summary.depth)}; judged by ${dataset.judgedUnit}.`,
    notice: 'Without JavaScript this page shows its text and tables, but no charts and no queries.',
    sections,
    meta,
    blocks: Object.entries({ ...small, ...detail?.blocks }).map(blockElement),
    assets,
  })
}

function blockElement([name, { base64, type }]: [string, Block]): Html {
  return html`<script type="text/plain" id="block-${name}" data-type="${type}">${markup(base64)}</script>\n`
}
