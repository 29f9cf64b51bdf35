import { expect, test } from 'vitest'
import {
  formatCompletion,
  parseCompletion,
  storedCompletion,
} from '../../../src/models/completions/request.ts'
import { sha256 } from '../../../src/store/hash.ts'
import { completion, question } from './fixture.ts'

const stored = storedCompletion(question('a'), completion('x'))
const refused = 'f:3: is not a stored completion: it was altered or cut'

test('a stored completion is a line that comes back', () => {
  expect(stored.key).toMatch(/^[0-9a-f]{32}$/)
  expect(parseCompletion(formatCompletion(stored), 'f')).toEqual(stored)
})

test.each([
  ['another key', { ...stored, key: sha256('x').slice(0, 32) }],
  ['another request', { ...stored, request: question('b') }],
  ['another completion', { ...stored, completion: completion('y') }],
  ['another hash', { ...stored, sha256: sha256('x') }],
  ['no map', 3],
])('with %s it was altered', (_, value) => {
  expect(() => parseCompletion(JSON.stringify(value), 'f', 3)).toThrow(refused)
})
