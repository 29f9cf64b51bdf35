import { expect, test } from 'vitest'
import { eachJsonLine } from '../../src/store/input.ts'

test('lines are given with their numbers; a wrong one is told with its place', () => {
  const records: [unknown, number][] = []
  eachJsonLine('a.jsonl', '{"a": 1}\r\n\n[2]\n', (value, _, line) => records.push([value, line]))
  expect(records).toEqual([
    [{ a: 1 }, 1],
    [[2], 3],
  ])
  const wrong = () => eachJsonLine('a.jsonl', '{\n1\n', (_, wrong) => wrong('is a number'))
  expect(wrong).toThrow(/^a\.jsonl:1: is not valid JSON.*\na\.jsonl:2: is a number$/)
})
