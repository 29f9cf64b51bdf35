import { expect, test } from 'vitest'
import { parseMessage, readReply } from '../../src/models/external/answer.ts'

/** Messages of another system, without its process. */

const rowOf = new Map([
  ['a', 0],
  ['b', 1],
  ['c', 2],
])
const reply = (message: object, depth = 10) => readReply(message as Record<string, unknown>, rowOf, depth)

test('a line is a message with a type', () => {
  expect(parseMessage('{"type": "ranking", "ranking": []}')).toEqual({ type: 'ranking', ranking: [] })
  for (const line of ['', 'loading ...', '{"type": "rank'])
    expect(() => parseMessage(line)).toThrow(`wrote a line that is not JSON: \`${line}\``)
  for (const line of ['[]', '3', 'null', '{}', '{"type": 3}'])
    expect(() => parseMessage(line)).toThrow(
      `wrote a line that is not a message with a \`type\`: \`${line}\``,
    )
})

test('a long or broken line is quoted in short', () => {
  expect(() => parseMessage('x'.repeat(100))).toThrow(`: \`${'x'.repeat(100)}\``)
  expect(() => parseMessage('x'.repeat(101))).toThrow(`: \`${'x'.repeat(97)}...\``)
  expect(() => parseMessage('two\n\tlines')).toThrow(': `two lines`')
})

test('a ranking is in our order, cut at depth, with its counters', () => {
  const ranking = [
    ['a', 1],
    ['c', 3.5],
    ['b', 1],
  ]
  const { rows, scores, counters } = reply({ ranking, counters: { hops: 0, calls: 2 } }, 2)
  expect([[...rows], [...scores], counters]).toEqual([[2, 1], [3.5, 1], { hops: 0, calls: 2 }])
  expect([...reply({ ranking: [] }).rows]).toEqual([])
  expect(reply({ ranking }).counters).toEqual({})
})

test.each<[message: object, words: string]>([
  [{}, 'answered without a `ranking`, a list of [chunk id, score]'],
  [{ ranking: 'a' }, 'answered without a `ranking`'],
  [{ ranking: [['d', 1]] }, 'ranked a chunk that does not exist: `"d"`'],
  [{ ranking: [[0, 1]] }, 'ranked a chunk that does not exist: `0`'],
  [{ ranking: ['a'] }, 'ranked a chunk that does not exist: `"a"`'],
  [{ ranking: [[]] }, 'ranked a chunk that does not exist: `[]`'],
  [{ ranking: [['a', '1']] }, 'gave `a` the score `"1"`, which is not a finite number'],
  [{ ranking: [['a', null]] }, 'gave `a` the score `null`, which is not a finite number'],
  [{ ranking: [['a', Number.POSITIVE_INFINITY]] }, 'gave `a` the score `null`'],
  [{ ranking: [['a']] }, 'gave `a` the score `nothing`, which is not a finite number'],
  [
    {
      ranking: [
        ['a', 1],
        ['a', 2],
      ],
    },
    'ranked `a` twice',
  ],
  [{ ranking: [], counters: [] }, 'answered with `counters` that are not a map of names to numbers'],
  [{ ranking: [], counters: { hops: -1 } }, 'counted `hops` as `-1`, which is not a number from 0'],
  [{ ranking: [], counters: { pages: 0, hops: -1 } }, 'counted `hops` as `-1`, which is not a number from 0'],
  [{ ranking: [], counters: { hops: '1' } }, 'counted `hops` as `"1"`, which is not a number from 0'],
  [{ ranking: [], counters: { hops: Number.NaN } }, 'counted `hops` as `null`'],
  ...['retrieved', 'tokens', 'evidenceTokens', 'linked'].map(
    (name) =>
      [{ ranking: [], counters: { [name]: 1 } }, `counted \`${name}\`, which is counted already`] as [
        object,
        string,
      ],
  ),
])('%j is refused', (message, words) => {
  expect(() => reply(message)).toThrow(words)
})
