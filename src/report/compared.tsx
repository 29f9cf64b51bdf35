import type { ComponentChildren } from 'preact'
import type {
  ChangedKey,
  ComparedExperiments,
  ComparedSide,
  Flipped,
} from '../results/compare-experiments.ts'
import type { FirstDifference, QueryOfRow } from '../results/flipped.ts'
import type { PairedMeans, PairedTest } from '../results/paired.ts'
import { htmlTable } from './components/html-table.tsx'
import { isCount, measured } from './measured.ts'
import { corrected, plural, points, pointsInterval, probability, quantity } from './numbers.ts'
import { limitsInWords } from './outcome.ts'
import { stageWords } from './stage-words.ts'
import { type Column, terminalTable } from './table.ts'
import { printableText, sideBySide, widest } from './terminal.ts'

type Scales = Pick<ComparedExperiments, 'scales'>

/** Sentence with a table, for terminal and page alike. */
interface ComparedPart {
  readonly text: string
  readonly html: (id: string) => ComponentChildren
}

function partOf<R>(sentence: string, columns: readonly Column<R>[], rows: readonly R[]): ComparedPart {
  const hasTable = rows.length > 0
  return {
    text: hasTable ? `${sentence}\n${terminalTable(rows, columns, { indent: 2 })}` : sentence,
    html: (id) => (hasTable ? htmlTable({ id, caption: sentence, columns, rows }) : <p>{sentence}</p>),
  }
}

