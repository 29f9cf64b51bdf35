import { expect, test } from 'vitest'
import { eachJsonLine } from '../../src/store/json-lines.ts'

test('lines are given with their numbers; a wrong one is told with its place', () => {
  const given: [unknown, number][] = []
  eachJsonLine('a.jsonl', '{"a": 1}\r\n\n[2]\n', (value, _, line) => given.push([value, line]))
  expect(given).toEqual([
    [{ a: 1 }, 1],
    [[2], 3],
  ])
  const wrong = () => eachJsonLine('a.jsonl', '{\n1\n', (_, wrong) => wrong('is a number'))
  expect(wrong).toThrow(/^a\.jsonl:1: is not valid JSON.*\na\.jsonl:2: is a number$/)
})

test('many errors of one kind are five and a count, and hide no other kind', () => {
  const text = `${'1\n'.repeat(9)}"one"\n`
  const wrong = () => eachJsonLine('a.jsonl', text, (value, wrong) => wrong(`is a ${typeof value}`))
  expect(wrong).toThrow(
    /^(a\.jsonl:\d: is a number\n){5}a\.jsonl: 4 more .*number\na\.jsonl:10: is a string$/,
  )
})
