import { expect, test } from 'vitest'
import { trackSpending } from '../../../src/experiment/plan/spending.ts'
import { storedCompletion } from '../../../src/models/completions/request.ts'
import { completion, pair, question } from '../../models/completions/fixture.ts'

/** 4 read and 2 written each. */
const one = pair('one', 'a')

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
