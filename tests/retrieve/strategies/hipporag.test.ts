import { expect, test } from 'vitest'
import hipporagV1 from '../../../src/retrieve/strategies/hipporag-v1.ts'
import { temporaryFolder } from '../../temporary.ts'

test('the names that another program found are part of the key by their content', () => {
  const hashesOf = (text: string) => {
    const names = `${temporaryFolder({ 'names.jsonl': text })}/names.jsonl`
    return hipporagV1.files?.(hipporagV1.params.parse({ names }))
  }
  const line = (text: string) => `${JSON.stringify({ text, names: ['Lomm'] })}\n`
  const [first, again, other] = [line('Who?'), line('Who?'), line('Why?')].map(hashesOf)
  expect(first).toEqual({ names: expect.stringMatching(/^[0-9a-f]{64}$/) })
  expect(again).toEqual(first)
  expect(other).not.toEqual(first)
  expect(hipporagV1.files?.(hipporagV1.params.parse({}))).toEqual({})
})
