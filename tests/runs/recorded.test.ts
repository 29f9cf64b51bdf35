import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isOfTexts } from '../../src/runs/recorded.ts'
import { temporaryFolder } from '../temporary.ts'

const written = (...lines: (string | object)[]) =>
  join(
    temporaryFolder({
      f: lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'),
    }),
    'f',
  )

test.each<[string, boolean]>([
  ['{"query": "q", "contexts": []}\n{', true],
  ['\n {"question": "q", "context": "c"}', true],
  [' [{"user_input": "q", "retrieved_contexts": []},\n{}]', true],
  ['[{}, {"query": "q", "contexts": []}]', false],
  ['{"query": "q"}', false],
  ['{"contexts": []}', false],
  ['{"query": {"a": 1}, "contexts": {"b": 2}}', false],
  ['[]', false],
  ['[7]', false],
  ['q Q0 a 1 1 t', false],
  ['"query contexts"', false],
  ['{', false],
  ['', false],
])('%j holds texts of another system: %s', (text, is) => {
  expect(isOfTexts(written(text))).toBe(is)
})
