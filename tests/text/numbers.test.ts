import { expect, test } from 'vitest'
import { readInteger, readNumber } from '../../src/text/numbers.ts'

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

test('a short decimal is the number that JavaScript reads', () => {
  const texts = [
    '0',
    '00.10',
    '.5',
    '5.',
    '0.000000000000001',
    '123456789012345',
    '1234567890123456',
    '29.9800',
  ]
  for (let i = 1; i < 500; i++) texts.push((Math.sin(i) ** 2 * 10 ** (i % 9)).toFixed(i % 7))
  for (const text of texts) expect(readNumber(text), text).toBe(Number(text))
  expect(['.', '1.2.3', '12a'].map(readNumber)).toEqual([undefined, undefined, undefined])
})
