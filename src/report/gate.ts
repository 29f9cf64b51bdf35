import type { OutputKind } from '../store/output.ts'
import { html } from './html.ts'
import { percent, points } from './numbers.ts'
import { type Column, markdownTable, terminalTable } from './table.ts'

/** Result of `touchstone gate`. Means, drops and bounds lie between -1 and 1; a drop is above 0 where the row got worse. */
export interface GateResult {
  readonly measure: string
  readonly maxDrop: number
  readonly level: number
  readonly rows: readonly GateRow[]
  /** Notes on the comparison, one sentence each. */
  readonly notes: readonly string[]
}

interface GateRow {
  readonly name: string
  /** Queries that count for both. */
  readonly n: number
  readonly before: number
  readonly now: number
  readonly drop: number
  /** P-value of "the true drop is at most `maxDrop`", adjusted over the rows. */
  readonly p: number
  /** Minimum detectable drop at 80 % power; null if no drop up to 1 is detectable. */
  readonly catchable: number | null
  readonly failed: boolean
}

const COLUMNS: readonly Column<GateRow>[] = [
  { head: 'row', left: true, text: ({ name }) => name },
  { head: 'queries', text: ({ n }) => `${n}` },
  { head: 'before', text: ({ before }) => percent(before) },
  { head: 'now', text: ({ now }) => percent(now) },
  { head: 'difference', text: ({ drop }) => points(drop === 0 ? 0 : -drop) },
  { head: 'p', text: ({ p }) => p.toFixed(4) },
  { head: 'MDE (80 %)', text: ({ catchable }) => (catchable === null ? 'none' : points(-catchable)) },
  { head: '', left: true, text: ({ failed }) => (failed ? 'DROPPED' : 'ok') },
]

/** The table of `gate` for the terminal. */
export function gateTable({ rows }: GateResult): string {
  return terminalTable(rows, COLUMNS)
}

/** The verdict, the meaning of the columns and notes on the comparison. */
export function gateLines(result: GateResult): string[] {
  return [
    gateWords(result),
    'MDE (80 %): minimum detectable effect, the true drop that this gate finds with 80 % power; none: no drop is detectable.',
    ...result.notes,
  ]
}

/** 'recall@5: 1 of 3 rows dropped by more than 1.0 points' and how sure that is. */
function gateWords({ measure, maxDrop, level, rows }: GateResult): string {
  const failed = rows.filter((row) => row.failed).length
  const allowed = (100 * maxDrop).toFixed(1)
  return failed > 0
    ? `${measure}: ${failed} of ${rows.length} rows dropped by more than ${allowed} points (level ${level}).`
    : `${measure}: no row is shown to have dropped by more than ${allowed} points (level ${level}).`
}

/** Output kinds of `gate`, recognised by their first words. */
export const GATE_MARKDOWN: OutputKind = {
  name: 'a comment that gate wrote',
  isOwn: (beginning) => /^### Retrieval gate: (failed|passed)\n/.test(beginning),
}
export const GATE_JUNIT: OutputKind = {
  name: 'a JUnit file that gate wrote',
  isOwn: (beginning) =>
    /^<\?xml [^>]*>\n<testsuites [^>]*>\n<testsuite name="touchstone gate /.test(beginning),
}

/** A comment for a pull request. */
export function gateMarkdown(result: GateResult): string {
  const failed = result.rows.some((row) => row.failed)
  return `### Retrieval gate: ${failed ? 'failed' : 'passed'}\n\n${markdownTable({
    columns: COLUMNS,
    parts: [{ title: '', rows: result.rows }],
    caption: gateLines(result).join(' '),
  })}`
}

/** JUnit's XML, a test case a row. */
export function gateJunit(result: GateResult): string {
  const { measure, rows } = result
  // Escaped or not, XML holds no control characters.
  const plain = (text: string) =>
    text.replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
  const text = (row: GateRow) =>
    plain(
      COLUMNS.slice(1, -1)
        .map(({ head, text }) => `${head}: ${text?.(row, 0)}`)
        .join(', '),
    )
  const failures = rows.filter(({ failed }) => failed).length
  const cases = rows.map((row) => {
    const found = row.failed
      ? html`<failure message="${text(row)}"/>`
      : html`<system-out>${text(row)}</system-out>`
    return html`<testcase classname="${plain(measure)}" name="${plain(row.name)}">${found}</testcase>\n`
  })
  const suites = html`<testsuites tests="${rows.length}" failures="${failures}">
<testsuite name="touchstone gate ${plain(measure)}" tests="${rows.length}" failures="${failures}">
${cases}</testsuite>
</testsuites>
`
  return `<?xml version="1.0" encoding="UTF-8"?>\n${suites.markup}`
}
