import { expect, test } from 'vitest'
import { dateSpan } from '../../src/text/numbers.ts'

const span = (text: string) => {
  const span = dateSpan(text)
  return span && [span.start, span.end].map((time) => new Date(time).toISOString())
}

test('a date means all of its month, day, minute or second', () => {
  expect(span('2024-02')).toEqual(['2024-02-01T00:00:00.000Z', '2024-02-29T23:59:59.999Z'])
  expect(span('2023-12-31')).toEqual(['2023-12-31T00:00:00.000Z', '2023-12-31T23:59:59.999Z'])
  expect(span('0012-12')).toEqual(['0012-12-01T00:00:00.000Z', '0012-12-31T23:59:59.999Z'])
  expect(span('2024-05-01T10:30')).toEqual(['2024-05-01T10:30:00.000Z', '2024-05-01T10:30:59.999Z'])
  expect(span('2024-05-01 10:30:05+02:00')).toEqual(['2024-05-01T08:30:05.000Z', '2024-05-01T08:30:05.999Z'])
  expect(span('2024-05-01T10:30:05.1234Z')).toEqual(['2024-05-01T10:30:05.123Z', '2024-05-01T10:30:05.123Z'])
})

test.each([
  [' 2024-05-01T23:59:59Z ', '2024-05-01T23:59:59.000Z', '2024-05-01T23:59:59.999Z'],
  ['2024-05-01T00:00:00.5', '2024-05-01T00:00:00.500Z', '2024-05-01T00:00:00.500Z'],
  ['2024-05-01T10:30-0230', '2024-05-01T13:00:00.000Z', '2024-05-01T13:00:59.999Z'],
  ['2024-12', '2024-12-01T00:00:00.000Z', '2024-12-31T23:59:59.999Z'],
])('%j is from %s to %s', (text, start, end) => {
  expect(span(text)).toEqual([start, end])
})
