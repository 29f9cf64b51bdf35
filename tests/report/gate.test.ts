import { expect, test } from 'vitest'
import { GATE_JUNIT, gateJunit } from '../../src/report/gate.ts'

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

test('the JUnit file has a test case a row', () => {
  const file = gateJunit(FAILED)
  expect(file).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites tests="3" failures="1">
<testsuite name="touchstone gate recall@5" tests="3" failures="1"><testcase classname="recall@5" name="a &lt; b"><failure message="queries: 20, before: 50.0, now: 40.0, difference: −10.0, p: 0.0123, MDE (80 %): −4.0"></failure></testcase><testcase classname="recall@5" name="c\ufffd"><system-out>queries: 20, before: 50.0, now: 50.0, difference: 0.0, p: 0.0123, MDE (80 %): none</system-out></testcase><testcase classname="recall@5" name="d"><system-out>queries: 20, before: 50.0, now: 55.0, difference: +5.0, p: 0.0123, MDE (80 %): −20.0</system-out></testcase></testsuite></testsuites>
`)
  expect([file, file.slice(1)].map(GATE_JUNIT.isOwn)).toEqual([true, false])
})
