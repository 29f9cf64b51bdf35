import { beforeAll, describe, expect, it } from 'vitest'
import { buildIncidence, rowSizes } from '../../src/corpus/graph/csr.ts'
import { findSynonyms, phrasePassageGraph } from '../../src/corpus/graph/hippo-graph.ts'
import { createWalk, pagerank } from '../../src/corpus/graph/pagerank.ts'
import { minMaxOrOne } from '../../src/ranking/normalize.ts'
import { rankScores } from '../../src/ranking/order.ts'
import { hippoReset, phraseWeights } from '../../src/retrieve/strategies/hipporag.ts'
import { entityKey } from '../../src/text/entity-key.ts'
import { laterOf } from '../corpus/graph/later-neighbours.ts'
import { describeForm } from './forms.ts'

type Triple = readonly [string, string, string]
interface Case {
  readonly params: Readonly<Record<string, number>>
  readonly passages: readonly string[]
  readonly triples: readonly (readonly Triple[])[]
  readonly entities_sorted: readonly string[]
  readonly facts_sorted: readonly Triple[]
  readonly entity_emb: readonly (readonly number[])[]
  readonly fact_emb: readonly (readonly number[])[]
  readonly passage_emb: readonly (readonly number[])[]
  readonly query_emb: readonly number[]
  readonly directed_edge_list: readonly [string, string, number][]
  readonly fact_scores_minmax: readonly number[]
  readonly kept_facts: readonly Triple[]
  readonly node_order: readonly string[]
  readonly reset_weights: readonly number[]
  readonly dpr_ranking: readonly string[]
  readonly ranking: readonly string[]
  readonly ppr_scores: readonly number[]
}

/** Cosines in double precision; the file's embeddings are L2-normalised. */
const dot = (a: ArrayLike<number>, b: ArrayLike<number>) => {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i]
  return sum
}
const TOLERANCE = 1e-9
const near = (actual: ArrayLike<number>, expected: ArrayLike<number>) => {
  expect(actual.length).toBe(expected.length)
  for (let i = 0; i < actual.length; i++) expect(Math.abs(actual[i] - expected[i])).toBeLessThan(TOLERANCE)
}

/** A case's params, each of which the suite passes on: one that it does not know would be ignored unseen. */
function paramsOf({ params }: Case) {
  const {
    linking_top_k: keep,
    damping,
    passage_node_weight: passageWeight,
    synonymy_threshold: cosine,
    ...rest
  } = params
  expect(rest, 'unknown params').toEqual({})
  for (const [name, value] of Object.entries(params)) expect(value, name).toBeTypeOf('number')
  return { keep, damping, passageWeight, cosine }
}

/** The case's corpus and graph, built by the same functions as the artifacts'. */
function build(testCase: Case, cosine: number) {
  const { passages, triples, entities_sorted: keys, entity_emb, facts_sorted } = testCase
  const entity = new Map(keys.map((key, row) => [key, row]))
  const row = (phrase: string) => entity.get(entityKey(phrase)) as number
  const stated = triples.flat().map((triple) => triple.map(entityKey).join('\t'))
  const counts = facts_sorted.map(
    (fact) => stated.filter((statedFact) => statedFact === fact.join('\t')).length,
  )
  const subjects = Uint32Array.from(facts_sorted, ([subject]) => row(subject))
  const objects = Uint32Array.from(facts_sorted, ([, , object]) => row(object))
  const pairs = triples.flatMap((list, chunk) =>
    list.flatMap(([subject, , object]) => [subject, object].map((phrase) => ({ row: row(phrase), chunk }))),
  )
  const chunksOfEntity = buildIncidence(
    keys.length,
    { rows: pairs.map(({ row }) => row), members: pairs.map(({ chunk }) => chunk) },
    passages.length,
  )
  const vectors = entity_emb.map((vector) => Float64Array.from(vector))
  const near = laterOf(keys.length, (a, b) => dot(vectors[a], vectors[b]), cosine)
  const synonyms = findSynonyms(keys, near)
  const facts = { subjects, objects, counts }
  // The original's cosines are float32: from here on its own numbers are used, so that the rest can be held to 1e-9.
  const weights = synonyms.weights.map((weight, i) => {
    const [source, target] = [keys[synonyms.sources[i]], keys[synonyms.targets[i]]]
    const edgeWeight =
      testCase.directed_edge_list.find(([from, to]) => from === source && to === target)?.[2] ?? Number.NaN
    expect(Math.abs(edgeWeight - weight)).toBeLessThan(3e-7)
    return edgeWeight
  })
  const csr = phrasePassageGraph(
    keys.length,
    passages.length,
    facts,
    { ...synonyms, weights },
    chunksOfEntity,
  )
  return { csr, facts, passagesPerPhrase: rowSizes(chunksOfEntity) }
}

