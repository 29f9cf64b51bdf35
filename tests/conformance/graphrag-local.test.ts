import { expect, it } from 'vitest'
import { buildIncidence } from '../../src/corpus/graph/csr.ts'
import { orderRelationships } from '../../src/retrieve/steps/local-search.ts'
import { describeForm } from './forms.ts'

interface Case {
  readonly entities_selected_in_order: readonly string[]
  readonly relationships: readonly { id: string; source: string; target: string; rank: number }[]
  readonly top_k_relationships: number
  readonly expected_ids_in_order: readonly string[]
}

describeForm<{ cases: Case[] }>('graphrag-local', ({ cases }) => {
  cases.forEach((testCase, place) => {
    it(`case ${place + 1}: order of relationships`, () => {
      const { relationships, entities_selected_in_order: selected } = testCase
      const names = [
        ...new Set([...selected, ...relationships.flatMap(({ source, target }) => [source, target])]),
      ]
      const row = new Map(names.map((name, i) => [name, i]))
      const rowOf = (name: string) => row.get(name) as number
      const sources = Uint32Array.from(relationships, ({ source }) => rowOf(source))
      const targets = Uint32Array.from(relationships, ({ target }) => rowOf(target))
      const rows = relationships.map((_, i) => i)
      const incidence = buildIncidence(
        names.length,
        { rows: [...sources, ...targets], members: [...rows, ...rows] },
        relationships.length,
      )
      const combinedDegrees = relationships.map(({ rank }) => rank)
      const ordered = orderRelationships(
        selected.map(rowOf),
        { sources, targets, combinedDegrees },
        incidence,
        testCase.top_k_relationships,
      )
      expect(ordered.map((i) => relationships[i].id)).toEqual(testCase.expected_ids_in_order)
    })
  })
})
