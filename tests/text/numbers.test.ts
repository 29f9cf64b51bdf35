import { expect, test } from 'vitest'
import { atof, atol, readGrade, readInteger, readNumber, readScore } from '../../src/text/numbers.ts'

test('strictly: numbers that are finite, whole ones that fit 32 bits', () => {
  expect(['1', '-1.5', '+.5e3', '2.'].map(readNumber)).toEqual([1, -1.5, 500, 2])
  expect(
    ['', ' 1', '1 ', '0x', '0x10', '1e', '1_0', 'Infinity', '1e999', 'nan', '1,5'].map(readNumber),
  ).toEqual(new Array(11).fill(undefined))
  expect(['7', '-2147483647', '2147483647'].map(readInteger)).toEqual([7, -2147483647, 2147483647])
  expect(['2147483648', '-2147483648', '1.0', '', '1e3'].map(readInteger)).toEqual(
    new Array(5).fill(undefined),
  )
})

test('one reader of scores and one of grades, whatever the format gave', () => {
  expect(['1.5', 1.5, 2n, '-1e3', 0].map(readScore)).toEqual([1.5, 1.5, 2, -1000, 0])
  const noScores = [
    '0x10',
    '1e',
    ' 1_0',
    'Infinity',
    '',
    Number.NaN,
    Number.POSITIVE_INFINITY,
    null,
    true,
    {},
  ]
  expect(noScores.map(readScore)).toEqual(noScores.map(() => undefined))
  expect(['1', '1.0', '2.', '+3', '-1.00', '-0', 1, 1.0, 7n].map(readGrade)).toEqual([
    1, 1, 2, 3, -1, 0, 1, 1, 7,
  ])
  const noGrades = ['1.5', '1e0', '0x1', '.0', ' 1', '', 'x', '4294967297', 1.5, 2n ** 40n, null, true, [1]]
  expect(noGrades.map(readGrade)).toEqual(noGrades.map(() => undefined))
})

test("hexadecimal, by Python's float.hex and at the ends of the range", () => {
  const numbers = ['0x1.999999999999ap-4', '-0X1.8P3', '0x1p-1074', '0x1.fffffffffffffp+1023', '0x.8', '0x10']
  expect(numbers.map(atof)).toEqual([0.1, -12, 5e-324, Number.MAX_VALUE, 0.5, 16])
  // More digits than a double holds: to the nearest, ties to even.
  expect(atof('0x1.00000000000008')).toBe(1)
  expect(atof('0x1.000000000000080001')).toBe(1 + Number.EPSILON)
  expect(['0x1p', '0x', '0xg', '0x1.8p3z'].map(atof)).toEqual([1, 0, 0, 12])
})

test('as C: the beginning of any text, 0 where it is no number', () => {
  expect([' 1.5x', '-inf', 'Infinity', 'x', '1e', '.'].map(atof)).toEqual([
    1.5,
    Number.NEGATIVE_INFINITY,
    Number.POSITIVE_INFINITY,
    0,
    1,
    0,
  ])
  expect(atof(' -inf')).toBe(Number.NEGATIVE_INFINITY)
  expect(atof('nan')).toBeNaN()
  expect([' 12.9', '-3x', 'x', '', '99999999999'].map(atol)).toEqual([12, -3, 0, 0, undefined])
})
