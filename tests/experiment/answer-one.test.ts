import { expect, test } from 'vitest'
import { findAnswerer } from '../../src/experiment/answer-one.ts'

const answerer = (name: string, kind: string) => ({ name, choice: { name: kind, params: {} } }) as never
const [short, long, copy] = [
  answerer('short', 'llm'),
  answerer('long', 'llm'),
  answerer('copy', 'extractive'),
]

test('an answerer is found by its name, or by its kind if that names one', () => {
  expect(findAnswerer([short, long], 'long')).toBe(long)
  expect(findAnswerer([short, copy], 'extractive')).toBe(copy)
  expect(findAnswerer([copy], undefined)).toBe(copy)
})

test.each<[string, Parameters<typeof findAnswerer>, string]>([
  ['none in the config', [[], 'x'], 'the config has no `answer`; add one, as `answer: extractive`'],
  [
    'none of that name',
    [[short, long], 'shirt'],
    'there is no answerer `shirt` (did you mean "short"?); `answer` has short, long',
  ],
  ['several of that kind', [[short, copy, long], 'llm'], 'name one answerer: short, long'],
  ['several, and no name', [[short, copy], undefined], 'name one answerer: short, copy'],
])('there is no answerer: %s', (_, given, message) => {
  expect(() => findAnswerer(...given)).toThrow(message)
})
