import type { MacroSummary } from '../../results/macro.ts'
import { readTableAssets } from '../assets.ts'
import { html } from '../html.ts'
import { plural, quantity } from '../numbers.ts'
import { shell } from '../shell.ts'
import { standingsOf } from '../standings.ts'
import { differencesView } from './differences.ts'
import { datasetsView, meansView, measuresView } from './tables.ts'
import { verdictView } from './verdict.ts'

/**
 * One HTML file over all data sets, which opens offline. `links` lead to the data sets' own reports, relative to this
 * file and in their order; null where there is none. Equal results and links give equal bytes.
 */
export function renderMacro(macro: MacroSummary, links: readonly (string | null)[]): string {
  const { experiment, datasets, primary, measures, depth } = macro
  const { ranked: rows } = standingsOf(macro)
  const queries = datasets.reduce((sum, { judged }) => sum + judged, 0)
  const sections = [
    verdictView(macro, rows),
    meansView(macro, rows, links),
    differencesView(macro),
    measuresView(macro, rows),
    datasetsView(macro, links),
  ].filter((section) => section !== null)
  return shell({
    title: experiment,
    subtitle: html`${plural(datasets.length, 'dataset')}, ${plural(queries, 'judged query', 'judged queries')}; ${plural(rows.length, macro.kind === 'tuned' ? 'tuned strategy' : 'trial', macro.kind === 'tuned' ? 'tuned strategies' : 'trials')} by ${primary}, to depth ${quantity(depth)}.`,
    notice: 'Without JavaScript the tables cannot be sorted or saved.',
    sections,
    meta: { experiment, primary, measures },
    blocks: [],
    assets: readTableAssets(),
  })
}
