import { briefName } from '../../results/brief-name.ts'
import type { MacroSummary } from '../../results/macro.ts'
import type { ComparedRow } from '../../results/summary.ts'
import { paramsInBrief } from '../board.ts'
import {
  comparedName,
  comparisonNote,
  datasetsInWords,
  differencesTo,
  macroNote,
  missingInWords,
  tuningInWords,
} from '../notes.ts'
import { interval, percent, points, pointsInterval, quantity } from '../numbers.ts'
import { rankOf } from '../outcome.ts'
import { type Standing, standingsOf } from '../standings.ts'
import { clean, sideBySide, type TextColumn, widest, wrap } from '../terminal.ts'
import { VERDICT_MARKS } from '../views/section.ts'

/** Rows that are printed; `--csv` has all. */
const SHOWN = 30
/** The widest that names become where columns need the room, and the narrowest of a data set's column. */
const NAME = 24
const NARROWEST = 7

/** The table over data sets for a terminal of `columns` characters: means, then paired differences. */
export function macroText(macro: MacroSummary, { columns = 80 } = {}): string {
  const { datasets, primary, comparison, experiment } = macro
  const { ranked: rows } = standingsOf(macro)
  const shown = rows.slice(0, SHOWN)
  // Where whole names would be cut, params stand by value alone, and their names below.
  const brief =
    shown.some(({ name }) => name.length > NAME) && shown.some((row) => briefName(row) !== row.name)
  const nameOf = (row: Standing) => (brief ? briefName(row) : row.name)
  const byId = new Map(rows.map((row) => [row.id, nameOf(row)]))
  const digits = String(shown.length).length
  const means = shown.map(({ measures }) => measures[primary]?.mean)
  const what = macro.kind === 'tuned' ? 'strategy' : 'trial'
  const lines = [
    `${experiment}: ${primary} in percent over ${datasets.length} datasets`,
    '',
    ...table(columns, {
      names: [
        what,
        ...shown.map((row, index) => `${String(rankOf(index, means)).padStart(digits)}  ${nameOf(row)}`),
      ],
      datasets: datasets.map(({ name }, index) => [
        name,
        ...shown.map((row) => percent(row.datasets[index]?.[primary]?.mean, 2)),
      ]),
      macro: ['macro mean', ...shown.map((row) => percent(row.measures[primary]?.mean, 2))],
      more: [
        '',
        ...shown.map(({ measures }) =>
          interval(measures[primary]?.low ?? null, measures[primary]?.high ?? null),
        ),
      ],
    }),
  ]
  if (rows.length > SHOWN)
    lines.push(`… and ${quantity(rows.length - SHOWN)} more; \`touchstone leaderboard --csv\` has all`)
  if (comparison) {
    const tested = [...comparison.rows].sort((a, b) => b.difference - a.difference).slice(0, SHOWN)
    lines.push(
      '',
      `Paired differences to ${differencesTo(macro)}, in points`,
      '',
      ...table(columns, {
        names: [what, ...tested.map(comparedName(macro, byId))],
        datasets: datasets.map(({ name }, index) => [name, ...tested.map((row) => differenceOn(row, index))]),
        macro: ['macro mean', ...tested.map(({ difference, verdict }) => marked(difference, verdict))],
        more: ['', ...tested.map(({ low, high }) => pointsInterval(low, high))],
      }),
    )
  }
  const missing = missingInWords(macro)
  const params = brief ? paramsInBrief(shown) : []
  const notes = [
    params.length > 0 ? `Params: ${params.join('; ')}.` : '',
    `Datasets: ${datasetsInWords(macro)}.`,
    macroNote(macro),
    tuningInWords(macro),
    comparisonNote(macro),
    missing.length > 0
      ? `Without a macro mean, because every query failed or a race stopped the trial there: ${missing.join(', ')}.`
      : '',
  ]
  lines.push('', ...notes.flatMap((note) => wrap(note, columns)))
  return `${lines.map(clean).join('\n')}\n`
}

function differenceOn({ datasets }: ComparedRow, index: number): string {
  const { n, difference, verdict } = datasets[index]
  return n === 0 ? '' : marked(difference, verdict)
}

function marked(difference: number, verdict: ComparedRow['verdict'] | null): string {
  return `${points(difference)} ${verdict ? VERDICT_MARKS[verdict] : ' '}`
}

/** Columns of cells, the head first in each. */
interface Columns {
  readonly names: readonly string[]
  readonly datasets: readonly (readonly string[])[]
  readonly macro: readonly string[]
  readonly more: readonly string[]
}

/** Datasets that do not fit beside the macro mean stand in blocks below. */
function table(width: number, { names, datasets, macro, more }: Columns): string[] {
  const last: TextColumn[] = [{ cells: macro }, { cells: more, left: true }]
  const taken = last.reduce((sum, { cells }) => sum + widest(cells) + 2, 0)
  // A dataset's numbers are never cut, only its name.
  const narrowest = datasets.map((cells) => Math.max(NARROWEST, widest(cells.slice(1))))
  const others = narrowest.reduce((sum, own) => sum + own + 2, taken)
  const name = { cells: names, left: true, width: Math.min(widest(names), Math.max(NAME, width - others)) }
  const blocks = [{ held: [] as number[], room: width - name.width - taken }]
  datasets.forEach((_, dataset) => {
    const needed = narrowest[dataset] + 2
    if (blocks[blocks.length - 1].room < needed && dataset > 0)
      blocks.push({ held: [], room: width - name.width })
    const block = blocks[blocks.length - 1]
    block.room -= needed
    block.held.push(dataset)
  })
  return blocks.flatMap(({ held, room }, at) => {
    // What room is left goes to the names of datasets, each as much.
    const spare = Math.max(0, Math.floor(room / Math.max(1, held.length)))
    const own = held.map((dataset) => ({
      cells: datasets[dataset],
      width: Math.max(narrowest[dataset], Math.min(datasets[dataset][0].length, narrowest[dataset] + spare)),
    }))
    return at === 0 ? sideBySide([name, ...own, ...last]) : ['', ...sideBySide([name, ...own])]
  })
}
