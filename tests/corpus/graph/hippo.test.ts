import { beforeAll, describe, expect, it } from 'vitest'
import { type Csr, rowSizes } from '../../../src/corpus/graph/csr.ts'
import { factText } from '../../../src/corpus/graph/extraction.ts'
import type { Extraction } from '../../../src/corpus/graph/extractors/index.ts'
import { findSynonyms, phrasePassageGraph } from '../../../src/corpus/graph/hippo-graph.ts'
import { mergeEntities, mergeFacts } from '../../../src/corpus/graph/merge.ts'
import { createWalk, pagerank } from '../../../src/corpus/graph/pagerank.ts'
import { rankScores } from '../../../src/ranking/order.ts'
import { describeForm } from '../../conformance/forms.ts'
import { laterOf } from './later-neighbours.ts'

interface Case {
  readonly params: { readonly damping: number; readonly synonymy_threshold: number }
  readonly passages: readonly string[]
  readonly triples: readonly (readonly [string, string, string])[][]
  readonly entities_sorted: readonly string[]
  readonly facts_sorted: readonly (readonly string[])[]
  readonly entity_emb: readonly (readonly number[])[]
  readonly directed_edge_list: readonly (readonly [string, string, number])[]
  readonly node_order: readonly string[]
  readonly reset_weights: readonly number[]
  readonly ranking: readonly string[]
  readonly ppr_scores: readonly number[]
}

describeForm<{ cases: Case[] }>('hipporag2', ({ cases }) => {
  cases.forEach((testCase, number) => {
    describe(`the graph of case ${number + 1}`, () => {
      let built: ReturnType<typeof build>
      beforeAll(() => {
        built = build(testCase)
      })

      it('the same entities and facts', () => {
        const { triples, entity_emb: vectors } = testCase
        expect(built.entities.keys).toEqual(testCase.entities_sorted)
        const texts = built.facts.predicates.map((predicate, row) =>
          factText(
            built.entities.keys[built.facts.subjects[row]],
            predicate,
            built.entities.keys[built.facts.objects[row]],
          ),
        )
        expect(texts).toEqual(testCase.facts_sorted.map((fact) => fact.join(' ')))
        expect(triples.flat()).toHaveLength(built.facts.counts.reduce((sum, count) => sum + count, 0))
        expect(vectors).toHaveLength(built.entities.keys.length)
      })

      it('the same edges and weights', () => {
        const expected = new Map<string, number>()
        for (const [source, target, weight] of testCase.directed_edge_list)
          for (const pair of [`${source}\t${target}`, `${target}\t${source}`])
            expected.set(pair, (expected.get(pair) ?? 0) + weight)
        const edges = edgesOf(built.csr, testCase.node_order)
        expect([...edges.keys()].sort()).toEqual([...expected.keys()].sort())
        // The file's cosines are float32's: they differ from exact ones by up to 1.5e-7 a direction.
        for (const [pair, weight] of expected)
          expect(Math.abs((edges.get(pair) ?? 0) - weight)).toBeLessThan(1e-6)
      })

      it('the same ranking from the given reset', () => {
        const { passages, params } = testCase
        const reset = { nodes: testCase.reset_weights.map((_, u) => u), weights: testCase.reset_weights }
        const [scores] = pagerank(createWalk(built.csr), [reset], params.damping, (all) =>
          all.slice(-passages.length),
        )
        const { rows } = rankScores(scores, passages.length)
        expect(Array.from(rows, (row) => passages[row])).toEqual(testCase.ranking)
        rows.forEach((row, place) => {
          expect(Math.abs(scores[row] - testCase.ppr_scores[place])).toBeLessThan(1e-9)
        })
      })
    })
  })
})

function build({ passages, triples, entity_emb: vectors, params }: Case) {
  const extraction: Extraction = {
    mentions: triples.flatMap((list, chunk) =>
      list.flatMap(([source, , target]) => [source, target].map((name) => ({ name, chunk, count: 1 }))),
    ),
    links: triples.flatMap((list, chunk) =>
      list.map(([source, predicate, target]) => ({ source, target, predicate, chunk, weight: 1 })),
    ),
    describe: { separator: '. ', tokens: 100 },
    notices: {},
  }
  const entities = mergeEntities([extraction], passages.length)
  const facts = mergeFacts([extraction], entities.rowOf)
  // Exact in float64: what the vectors' kernel gives is tested with the kernel.
  const cosine = (a: number, b: number) => vectors[a].reduce((sum, x, i) => sum + x * vectors[b][i], 0)
  const near = laterOf(entities.keys.length, cosine, params.synonymy_threshold)
  const synonyms = findSynonyms(entities.keys, near)
  const csr = phrasePassageGraph(entities.keys.length, passages.length, facts, synonyms, entities.chunks)
  expect(rowSizes(entities.chunks)).toHaveLength(entities.keys.length)
  return { entities, facts, csr }
}

function edgesOf({ nodes, offsets, targets, weights }: Csr, names: readonly string[]): Map<string, number> {
  const edges = new Map<string, number>()
  for (let u = 0; u < nodes; u++)
    for (let i = offsets[u]; i < offsets[u + 1]; i++)
      edges.set(`${names[u]}\t${names[targets[i]]}`, weights[i])
  return edges
}
