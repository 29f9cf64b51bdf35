import { expect, test } from 'vitest'
import { graph } from '../../../src/corpus/graph/extraction.ts'
import { sourceQuery } from '../../../src/retrieve/step.ts'
import { recipeOf } from '../../corpus/recipes.ts'
import { documents as passages, questions } from '../../fixtures/passages.ts'
import { sharedFolder } from '../../temporary.ts'
import { evaluate, prepare, retrieved, transformed } from '../strategies/prepared.ts'

const folder = sharedFolder()

/** Six passages to a document, each below a heading of its own. */
const documents = Array.from({ length: Math.ceil(passages.length / 6) }, (_, place) => ({
  id: `d${place}`,
  title: `Part ${place}`,
  metadata: {},
  text: passages
    .slice(6 * place, 6 * place + 6)
    .map(({ title, text }) => `## ${title}\n\n${text}`)
    .join('\n\n'),
}))
const recipe = {
  ...recipeOf(documents),
  chunk: { name: 'headings', params: {} },
  graph: [{ name: 'structure', params: {} }],
}
const source = sourceQuery(recipe)

interface Boost {
  readonly seed_k: number
  readonly depth: number
  readonly boost: number
  readonly decay: number
}

/** `_apply_graph_boost` of seed document 000, line by line; the order of equal scores is ours. */
function seedBoost(
  scores: Float64Array,
  order: ArrayLike<number>,
  adjacency: ReadonlyMap<number, ReadonlySet<number>>,
  { seed_k, depth, boost, decay }: Boost,
): Float64Array {
  const boosted = new Float64Array(scores.length)
  for (const seed of Array.from(order).slice(0, seed_k)) {
    const visited = new Set([seed])
    let frontier = new Set([seed])
    for (let d = 1; d <= depth; d++) {
      const nextFrontier = new Set<number>()
      for (const node of frontier)
        for (const neighbor of adjacency.get(node) ?? []) {
          if (visited.has(neighbor)) continue
          visited.add(neighbor)
          nextFrontier.add(neighbor)
          boosted[neighbor] += boost * decay ** (d - 1)
        }
      frontier = nextFrontier
    }
  }
  return scores.map((score, row) => score + boosted[row])
}

test.each<[string, Boost]>([
  ["the code's defaults", { seed_k: 12, depth: 1, boost: 0.05, decay: 0.5 }],
  ['the recommended parameters', { seed_k: 3, depth: 2, boost: 0.05, decay: 0.4 }],
  ['other parameters', { seed_k: 5, depth: 3, boost: 0.2, decay: 0.7 }],
])("boosted scores are those of the seed's own code: %s", async (_, boost) => {
  const { ranking } = retrieved('hybrid', { alpha: 0.6, k1: 1.5, b: 0.75, norm: 'corpus' }, source)
  const { seed_k: top, depth: hops, ...rest } = boost
  const root = transformed('graph-boost', { ...rest, top, hops, onto: 'raw', limit: 10_000 }, ranking)
  const store = await prepare(folder, [root, ranking])
  await store.prepare(graph(recipe))

  // `_build_adjacency`: both directions of every edge.
  const { entities, relationships, chunksOfEntity } = await store.open(graph(recipe))
  const chunkOf = (entity: number) => chunksOfEntity.members[chunksOfEntity.offsets[entity]]
  const adjacency = new Map<number, Set<number>>()
  const join = (from: number, to: number) => adjacency.set(from, (adjacency.get(from) ?? new Set()).add(to))
  relationships.sources.forEach((from, row) => {
    const [source, target] = [from, relationships.targets[row]].map(chunkOf)
    join(source, target)
    join(target, source)
  })
  expect(adjacency.size).toBe(entities.size)

  const [before, after] = [await evaluate(store, ranking, questions), await evaluate(store, root, questions)]
  let moved = 0
  questions.forEach((_, place) => {
    const { rows, scores } = before[place]
    const whole = new Float64Array(passages.length)
    rows.forEach((row, rank) => {
      whole[row] = scores[rank]
    })
    const expected = seedBoost(whole, rows, adjacency, boost)
    const ranking = after[place]
    expect(ranking.rows.length).toBeGreaterThanOrEqual(rows.length)
    ranking.rows.forEach((row, rank) => {
      expect(ranking.scores[rank]).toBeCloseTo(expected[row], 12)
    })
    if (ranking.rows.some((row, rank) => row !== rows[rank])) moved++
  })
  expect(moved).toBeGreaterThan(0)
})
