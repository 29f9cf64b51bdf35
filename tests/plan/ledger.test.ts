import { expect, test } from 'vitest'
import { answered } from '../../src/models/answers/question.ts'
import { openLedger } from '../../src/plan/ledger.ts'
import { completion, pair, question } from '../models/answers/fixture.ts'

/** 4 read and 2 written each. */
const one = pair('one', 'a')
const two = pair('two', 'b')

test('answers count once, and dollars stop at the limit', () => {
  const ledger = openLedger({ dollars: 0.3 }, () => 0)
  ledger.check()
  ledger.note(one, 0.2)
  ledger.note(one, 0.2)
  ledger.check()
  ledger.note(two, 0.1)
  expect(() => ledger.check()).toThrow('the budget of $0.3000 is used up ($0.3000)')
})

test('tokens are those read and written; what no server counted is counted here', () => {
  const ledger = openLedger({ tokens: 9 }, () => 0)
  ledger.note(one, null)
  ledger.check()
  ledger.note(answered(question('two words'), completion('yes', { usage: null })), null)
  expect(() => ledger.check()).toThrow('the budget of 9 tokens is used up (9)')
})

test('minutes run from the first call that may begin', () => {
  let now = 1_000_000
  const ledger = openLedger({ minutes: 2 }, () => now)
  now += 10 * 60_000
  ledger.check()
  now += 2 * 60_000 - 1
  ledger.check()
  now += 1
  expect(() => ledger.check()).toThrow('the budget of 2 minutes is used up')
})

test('no budget never ends', () => {
  const ledger = openLedger(null, () => 0)
  ledger.note(one, 1e9)
  ledger.check()
})
