import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseJson } from '../../src/text/json.ts'

describe('JSON', () => {
  test.each([
    ['{"a": 1, "b": {"a": 2}, "a": 3}', 'has the key "a" twice in one object', 24],
    ['[{"x": [1, {"é": 1, "\\u00e9": 2}]}]', 'has the key "é" twice in one object', 20],
    ['{"a": 1e999}', 'holds a number too large to be read', 6],
    ['[1, -2, -1e400]', 'holds a number too large to be read', 8],
    [`${'['.repeat(20_000)}${']'.repeat(20_000)}`, 'is nested more than 100 deep', 100],
    [`${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`, 'is nested more than 100 deep', 500],
    ['{"a": NaN}', "is not valid JSON: NaN is a number of Python's json module alone; write null", 6],
    [
      '{"a: NaN,": [1, -Infinity ]}',
      "is not valid JSON: -Infinity is a number of Python's json module alone; write null",
      16,
    ],
    ["{'a': 1}", 'is not valid JSON but a Python dictionary or list; write it with json.dumps', undefined],
    ['{"a": 1,}', 'is not valid JSON: expected double-quoted property name', 8],
  ])('%.40s is refused', (text, message, offset) => {
    expect(parseJson(text)).toEqual({ diagnostic: { message, offset } })
  })

  test('is read as JSON.parse reads it, and every doubled key is found', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 5 }), fc.boolean(), (text, spaced) => {
        const written = spaced ? JSON.stringify(JSON.parse(text), null, 1) : text
        expect(parseJson(written)).toEqual({ value: JSON.parse(written) })
      }),
    )
    fc.assert(
      fc.property(fc.string(), fc.json(), fc.json(), (key, a, b) => {
        const name = JSON.stringify(key)
        expect(parseJson(`[{${name}: ${a}, ${name} : ${b}}]`)).toHaveProperty('diagnostic.message')
      }),
    )
  })
})