/** The stages of a case's retrieval. */
function retrieve(testCase: Case) {
  const { keep, damping, passageWeight, cosine } = paramsOf(testCase)
  const { csr, facts, passagesPerPhrase } = build(testCase, cosine)
  const factScores = minMaxOrOne(testCase.fact_emb.map((fact) => dot(fact, testCase.query_emb)))
  const best = rankScores(factScores, keep)
  const dense = Float64Array.from(testCase.passage_emb, (passage) => dot(passage, testCase.query_emb))
  const weights = phraseWeights(best, facts, passagesPerPhrase, keep)
  const phrases = testCase.entities_sorted.length
  const reset = hippoReset(weights, dense, passageWeight, phrases)
  return { csr, factScores, kept: best, dense, reset, walk: createWalk(csr), damping, phrases }
}

describeForm<{ cases: Case[] }>('hipporag2', ({ cases }) => {
  cases.forEach((testCase, place) => {
    describe(`case ${place + 1}`, () => {
      let outcome: ReturnType<typeof retrieve>
      beforeAll(() => {
        outcome = retrieve(testCase)
      })
      const names = (scores: Float64Array) =>
        [...rankScores(scores, scores.length).rows].map((row) => testCase.passages[row])

      it('has its edges', () => {
        const { csr } = outcome
        const nodes = new Map(testCase.node_order.map((name, node) => [name, node]))
        const expected = new Map<string, number>()
        for (const [source, target, weight] of testCase.directed_edge_list) {
          const ends = [nodes.get(source) as number, nodes.get(target) as number].sort((a, b) => a - b)
          expected.set(ends.join(' '), (expected.get(ends.join(' ')) ?? 0) + weight)
        }
        const edges = new Map<string, number>()
        for (let u = 0; u < csr.nodes; u++)
          for (let i = csr.offsets[u]; i < csr.offsets[u + 1]; i++)
            if (csr.targets[i] > u) edges.set(`${u} ${csr.targets[i]}`, csr.weights[i])
        expect([...edges.keys()].sort()).toEqual([...expected.keys()].sort())
        for (const [ends, weight] of edges)
          expect(Math.abs(weight - (expected.get(ends) as number))).toBeLessThan(TOLERANCE)
      })

      it('has its fact scores and keeps its facts', () => {
        near(outcome.factScores, testCase.fact_scores_minmax)
        expect([...outcome.kept.rows].map((row) => testCase.facts_sorted[row])).toEqual(testCase.kept_facts)
      })

      it('has its reset vector', () => {
        const { nodes, weights } = outcome.reset
        const whole = new Float64Array(outcome.csr.nodes)
        for (let i = 0; i < nodes.length; i++) whole[nodes[i]] = weights[i]
        near(whole, testCase.reset_weights)
      })

      it('ranks passages by cosine as it does', () =>
        expect(names(outcome.dense)).toEqual(testCase.dpr_ranking))

      it('ranks passages by PageRank as it does, with its scores', () => {
        const { walk, reset, damping, phrases } = outcome
        const [scores] = pagerank(walk, [reset], damping, (all) => all.slice(phrases))
        expect(names(scores)).toEqual(testCase.ranking)
        near(rankScores(scores, scores.length).scores, testCase.ppr_scores)
      })
    })
  })
})
