import type { Results } from '../results/read.ts'
import { type Assets, hashSource, readAssets } from './assets.ts'
import { compileChart } from './charts/chart.ts'
import { type Block, jsonBlock, sizeOf } from './detail/encode.ts'
import { packDetail } from './detail/pack.ts'
import { packTrials } from './detail/trials.ts'
import { embedJson, type Html, html, markup } from './html.ts'
import { leaderboardLatex } from './leaderboard-formats.ts'
import { plural, quantity } from './numbers.ts'
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
      healthView(summary),
      queriesView(summary, choosable(trials), cuts),
      lostView(summary, chosen),
      routerView(summary),
      indexesView(summary, chosen),
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
    baseline: baselinePlace(summary),
    best: chosen[0] ?? null,
    grid: grid?.controls ?? [],
    shape: detail?.shape ?? null,
    charts: Object.fromEntries(
      sections.flatMap(({ charts }) => charts.map((chart) => [chart.id, compileChart(chart)])),
    ),
  }
  const { dataset } = summary
  const policy = `default-src 'none'; script-src ${assets.scripts.map(hashSource).join(' ')}; style-src ${hashSource(assets.style)}; img-src data:; base-uri 'none'; form-action 'none'`
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${summary.experiment} · Touchstone report</title>
<link rel="icon" href="data:,">
<style>${markup(assets.style)}</style>
</head>
<body>
<a class="skip" href="#main">To the content</a>
<header><p class="kind">Touchstone report</p><h1>${summary.experiment}</h1>
<p class="subtitle">${dataset.name}: ${plural(dataset.documents, 'document')}, ${plural(dataset.judged, 'judged query', 'judged queries')}; ${plural(summary.trials.length, 'trial')} of ${plural(new Set(summary.trials.map(({ strategy }) => strategy)).size, 'strategy', 'strategies')} to depth ${quantity(summary.depth)}; judged by ${dataset.judgedUnit}.</p></header>
<nav aria-label="Contents"><ol>${sections.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}</ol></nav>
<main id="main">
<noscript><p class="warning">Without JavaScript the text and the tables are here, the pictures and the queries are not.</p></noscript>
${sections.map(({ id, title, body }) => html`<section id="${id}" aria-labelledby="${id}-title">\n<h2 id="${id}-title">${title}</h2>\n${body}\n</section>\n`)}
</main>
<script type="application/json" id="meta">${embedJson(meta)}</script>
${Object.entries({ ...small, ...detail?.blocks }).map(blockElement)}
${assets.scripts.map((script) => html`<script>${markup(script)}</script>\n`)}
</body>
</html>
`.markup
}

function blockElement([name, { base64, type }]: [string, Block]): Html {
  return html`<script type="text/plain" id="block-${name}" data-type="${type}">${markup(base64)}</script>\n`
}
