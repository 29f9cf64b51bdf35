import { relative, sep } from 'node:path'
import type { ComponentChildren } from 'preact'
import { parseDocument, visit } from 'yaml'
import type { Results } from '../results/read.ts'
import type { Summary } from '../results/summary.ts'
import { type Board, boardJson } from './board.ts'
import type { Shape } from './browser/types.d.ts'
import { type Block, jsonBlock } from './detail/encode.ts'
import { packDetail } from './detail/pack.ts'
import { term } from './glossary.tsx'
import { boardOf } from './make-board.ts'
import { plural, quantity } from './numbers.ts'
import { baselinePlace, representatives, strategiesOf } from './representatives.ts'
import { answersSection } from './sections/answers.tsx'
import { categoriesSection } from './sections/categories.tsx'
import { comparisonSection } from './sections/comparison.tsx'
import { graphSection } from './sections/graph.tsx'
import { gridSection } from './sections/grid.tsx'
import { healthSection } from './sections/health.tsx'
import { leaderboardSection } from './sections/leaderboard.tsx'
import { adviceSection, lostSection } from './sections/lost.tsx'
import { provenanceSection } from './sections/provenance.tsx'
import { differencesSection, queriesSection } from './sections/queries.tsx'
import { routerSection } from './sections/router.tsx'
import type { PageData, PageSection } from './sections/section.tsx'
import { costSection, readingSection } from './sections/trade-offs.tsx'
import { limitsSection, verdictSection } from './sections/verdict.tsx'
import { shell } from './shell.tsx'
import { stageName } from './stage-words.ts'
import { strategyDefinitions } from './strategy-terms.tsx'
import { say } from './words.tsx'

const MAX_PAGE_BYTES = 5_000_000

/** Sections in the page's order. A new one is a file, a line here, and a place in the shell's views. */
const SECTIONS: readonly ((page: PageData) => PageSection | null)[] = [
  verdictSection,
  limitsSection,
  leaderboardSection,
  costSection,
  readingSection,
  gridSection,
  queriesSection,
  differencesSection,
  categoriesSection,
  lostSection,
  adviceSection,
  answersSection,
  comparisonSection,
  healthSection,
  routerSection,
  graphSection,
  provenanceSection,
]

/**
 * Renders an experiment as one HTML file that opens offline and makes no request. Equal results give equal bytes.
 * `home` is the address of the list of experiments in `touchstone view`.
 */
export async function renderReport(original: Results, home?: string): Promise<string> {
  const results = portable(original)
  const { summary, latency } = results
  const board = boardOf(summary, latency)
  const chosen = representatives(summary)
  const order = byImportance(summary, board, chosen)
  const definitions = await strategyDefinitions(board, summary)
  const { experiment, primary, depth } = summary
  const render = (cuts: readonly string[], shape: Shape | null, blocks: Readonly<Record<string, Block>>) => {
    const data = { ...results, board, chosen, cuts }
    const stages = shape?.stages ?? []
    return shell({
      title: experiment,
      home,
      subtitle: subtitle(summary),
      notice: 'Without JavaScript this page shows its text and tables, but no charts and no queries.',
      sections: SECTIONS.flatMap((section) => section(data) ?? []),
      definitions,
      meta: {
        experiment,
        primary,
        baseline: baselinePlace(summary),
        best: chosen[0] ?? null,
        chosen,
        shape,
        stageNames: Object.fromEntries(stages.map((stage) => [stage, stageName(stage, depth)])),
      },
      blocks: { board: jsonBlock(boardJson(board)), ...blocks },
    })
  }
  // The space for per-query data is known once the rest is rendered.
  const size = Buffer.byteLength(render([], null, {}))
  const { shape, cuts, blocks } = packDetail(results, order, MAX_PAGE_BYTES - size - 20_000)
  return render(cuts, shape, blocks)
}

/** Representatives of strategies, then other finalists, then by rank. */
function byImportance({ trials }: Summary, { ranked, seen }: Board, chosen: readonly number[]): number[] {
  const placeOf = new Map(trials.map(({ id }, index) => [id, index]))
  const byRank = (seen.length > 0 ? seen : ranked).map(({ id }) => placeOf.get(id)!)
  return [...new Set([...chosen, ...byRank.filter((index) => trials[index].finalist), ...byRank])]
}

function subtitle({ trials, datasets: [dataset], depth }: Summary): ComponentChildren {
  const strategies = plural(strategiesOf(trials).length, 'strategy', 'strategies')
  return say`${dataset.name}: ${plural(dataset.documents, 'document')}, ${plural(dataset.judged, 'judged query', 'judged queries')}; ${term('trial', plural(trials.length, 'trial'))} of ${strategies} to ${term('depth', `depth ${quantity(depth)}`)}; labels by ${dataset.judgedUnit}.`
}

/**
 * Makes absolute paths in config and messages relative to the experiment's folder. A path begins with the same top
 * folder, such as /home; the /home/ within an address stays.
 */
export function portable(results: Results): Results {
  const { path, summary, answers } = results
  const near = (file: string) => relative(path, file) || '.'
  const top = path.split(sep).slice(0, 2).join(sep) + sep
  const config = parseDocument(results.config)
  visit(config, {
    Scalar: (_, node) => {
      if (typeof node.value === 'string' && node.value.startsWith(top)) node.value = near(node.value)
    },
  })
  // No name precedes a path. In JSON, the n of an escaped line break is no name.
  const begin = new RegExp(
    `(?<=^|file://|\\\\[bfnrt]|[^\\p{L}\\p{N}_.~%/\\]}-])${top.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}`,
    'u',
  )
  const cut = (text: string) =>
    text
      .split(begin)
      .map((part, place) => {
        const [rest] = (place > 0 && /^[^\s"'`:,;()<>\\]*/.exec(part)) || ['']
        return place > 0 ? near(top + rest) + part.slice(rest.length) : part
      })
      .join('')
  return {
    ...results,
    config: cut(config.errors.length > 0 ? results.config : String(config)),
    summary: JSON.parse(cut(JSON.stringify(summary))),
    answers: answers && { ...answers, failure: answers.failure.map(cut) },
  }
}
