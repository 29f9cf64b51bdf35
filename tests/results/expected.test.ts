import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  differingScores,
  expectedText,
  looseTolerance,
  meansOf,
  missingScores,
  onlyRows,
  parseExpected,
} from '../../src/results/expected.ts'
import type { Summary } from '../../src/results/summary.ts'

test('two trials of one name are kept apart by id; a measure that no query counts for is null', () => {
  const trial = (id: string, name: string, mean: number, n = 3) => ({
    id,
    name,
    measures: { mrr: { mean, low: null, high: null, n } },
  })
  const summary = { trials: [trial('1', 'a', 0.5), trial('2', 'a', 0.25), trial('3', 'b', 0, 0)], tuned: [] }
  expect(meansOf(summary as unknown as Summary)).toEqual({
    'a (1)': { mrr: 0.5 },
    'a (2)': { mrr: 0.25 },
    b: { mrr: null },
  })
})

test('what is written reads back equal; a score differs exactly where it is off by more than the tolerance', () => {
  const score = fc.integer({ min: 0, max: 1000 })
  fc.assert(
    fc.property(score, score, fc.integer({ min: 0, max: 100 }), (expected, found, tolerance) => {
      const scores = { row: { mrr: expected / 1000 } }
      const read = parseExpected(expectedText(scores, tolerance / 1000), 'e.json')
      expect(read).toMatchObject({ tolerance: tolerance / 1000, scores })
      const differing = differingScores(read, { row: { mrr: found / 1000 } })
      expect(differing.length).toBe(Math.abs(expected - found) > tolerance ? 1 : 0)
    }),
  )
})

const SCORES = { a: { mrr: 0.5, map: null }, b: { mrr: 0.25 } }
const written = (more: object) => JSON.stringify({ ...JSON.parse(expectedText(SCORES, 0.001)), ...more })
const messages = (text: string) => {
  try {
    return parseExpected(text, 'e.json') && []
  } catch (error) {
    return (error as { diagnostics: { file: string; message: string }[] }).diagnostics.map(
      ({ file, message }) => `${file}: ${message}`,
    )
  }
}

test.each<[string, string, string[]]>([
  ['another kind', written({ kind: 'x' }), ['e.json: is no file of expected scores (']],
  ['another format', written({ format: 0 }), ['e.json: is no file of expected scores (']],
  ['no map', '[]', ['e.json: is no file of expected scores (']],
  ['no JSON', '{"kind": 1,}', ['e.json: ']],
  [
    'a key that is not known',
    written({ tolerence: 1 }),
    ['e.json: has an unknown key "tolerence" (did you mean "tolerance"?)'],
  ],
  ['a negative tolerance', written({ tolerance: -1 }), ['e.json: "tolerance" must be a number, 0 or more']],
  [
    'a tolerance in words',
    written({ tolerance: 'few' }),
    ['e.json: "tolerance" must be a number, 0 or more'],
  ],
  ['no tolerance', written({ tolerance: undefined }), ['e.json: "tolerance" must be a number, 0 or more']],
  ['no scores', written({ scores: {} }), ['e.json: "scores" must hold rows by name']],
  ['scores in a list', written({ scores: [1] }), ['e.json: "scores" must hold rows by name']],
  [
    'several mistakes',
    written({ x: 1, scores: { a: {}, b: 3, c: { mrr: '1', map: null, p: true }, d: { mrr: [] } } }),
    [
      'e.json: has an unknown key "x"',
      'e.json: "scores", "a": must hold means by measure',
      'e.json: "scores", "b": must hold means by measure',
      'e.json: "scores", "c", "mrr": must be a number or null',
      'e.json: "scores", "c", "p": must be a number or null',
      'e.json: "scores", "d", "mrr": must be a number or null',
    ],
  ],
  ['nothing wrong', written({ tolerance: 0 }), []],
])('a file of expected scores with %s', (_, text, expected) => {
  expect(messages(text)).toEqual(expected.map((start) => expect.stringContaining(start)))
})

test('rows are chosen by name', () => {
  const expected = parseExpected(written({}), 'e.json')
  expect(onlyRows(expected, ['b'], 'e.json')).toEqual({ ...expected, scores: { b: SCORES.b } })
  expect(() => onlyRows(expected, ['c', 'a', 'toString'], 'e.json')).toThrow(
    /e\.json: the file has no row "c".*; it has "a", "b"\n.*the file has no row "toString"/,
  )
})

test('a tolerance as large as every mean of a measure checks nothing', () => {
  const loose = (scores: object, tolerance: number) =>
    looseTolerance({ scores, tolerance } as never).map(({ message }) => message.split(':')[0])
  const scores = { a: { mrr: 0.5, map: null, drop: -0.1 }, b: { mrr: 0.25, drop: 0 } }
  expect(loose(scores, 0.0999)).toEqual([])
  expect(loose(scores, 0.1)).toEqual(['the tolerance 0.1 checks nothing of drop, which is 0.1 at most'])
  expect(loose(scores, 0.5)).toHaveLength(2)
})

test('rows and measures that the experiment lacks are named', () => {
  const expected = { scores: { ...SCORES, c: { mrr: 1 } }, tolerance: 0 } as never
  const found = { a: { mrr: 0.5 }, b: { mrr: 0.25 } }
  expect(missingScores(expected, found, 'e.json')).toEqual([
    { file: 'e.json', message: 'the experiment has no measure "map"; it has "mrr"' },
    { file: 'e.json', message: expect.stringMatching(/^the experiment has no row "c".*; it has "a", "b"$/) },
  ])
  const many = Object.fromEntries(Array.from({ length: 22 }, (_, i) => [`row ${i + 10}`, { mrr: 1 }]))
  const [{ message }] = missingScores({ scores: { x: {} }, tolerance: 0 } as never, many, 'e.json')
  expect(message).toMatch(/^the experiment has no row "x"; it has "row 10", "row 11", .*"row 29" and 2 more$/)
})

test('means differ by more than the tolerance, or where one of them is none', () => {
  const found = { a: { mrr: 0.51, map: null }, b: { mrr: null } } as never
  const expected = { scores: SCORES, tolerance: 0.01 } as never
  expect(differingScores(expected, found)).toEqual([
    { row: 'b', measure: 'mrr', expected: 0.25, found: null },
  ])
  expect(differingScores({ scores: SCORES, tolerance: 0.0099 } as never, found)).toEqual([
    { row: 'a', measure: 'mrr', expected: 0.5, found: 0.51 },
    { row: 'b', measure: 'mrr', expected: 0.25, found: null },
  ])
  expect(
    differingScores({ scores: { a: { map: null } }, tolerance: 9 } as never, { a: { map: 0 } }),
  ).toHaveLength(1)
})
