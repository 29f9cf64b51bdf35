import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { pollWeighted } from '../../src/ranking/polling.ts'
import { describeShared, shared } from '../shared.ts'

interface Case {
  readonly items: readonly (readonly string[])[]
  readonly max_related_chunks: number
  readonly min_related_chunks: number
  readonly expected: readonly string[]
}

describeShared('conformance: LightRAG, weighted polling', () => {
  const { cases } = JSON.parse(
    readFileSync(shared('conformance', 'lightrag-weighted-polling.json'), 'utf8'),
  ) as { cases: Case[] }
  cases.forEach(({ items, max_related_chunks, min_related_chunks, expected }, place) => {
    it(`case ${place}: ${items.length} owners, ${max_related_chunks} to ${min_related_chunks}`, () => {
      expect(pollWeighted(items, max_related_chunks, min_related_chunks)).toEqual(expected)
    })
  })
})
