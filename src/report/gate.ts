import { h } from 'preact'
import type { GateResult, GateRow } from '../results/gate.ts'
import type { OutputKind } from '../store/output.ts'
import { markdownTable } from './markdown.ts'
import { rendered } from './markup.ts'
import { percent, points } from './numbers.ts'
import { type Column, terminalTable } from './table.ts'

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

export function gateTable({ rows }: GateResult): string {
  return terminalTable(rows, COLUMNS)
}

export function gateLines(result: GateResult): string[] {
  return [
    gateWords(result),
    'MDE (80 %): minimum detectable effect, the true drop that this gate finds with 80 % power; none: no drop is detectable.',
    ...result.notes,
  ]
}

function gateWords({ measure, maxDrop, level, rows }: GateResult): string {
  const failed = rows.filter((row) => row.failed).length
  const allowed = (100 * maxDrop).toFixed(1)
  return failed > 0
    ? `${measure}: ${failed} of ${rows.length} rows dropped by more than ${allowed} points (level ${level}).`
    : `${measure}: no row is shown to have dropped by more than ${allowed} points (level ${level}).`
}

export const GATE_MARKDOWN: OutputKind = {
  name: 'a comment that gate wrote',
  isOwn: (beginning) => /^### Retrieval gate: (failed|passed)\n/.test(beginning),
}
export const GATE_JUNIT: OutputKind = {
  name: 'a JUnit file that gate wrote',
  isOwn: (beginning) =>
    /^<\?xml [^>]*>\n<testsuites [^>]*>\n<testsuite name="touchstone gate /.test(beginning),
}

export function gateMarkdown(result: GateResult): string {
  const failed = result.rows.some((row) => row.failed)
  return `### Retrieval gate: ${failed ? 'failed' : 'passed'}\n\n${markdownTable({
    columns: COLUMNS,
    parts: [{ title: '', rows: result.rows }],
    caption: gateLines(result).join(' '),
  })}`
}

/** JUnit's XML, a test case per row. */
export function gateJunit(result: GateResult): string {
  const { measure, rows } = result
  const text = (row: GateRow) =>
    COLUMNS.slice(1, -1)
      .map(({ head, text }) => `${head}: ${text?.(row, 0)}`)
      .join(', ')
  const count = { tests: rows.length, failures: rows.filter(({ failed }) => failed).length }
  const cases = rows.map((row) =>
    h(
      'testcase',
      { classname: measure, name: row.name },
      row.failed ? h('failure', { message: text(row) }) : h('system-out', null, text(row)),
    ),
  )
  const suite = h('testsuite', { name: `touchstone gate ${measure}`, ...count }, cases)
  return `<?xml version="1.0" encoding="UTF-8"?>\n${rendered(h('testsuites', count, '\n', suite))}\n`
}
