import { expect, it } from 'vitest'
import { pollWeighted } from '../../src/ranking/cut.ts'
import { describeForm } from './forms.ts'

interface Case {
  readonly items: readonly (readonly string[])[]
  readonly max_related_chunks: number
  readonly min_related_chunks: number
  readonly expected: readonly string[]
}

describeForm<{ cases: Case[] }>('lightrag', ({ cases }) => {
  cases.forEach((testCase, place) => {
    it(`case ${place + 1}: weighted polling`, () => {
      const { items, max_related_chunks, min_related_chunks, expected } = testCase
      expect(pollWeighted(items, max_related_chunks, min_related_chunks)).toEqual(expected)
    })
  })
})