export function comparedText(compared: ComparedExperiments, columns: number): string {
  const { before, now, config, flipped } = compared
  const sides = config
    ? `before: ${printableText(before.folder)}\nnow:    ${printableText(now.folder)}`
    : `Two rows of ${printableText(now.folder)}: same config, data and version.`
  return [
    sides,
    ...comparedParts(compared).map(({ text }) => text),
    othersText(compared),
    comparedNotes(compared).join('\n'),
    flippedText(compared),
    ...flipped.queries.map((query) => flippedLines(query, compared, columns).join('\n')),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}

export function comparedParts(compared: ComparedExperiments): ComparedPart[] {
  const { config } = compared
  return [...(config ? [configPart(config), dataPart(compared)] : []), rowsPart(compared)]
}

function configPart(config: readonly ChangedKey[]): ComparedPart {
  const value = (json: unknown) => (json === undefined ? '(absent)' : short(JSON.stringify(json)))
  const columns: readonly Column<ChangedKey>[] = [
    { head: 'key', left: true, text: ({ key }) => short(key) },
    { head: 'before', left: true, text: ({ before }) => value(before) },
    { head: 'now', left: true, text: ({ now }) => value(now) },
  ]
  const sentence = config.length === 0 ? 'the same' : `${plural(config.length, 'key')} changed`
  return partOf(`config: ${sentence}`, columns, config)
}

function dataPart({ before, now, sameData }: ComparedExperiments): ComparedPart {
  const names = Object.keys(now.counts).filter((name) => before.counts[name] !== now.counts[name])
  const columns: readonly Column<string>[] = [
    { head: 'count', left: true, text: (name) => name },
    { head: 'before', text: (name) => quantity(before.counts[name]) },
    { head: 'now', text: (name) => quantity(now.counts[name]) },
  ]
  const either = (isSame: boolean, of: (side: ComparedSide) => string) =>
    isSame ? `the same (${of(now)})` : `${of(before)} before, ${of(now)} now`
  const data = either(sameData, ({ dataset }) => dataset.slice(0, 12))
  const version = either(before.version === now.version, (side) => printableText(side.version))
  return partOf(`data: ${data}; version: ${version}`, columns, names)
}

function rowsPart({ measure, level, rows, ...scales }: ComparedExperiments): ComparedPart {
  type Row = ComparedExperiments['rows'][number]
  const tested = (head: string, text: (test: PairedTest) => string): Column<Row> => ({
    head,
    text: ({ test }) => (test ? text(test) : ''),
  })
  const verdict = ({ test }: Row) => (test ? verdictWords(test) : 'not tested')
  const columns: readonly Column<Row>[] = [
    { head: 'row', left: true, text: ({ name }) => name },
    ...meansColumns(scales),
    tested(`${100 * (1 - level)} %`, (test) =>
      limitsInWords(test, (low, high) => range(scales, measure, low, high)),
    ),
    tested('p', ({ adjusted }) => probability(adjusted)),
    tested('won now/tied/before', ({ wins, ties, losses }) => `${wins}/${ties}/${losses}`),
    {
      head: 'verdict',
      left: true,
      text: verdict,
      html: (row) => <span class={row.test?.verdict.replace(' ', '-')}>{verdict(row)}</span>,
    },
  ]
  return partOf(printableText(measure), columns, rows)
}

function meansColumns(scales: Scales): readonly Column<PairedMeans>[] {
  return [
    { head: 'queries', text: ({ n }) => `${n}` },
    { head: 'before', text: ({ measure, before }) => measured(scales, measure, before) },
    { head: 'now', text: ({ measure, now }) => measured(scales, measure, now) },
    { head: 'difference', text: ({ measure, before, now }) => difference(scales, measure, now - before) },
  ]
}

function verdictWords({ verdict, wins, losses }: PairedTest): string {
  if (wins + losses === 0) return 'same scores'
  return { better: 'now is better', worse: 'before is better' }[verdict as string] ?? verdict
}

function othersText({ others, ...scales }: ComparedExperiments): string {
  if (others.length === 0) return ''
  const changed = others.filter(({ before, now }) => !Object.is(before, now))
  const equal = plural(others.length - changed.length, 'mean')
  const columns: readonly Column<PairedMeans>[] = [
    { head: 'row', left: true, text: ({ name }) => name },
    { head: 'measure', left: true, text: ({ measure }) => measure },
    ...meansColumns(scales),
  ]
  const sentence =
    changed.length === 0
      ? `other measures: all ${equal} equal`
      : `other measures, not tested: ${equal} equal, ${quantity(changed.length)} changed`
  return partOf(sentence, columns, changed).text
}

/** Notes on tested and omitted rows; names are in backticks. */
export function comparedNotes({ rows, alone, sameData, correction }: ComparedExperiments): string[] {
  const { before, now } = alone
  const tested = rows.filter(({ test }) => test !== null)
  const untested = rows.filter(({ test }) => test === null).map(({ name }) => `\`${name}\``)
  const only = (side: 'before' | 'now') =>
    alone[side].rows.length > 0 &&
    `Only ${side}: ${alone[side].rows.map((name) => `\`${name}\``).join(', ')}.`
  return [
    tested.length > 1 &&
      `p is ${corrected(
        correction,
        tested.map(({ test }) => test ?? {}),
      )} over ${tested.length} rows, over the queries that count in all of them.`,
    untested.length > 0 &&
      `Not tested (a router fitted in folds, or no query counts in both): ${untested.join(', ')}.`,
    tested.some(({ name }) => name.includes('tuned:')) &&
      '`tuned:` marks the tuned row of a strategy: each experiment selected its own trials for it.',
    before.queries + now.queries > 0 &&
      `Not compared: ${plural(before.queries, 'query', 'queries')} only in before, ${quantity(now.queries)} only in now.`,
    !sameData && 'The datasets differ, which may explain some of the differences.',
    only('before'),
    only('now'),
  ]
    .filter((line) => line !== false)
    .map(printableText)
}

export function flippedText({ flipped, measure }: ComparedExperiments): string {
  const { name, gained, lost, equal, queries } = flipped
  const shown = queries.length < gained + lost ? `; the ${quantity(queries.length)} largest changes` : ''
  return `queries of ${printableText(name)} in ${printableText(measure)}: ${quantity(gained)} gained, ${quantity(lost)} lost, ${quantity(equal)} equal${shown}`
}

/** A flipped query: its change, first difference and both rankings. */
export function flippedLines(
  { id, text, values, before, now, part }: Flipped['queries'][number],
  { measure, ...scales }: ComparedExperiments,
  columns: number,
): string[] {
  const change = `${measured(scales, measure, values.before)} -> ${measured(scales, measure, values.now)}`
  return [
    `${printableText(id)}: ${change}  ${short(text)}`,
    `  ${partText(part)}`,
    rankingsText(before, now, columns),
    ...goldText(before, now),
  ]
}

function partText(part: FirstDifference): string {
  if (part.kind === 'unknown') return `first difference unknown: ${part.why}`
  if (part.kind === 'ranks') return 'no stage differs: both find the same gold at different ranks'
  const lost = (ids: readonly string[]) => (ids.length === 0 ? 'none' : listed(ids))
  return `first difference at "${printableText(part.stage)}" (${stageWords(part.stage)}): lost only before: ${lost(part.before)}; lost only now: ${lost(part.now)}`
}

function goldText(before: QueryOfRow, now: QueryOfRow): string[] {
  const nowRanks = new Map(now.gold.map(({ judged, rank }) => [judged, rank]))
  const rank = (place: number) => (place === 0 ? 'not found' : `rank ${place}`)
  const moved = before.gold.flatMap(({ judged, rank: old }) => {
    const is = nowRanks.get(judged)
    return is === undefined || is === old ? [] : [`${printableText(judged)}: ${rank(old)} -> ${rank(is)}`]
  })
  return moved.length === 0 ? [] : [`  gold: ${listed(moved)}`]
}

/** Ranks shown at the top, and on each side of gold. */
const TOP = 3
const AROUND = 1

/** Rankings side by side: the first ranks and those around gold; `…` marks gaps. */
function rankingsText(before: QueryOfRow, now: QueryOfRow, columns: number): string {
  const rankings = [before.ranking ?? [], now.ranking ?? []]
  const length = Math.max(...rankings.map((ranking) => ranking.length))
  const isNear = (rank: number) =>
    rank < TOP ||
    rankings.some((ranking) =>
      ranking.slice(Math.max(0, rank - AROUND), rank + AROUND + 1).some(({ gold }) => gold),
    )
  const ranks = Array.from({ length }, (_, rank) => rank).filter(isNear)
  // A gap of one rank is shown: its mark would take the same line.
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
