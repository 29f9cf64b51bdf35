import { expect, test } from 'vitest'
import { parseCsv } from '../../src/text/csv.ts'

test.each([
  ['', []],
  ['a', [[1, 'a']]],
  [
    'a,b\nc,d\n',
    [
      [1, 'a', 'b'],
      [2, 'c', 'd'],
    ],
  ],
  [
    'a,b\r\nc,d\r\n',
    [
      [1, 'a', 'b'],
      [2, 'c', 'd'],
    ],
  ],
  [
    '\n\na\n\nb',
    [
      [3, 'a'],
      [5, 'b'],
    ],
  ],
  [
    ',\n""\n,',
    [
      [1, '', ''],
      [3, '', ''],
    ],
  ],
  [
    '"a,b","c""d"\ne',
    [
      [1, 'a,b', 'c"d'],
      [2, 'e'],
    ],
  ],
  [
    '"a\nb\nc",d\n"e\nf"\ng',
    [
      [1, 'a\nb\nc', 'd'],
      [4, 'e\nf'],
      [6, 'g'],
    ],
  ],
  [
    'a;"b;x"\r\n"c,d";e\r\n',
    [
      [1, 'a', 'b;x'],
      [2, 'c,d', 'e'],
    ],
  ],
  [
    'sep=;\r\na;b,c\r\nd\r\n',
    [
      [2, 'a', 'b,c'],
      [3, 'd'],
    ],
  ],
  ['SEP=\t\n"a\tb"\tc', [[2, 'a\tb', 'c']]],
  ['sep=;', [[1, 'sep=', '']]],
  // A comma outside quotes is the separator, whatever else stands there.
  [
    'a;b,c\nd,e\n',
    [
      [1, 'a;b', 'c'],
      [2, 'd', 'e'],
    ],
  ],
  [
    '"a;b"\nc;d\n',
    [
      [1, 'a;b'],
      [2, 'c;d'],
    ],
  ],
] as const)('%j: each row with the line where it begins', (text, expected) => {
  expect(parseCsv(text).map(({ line, fields }) => [line, ...fields])).toEqual(expected)
  expect(parseCsv(text).some(({ diagnostic }) => diagnostic !== undefined)).toBe(false)
})

test.each([
  ['a\n"b\nc', 2],
  ['"', 1],
  ['a\n\n"b" c\nd', 3],
])('%j: an error in quotes is told at line %i', (text, line) => {
  expect(
    parseCsv(text)
      .filter(({ diagnostic }) => diagnostic !== undefined)
      .map((row) => row.line),
  ).toEqual([line])
})
