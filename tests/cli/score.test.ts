import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { describeShared, shared } from '../shared.ts'
import { callsIn } from './calls.ts'

describeShared('score prints what trec_eval prints, byte for byte', () => {
  const at = (name: string) => shared('conformance', 'trec_eval', name)
  test.each([
    ['out.test', ['qrels.test', 'results.test']],
    ['out.test', ['qrels.test.with-comments', 'results.test']],
    ['out.comment.test', ['qrels.comment.test.gz', 'results.comment.test.gz']],
  ])('%s of %j', async (expected, files) => {
    const { out } = await callsIn('/nowhere').call('score', ...files.map(at))
    expect(out).toBe(readFileSync(at(expected), 'utf8'))
  })
})
