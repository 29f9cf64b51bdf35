import { expect, test } from 'vitest'
import {
  GATE_JUNIT,
  GATE_MARKDOWN,
  gateJunit,
  gateLines,
  gateMarkdown,
  gateTable,
} from '../../src/report/gate.ts'

const row = (name: string, drop: number, failed: boolean, catchable: number | null = null) => ({
  name,
  n: 20,
  before: 0.5,
  now: 0.5 - drop,
  drop,
  p: 0.01234,
  catchable,
  failed,
})
const result = (...rows: ReturnType<typeof row>[]) => ({
  measure: 'recall@5',
  maxDrop: 0.01,
  level: 0.05,
  rows,
  notes: ['One note.'],
})
const FAILED = result(row('a < b', 0.1, true, 0.04), row('c\u0001', 0, false), row('d', -0.05, false, 0.2))

test('the verdict says how many rows dropped', () => {
  const MEANING =
    'MDE (80 %): minimum detectable effect, the true drop that this gate finds with 80 % power; none: no drop is detectable.'
  expect(gateLines(FAILED)).toEqual([
    'recall@5: 1 of 3 rows dropped by more than 1.0 points (level 0.05).',
    MEANING,
    'One note.',
  ])
  expect(gateLines(result(row('a', 0, false)))[0]).toBe(
    'recall@5: no row is shown to have dropped by more than 1.0 points (level 0.05).',
  )
})

test('the table has a line a row', () => {
  const cells = gateTable(FAILED)
    .split('\n')
    .map((line) => line.trim().split(/\s{2,}/))
  expect(cells.find(([name]) => name === 'a < b')).toEqual(
    'a < b|20|50.0|40.0|−10.0|0.0123|−4.0|DROPPED'.split('|'),
  )
  expect(cells.find(([name]) => name === 'd')).toEqual('d|20|50.0|55.0|+5.0|0.0123|−20.0|ok'.split('|'))
})

test('the comment for a pull request begins with the verdict', () => {
  const [failed, passed] = [gateMarkdown(FAILED), gateMarkdown(result(row('a', 0, false)))]
  expect(failed.startsWith('### Retrieval gate: failed\n\n')).toBe(true)
  expect(passed.startsWith('### Retrieval gate: passed\n\n')).toBe(true)
  expect(failed).toContain(gateLines(FAILED).join(' '))
  expect([failed, passed, 'x', `x${failed}`].map(GATE_MARKDOWN.isOwn)).toEqual([true, true, false, false])
})

test('the JUnit file has a test case a row', () => {
  const file = gateJunit(FAILED)
  expect(file).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites tests="3" failures="1">
<testsuite name="touchstone gate recall@5" tests="3" failures="1">
<testcase classname="recall@5" name="a &lt; b"><failure message="queries: 20, before: 50.0, now: 40.0, difference: −10.0, p: 0.0123, MDE (80 %): −4.0"/></testcase>
<testcase classname="recall@5" name="c\ufffd"><system-out>queries: 20, before: 50.0, now: 50.0, difference: 0.0, p: 0.0123, MDE (80 %): none</system-out></testcase>
<testcase classname="recall@5" name="d"><system-out>queries: 20, before: 50.0, now: 55.0, difference: +5.0, p: 0.0123, MDE (80 %): −20.0</system-out></testcase>
</testsuite>
</testsuites>
`)
  expect([file, file.slice(1)].map(GATE_JUNIT.isOwn)).toEqual([true, false])
})
