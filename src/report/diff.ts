import type { ChangedKey } from '../results/changed-keys.ts'
import type { PairedMeans, PairedTest } from '../results/compare-paired.ts'
import type { Diff, DiffSide, Flipped } from '../results/diff.ts'
import type { FirstDifference, QueryOfRow } from '../results/flipped.ts'
import { isCount, measured } from './measured.ts'
import { plural, points, pointsInterval, probability, quantity } from './numbers.ts'
import { limitsInWords } from './outcome.ts'
import { stageWords } from './stage-words.ts'
import { type Column, terminalTable } from './table.ts'
import { printableText, sideBySide, widest } from './terminal.ts'

type Scales = Pick<Diff, 'scales'>

/** Output of `touchstone diff`, part by part. */
export function diffText(diff: Diff, columns: number): string {
  const { before, now, config, flipped } = diff
  const what = !config
    ? [`Two rows of ${printableText(now.folder)}: same config, data and version.`]
    : [
        `before: ${printableText(before.folder)}\nnow:    ${printableText(now.folder)}`,
        configText(config),
        dataText(diff),
      ]
  return [
    ...what,
    rowsText(diff),
    othersText(diff),
    notesText(diff),
    flippedText(flipped, diff.measure),
    ...flipped.queries.map((query) => queryText(query, diff, columns)),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}

function configText(config: readonly ChangedKey[]): string {
  if (config.length === 0) return 'config: the same'
  const value = (json: unknown) => (json === undefined ? '(absent)' : short(JSON.stringify(json)))
  const columns: readonly Column<ChangedKey>[] = [
    { head: 'key', left: true, text: ({ key }) => short(key) },
    { head: 'before', left: true, text: ({ before }) => value(before) },
    { head: 'now', left: true, text: ({ now }) => value(now) },
  ]
  return `config: ${plural(config.length, 'key')} changed\n${terminalTable(config, columns, { indent: 2 })}`
}

function dataText({ before, now, sameData }: Diff): string {
  const names = Object.keys(now.counts).filter((name) => before.counts[name] !== now.counts[name])
  const columns: readonly Column<string>[] = [
    { head: '', left: true, text: (name) => name },
    { head: 'before', text: (name) => quantity(before.counts[name]) },
    { head: 'now', text: (name) => quantity(now.counts[name]) },
  ]
  const data = sameData
    ? `data: the same (${now.dataset.slice(0, 12)})`
    : `data: ${before.dataset.slice(0, 12)} before, ${now.dataset.slice(0, 12)} now`
  const versions = (side: DiffSide) => printableText(side.version)
  const version =
    before.version === now.version
      ? `version: the same (${versions(now)})`
      : `version: ${versions(before)} before, ${versions(now)} now`
  const counts = names.length > 0 ? [terminalTable(names, columns, { indent: 2 })] : []
  return [data, ...counts, version].join('\n')
}

function rowsText({ measure, rows, ...scales }: Diff): string {
  const tested = (head: string, text: (test: PairedTest) => string): Column<Diff['rows'][number]> => ({
    head,
    text: ({ test }) => (test ? text(test) : ''),
  })
  const columns: readonly Column<Diff['rows'][number]>[] = [
    { head: 'row', left: true, text: ({ name }) => name },
    ...meansColumns(scales, () => measure),
    tested('95 %', (test) => limitsInWords(test, (low, high) => range(scales, measure, low, high))),
    tested('p', ({ adjusted }) => probability(adjusted)),
    tested(WON, ({ wins, ties, losses }) => `${wins}/${ties}/${losses}`),
    { head: 'verdict', left: true, text: ({ test }) => (test ? verdictWords(test) : 'not tested') },
  ]
  return `${printableText(measure)}\n${terminalTable(rows, columns, { indent: 2 })}`
}

/** Columns of both means and their difference. */
function meansColumns(
  scales: Scales,
  measureOf: (row: PairedMeans) => string,
): readonly Column<PairedMeans>[] {
  return [
    { head: 'queries', text: ({ n }) => `${n}` },
    { head: 'before', text: (row) => measured(scales, measureOf(row), row.before) },
    { head: 'now', text: (row) => measured(scales, measureOf(row), row.now) },
    { head: 'difference', text: (row) => difference(scales, measureOf(row), row.now - row.before) },
  ]
}

/** Head of the counts of queries by the side that is better. */
const WON = 'won now/tied/before'

/** A verdict with the side that is better. */
export function verdictWords({ verdict, wins, losses }: PairedTest): string {
  if (wins + losses === 0) return 'same scores'
  return { better: 'now is better', worse: 'before is better' }[verdict as string] ?? verdict
}

function othersText({ others, ...scales }: Diff): string {
  const changed = others.filter(({ before, now }) => !Object.is(before, now))
  const equal = others.length - changed.length
  if (others.length === 0) return ''
  if (changed.length === 0) return `other measures: all ${plural(equal, 'mean')} equal`
  const columns: readonly Column<PairedMeans>[] = [
    { head: 'row', left: true, text: ({ name }) => name },
    { head: 'measure', left: true, text: ({ measure }) => measure },
    ...meansColumns(scales, ({ measure }) => measure),
  ]
  return `other measures, not tested: ${plural(equal, 'mean')} equal, ${quantity(changed.length)} changed\n${terminalTable(changed, columns, { indent: 2 })}`
}

/** Sentences on what was tested and left out; names are in backticks. */
export function diffNotes({ rows, alone: { before, now }, sameData }: Diff): string[] {
  const tested = rows.filter(({ test }) => test !== null)
  const untested = rows.filter(({ test }) => test === null).map(({ name }) => `\`${name}\``)
  return [
    tested.length > 1 &&
      `p is corrected by max-T over ${tested.length} rows, over the queries that count in all of them.`,
    untested.length > 0 &&
      `Not tested (a router fitted in folds, or no query counts in both): ${untested.join(', ')}.`,
    tested.some(({ name }) => name.includes('tuned:')) &&
      '`tuned:` marks the tuned row of a strategy: each experiment selected its own trials for it.',
    before.queries + now.queries > 0 &&
      `Not compared: ${plural(before.queries, 'query', 'queries')} only in before, ${quantity(now.queries)} only in now.`,
    !sameData && 'The datasets differ, which may explain some of the differences.',
  ].filter((line) => line !== false)
}

function notesText(diff: Diff): string {
  const alone = (['before', 'now'] as const).flatMap((side) => {
    const names = diff.alone[side].rows
    return names.length > 0 ? [`Only ${side}: ${listed(names.map((name) => `\`${name}\``))}.`] : []
  })
  return [...diffNotes(diff).map(printableText), ...alone].join('\n')
}

function flippedText({ name, gained, lost, equal, queries }: Flipped, measure: string): string {
  const shown = queries.length < gained + lost ? `; the ${quantity(queries.length)} largest changes` : ''
  return `queries of ${printableText(name)} in ${printableText(measure)}: ${quantity(gained)} gained, ${quantity(lost)} lost, ${quantity(equal)} equal${shown}`
}

function queryText(
  { id, text, values, before, now, part }: Flipped['queries'][number],
  { measure, ...scales }: Diff,
  columns: number,
): string {
  const change = `${measured(scales, measure, values.before)} -> ${measured(scales, measure, values.now)}`
  return [
    `${printableText(id)}: ${change}  ${short(text)}`,
    `  ${partText(part)}`,
    rankingsText(before, now, columns),
    ...goldText(before, now),
  ].join('\n')
}

function partText(part: FirstDifference): string {
  if (part.kind === 'unknown') return `first difference unknown: ${part.why}`
  if (part.kind === 'ranks') return 'no stage differs: both find the same gold at different ranks'
  const lost = (ids: readonly string[]) => (ids.length === 0 ? 'none' : listed(ids))
  return `first difference at "${printableText(part.stage)}" (${stageWords(part.stage)}): lost only before: ${lost(part.before)}; lost only now: ${lost(part.now)}`
}

/** Lines of gold whose rank changed. */
function goldText(before: QueryOfRow, now: QueryOfRow): string[] {
  const nowRanks = new Map(now.gold.map(({ judged, rank }) => [judged, rank]))
  const rank = (place: number) => (place === 0 ? 'not found' : `rank ${place}`)
  const moved = before.gold.flatMap(({ judged, rank: old }) => {
    const is = nowRanks.get(judged)
    return is === undefined || is === old ? [] : [`${printableText(judged)}: ${rank(old)} -> ${rank(is)}`]
  })
  return moved.length === 0 ? [] : [`  gold: ${listed(moved)}`]
}

/** Ranks shown at the top of a ranking, and on each side of gold. */
const TOP = 3
const AROUND = 1

/** Both rankings side by side: the first ranks and those around gold, by title; `…` marks ranks left out. */
function rankingsText(before: QueryOfRow, now: QueryOfRow, columns: number): string {
  const rankings = [before.ranking ?? [], now.ranking ?? []]
  const length = Math.max(...rankings.map((ranking) => ranking.length))
  const isNear = (rank: number) =>
    rank < TOP ||
    rankings.some((ranking) =>
      ranking.slice(Math.max(0, rank - AROUND), rank + AROUND + 1).some(({ gold }) => gold),
    )
  const ranks = Array.from({ length }, (_, rank) => rank).filter(isNear)
  // A gap of one rank is shown, since its mark would take the same line.
  const lines = ranks.flatMap((rank, index) => {
    const gap = rank - (ranks[index - 1] ?? -1) - 1
    return gap === 0 ? [rank] : gap === 1 ? [rank - 1, rank] : [null, rank]
  })
  if (length - 1 - (ranks.at(-1) ?? -1) > 0) lines.push(null)
  const cells = [before, now].map(({ ranking, trial }) => [
    `${printableText(trial ?? 'no trial')}${ranking ? '' : ' (ranking not stored)'}`,
    ...lines.map((rank) => {
      const at = rank === null ? undefined : ranking?.[rank]
      return at ? `${at.gold ? '*' : ' '} ${printableText(at.title || at.chunk)}` : ''
    }),
  ])
  const maxWidth = Math.max(16, Math.floor((columns - 8) / 2))
  const width = (column: readonly string[]) => Math.min(maxWidth, widest(column))
  return sideBySide([
    { cells: ['', ...lines.map((rank) => (rank === null ? '…' : `${rank + 1}`))], width: 4 },
    ...cells.map((column) => ({ cells: column, left: true, width: width(column) })),
  ]).join('\n')
}

function difference(scales: Scales, measure: string, by: number): string {
  if (!isCount(scales, measure)) return points(by)
  return by > 0 ? `+${quantity(by)}` : quantity(by)
}

function range(scales: Scales, measure: string, low: number, high: number): string {
  if (!isCount(scales, measure)) return pointsInterval(low, high)
  return `[${difference(scales, measure, low)}, ${difference(scales, measure, high)}]`
}

const LONGEST = 100
const MAX = 5

function short(text: string): string {
  const line = printableText(text)
  return line.length <= LONGEST ? line : `${line.slice(0, LONGEST - 1)}…`
}

function listed(items: readonly string[]): string {
  const more = items.length > MAX ? ` and ${items.length - MAX} more` : ''
  return `${items.slice(0, MAX).map(printableText).join(', ')}${more}`
}
