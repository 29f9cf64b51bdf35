import { expect, test } from 'vitest'
import { dollarText, trackSpending } from '../../../src/experiment/plan/spending.ts'
import { storedCompletion } from '../../../src/models/completions/request.ts'
import { completion, pair, question } from '../../models/completions/fixture.ts'

/** 4 read and 2 written each. */
const one = pair('one', 'a')
const two = pair('two', 'b')

test('answers count once, and dollars stop at the limit', () => {
  const spending = trackSpending({ dollars: 0.3 }, () => 0)
  spending.check()
  spending.note(one, 0.2)
  spending.note(one, 0.2)
  spending.check()
  spending.note(two, 0.1)
  expect(() => spending.check()).toThrow('the budget of $0.3000 is used up ($0.3000)')
})

test('tokens are those read and written; what no server counted is counted here', () => {
  const spending = trackSpending({ tokens: 9 }, () => 0)
  spending.note(one, null)
  spending.check()
  spending.note(storedCompletion(question('two words'), completion('yes', { usage: null })), null)
  expect(() => spending.check()).toThrow('the budget of 9 tokens is used up (9)')
})

test('minutes run from the first call that may begin', () => {
  let now = 1_000_000
  const spending = trackSpending({ minutes: 2 }, () => now)
  now += 10 * 60_000
  spending.check()
  now += 2 * 60_000 - 1
  spending.check()
  now += 1
  expect(() => spending.check()).toThrow('the budget of 2 minutes is used up')
})

test('no budget never ends', () => {
  const spending = trackSpending(null, () => 0)
  spending.note(one, 1e9)
  spending.check()
})

test('requests may fail up to a limit: 20 in a row, and a share of many', () => {
  const failing = (tolerated?: number) =>
    trackSpending(tolerated === undefined ? null : { failedRequests: tolerated }, () => 0)
  const noted = (spending: ReturnType<typeof trackSpending>, outcomes: readonly boolean[]) => {
    for (const [at, fails] of outcomes.entries())
      try {
        spending.noteRequest(fails ? 'HOST: 400 too long' : undefined)
      } catch (error) {
        return [at + 1, (error as Error).message]
      }
    return null
  }
  const all = new Array(100).fill(true)
  expect(noted(failing(), all)).toEqual([20, expect.stringContaining('20 requests in a row')])
  expect(noted(failing(), all)?.[1]).toContain('the last: HOST: 400 too long')
  expect(noted(failing(), all.slice(0, 19))).toBeNull()
  const half = all.map((_, at) => at % 2 === 0)
  expect(noted(failing(), half)).toEqual([41, expect.stringContaining('21 of 41 requests')])
  const few = new Array(1000).fill(false).map((_, at) => at % 25 === 0)
  expect(noted(failing(), few)).toBeNull()
  expect(noted(failing(0), [false, true])).toEqual([2, expect.stringContaining('1 of 2 requests')])
  expect(noted(failing(1), all)).toBeNull()
})

test('what was spent is told: dollars, tokens, requests and the last failure', () => {
  const spending = trackSpending(null, () => 0)
  expect(spending.spent()).toEqual({ dollars: 0, unpriced: false, tokens: 0, requests: 0, failed: 0 })
  spending.note(one, 0.5)
  spending.noteRequest()
  expect(spending.spent()).toEqual({ dollars: 0.5, unpriced: false, tokens: 6, requests: 1, failed: 0 })
  spending.note(two, null)
  spending.noteRequest('first')
  spending.noteRequest('second')
  expect(spending.spent()).toEqual({
    dollars: 0.5,
    unpriced: true,
    tokens: 12,
    requests: 3,
    failed: 2,
    failure: 'second',
  })
  // A later price takes nothing back.
  spending.note(pair('three', 'c'), 0.25)
  expect(spending.spent()).toMatchObject({ dollars: 0.75, unpriced: true })
})

test('a budget of zero allows nothing, and a message names large ones in words', () => {
  expect(() => trackSpending({ dollars: 0 }, () => 0).check()).toThrow(
    'the budget of $0.0000 is used up ($0.0000)',
  )
  const spending = trackSpending({ tokens: 0 }, () => 0)
  expect(() => spending.check()).toThrow('the budget of 0 tokens is used up (0)')
  expect([0.00123, 0.99999, 1, 12.3].map(dollarText)).toEqual(['$0.0012', '$1.0000', '$1.00', '$12.30'])
})

test('a success between failures ends their row', () => {
  const spending = trackSpending(null, () => 0)
  const fail = (times: number) => {
    for (let at = 0; at < times; at++) spending.noteRequest('busy')
  }
  fail(19)
  spending.noteRequest()
  fail(1)
  expect(() => fail(1)).toThrow(/^21 of 22 requests to language models failed; the last: busy\n/)
})
