import { describe, expect, test } from 'vitest'
import { chunkNeighbors } from '../../../src/corpus/graph/chunk-neighbors.ts'
import { loadCustom } from '../../../src/custom/load.ts'
import { customStrategy } from '../../../src/retrieve/custom/kinds.ts'
import type { Strategy } from '../../../src/retrieve/strategies/index.ts'
import naive from '../../../src/retrieve/strategies/naive.ts'
import type { Ranking } from '../../../src/types.ts'
import { documents, questions } from '../../fixtures/passages.ts'
import { temporaryFolder } from '../../temporary.ts'
import { evaluate, prepare, recipe, retrieved } from '../strategies/prepared.ts'

/** A strategy whose one step reads `artifacts` and runs `body` for a query and its vector. */
async function step<T>(artifacts: string, body: string): Promise<T[]> {
  const text = `export default ({ defineStrategy, indexes, steps, z }) => defineStrategy({
    name: 'mine', summary: 's', source: 's', params: z.strictObject({}),
    make: () => ({ retrieve(query) {
      const read = steps.defineStep({ name: 'read', version: 1, artifacts: (recipe) => (${artifacts}),
        run: ([query, vector], { artifacts }) => { ${body} } })
      return { ranking: read([query, steps.embedQuery([query], null)], null) }
    } }),
  })`
  const folder = temporaryFolder({ 'mine.mjs': text })
  return answers(await loadCustom(`${folder}/mine.mjs`, customStrategy)) as Promise<unknown> as Promise<T[]>
}

async function answers(strategy: Strategy): Promise<Ranking[]> {
  const { ranking } = retrieved(strategy)
  return evaluate(await prepare(temporaryFolder(), [ranking]), ranking, questions)
}

describe('what a step of one’s own reads', () => {
  test('dense search is the product’s, and so are the vectors behind it', async () => {
    const ranking = await step<Ranking & { again: number[]; cosines: number[] }>(
      '{ dense: indexes.dense(recipe) }',
      `const { dense } = artifacts
      const { rows, scores } = dense.search(vector, 100)
      const dot = (a, b) => a.reduce((sum, value, i) => sum + value * b[i], 0)
      dense.vector(rows[0]).fill(0)
      dense.search(vector, 1).rows.fill(0)
      return { rows, scores, cosines: [...dense.cosines(rows, vector)], again: [...rows].map((row) => dot(dense.vector(row), vector)) }`,
    )
    const expected = await answers(naive)
    expect(ranking.map(({ rows, scores }) => ({ rows, scores }))).toEqual(
      expected.map(({ rows, scores }) => ({ rows, scores })),
    )
    for (const { scores, cosines, again } of ranking) {
      expect(cosines).toEqual([...scores])
      for (const [place, cosine] of again.entries()) expect(cosine).toBeCloseTo(scores[place], 5)
    }
  })

  test.each(['entities', 'relationships', 'titles'] as const)('neighbours over %s', async (over) => {
    const [neighbours] = await step<number[][]>(
      `{ next: indexes.neighbors(recipe, '${over}') }`,
      `return Array.from({ length: ${documents.length} }, (_, row) => artifacts.next(row))`,
    )
    const opened = await prepare(temporaryFolder(), [])
    const artifact = chunkNeighbors(recipe, over)
    await opened.prepare(artifact)
    const walk = await opened.open(artifact)
    expect(neighbours).toEqual(
      documents.map((_, row) => {
        const there = new Set<number>()
        walk()(row, (neighbor) => there.add(neighbor))
        return [...there].filter((neighbor) => neighbor !== row).sort((a, b) => a - b)
      }),
    )
    expect(neighbours.flat().length).toBeGreaterThan(0)
  })
})
