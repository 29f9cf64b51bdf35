import { expect, test } from 'vitest'
import { membersOf } from '../../../src/corpus/graph/csr.ts'
import { type Expression, sourceQuery } from '../../../src/retrieve/step.ts'
import { graphInput } from '../../../src/retrieve/steps/entities.ts'
import { linkEntities } from '../../../src/retrieve/steps/link.ts'
import { embedGraphQuery } from '../../../src/retrieve/steps/search.ts'
import type { Ranking } from '../../../src/types.ts'
import { documents, questions } from '../../fixtures/passages.ts'
import { sharedFolder } from '../../temporary.ts'
import { evaluate, prepare, recipe, retrieved, transformed } from '../strategies/prepared.ts'

const folder = sharedFolder()
const source = sourceQuery(recipe)
const link = { entities: 3 }

const plain = (name: string, params = {}) => retrieved(name, params).ranking
const graphFirst = (ranking: Expression<Ranking>, params: object) =>
  transformed('graph-first', params, ranking)

test.each([
  ['naive', 0],
  ['naive', 1],
  ['bm25', 0],
  ['bm25', 1],
])(
  '%s gives its ranking among the chunks of linked entities and of those within %d hops',
  async (name, hops) => {
    const whole = plain(name, { pool: documents.length })
    const root = graphFirst(whole, { ...link, hops, least: 1 })
    const linked = linkEntities([embedGraphQuery(source)], { ...link, above: 0.2 })
    const store = await prepare(folder, [whole, root, linked])
    const graph = await store.open(graphInput(recipe).graph)
    const { offsets, targets } = graph.csr
    const near = (row: number) => [row, ...targets.slice(offsets[row], offsets[row + 1])]
    const [all, filtered, entities] = await Promise.all([
      evaluate(store, whole, questions),
      evaluate(store, root, questions),
      evaluate(store, linked, questions),
    ])
    filtered.forEach((ranking, at) => {
      const reached = [...entities[at].rows].flatMap((row) => (hops === 0 ? [row] : near(row)))
      const chunks = new Set(reached.flatMap((row) => [...membersOf(graph.chunksOfEntity, row)]))
      expect(chunks.size).toBeLessThan(documents.length)
      expect([...ranking.rows]).toEqual([...all[at].rows].filter((row) => chunks.has(row)))
    })
  },
)
