import { describe, expect, test } from 'vitest'
import type { Category } from '../../scripts/world/model.ts'
import { lines } from '../../scripts/world/write.ts'
import { strategies } from '../../src/retrieve/strategies/index.ts'
import type { Document } from '../../src/types.ts'
import { temporaryFolder } from '../temporary.ts'
import { SEED } from '../world/quickstart.ts'
import { type Judged, recallAt5 } from '../world/recall.ts'

await strategies.load()

/** That the world does what it was designed for: strategies differ, and none is best at everything. */
const documents: Document[] = []
const gold = new Map<string, string[]>()
const asked: { id: string; text: string; category: Category }[] = []
for (const [file, line] of lines(SEED)) {
  if (file === 'corpus.jsonl') {
    const { _id, title, text } = JSON.parse(line)
    documents.push({ id: _id, title, text, metadata: {} })
  } else if (file === 'queries.jsonl') {
    const { _id, text, metadata } = JSON.parse(line)
    asked.push({ id: _id, text, category: metadata.category })
  } else if (!line.startsWith('query-id')) {
    const [query, passage] = line.split('\t')
    gold.set(query, [...(gold.get(query) ?? []), passage])
  }
}
const queries: Judged[] = asked.flatMap((query) => {
  const judged = gold.get(query.id)
  return judged ? [{ ...query, gold: judged }] : []
})
const categories = [...new Set(queries.map(({ category }) => category))]

describe('recall@5 with defaults, by category', () => {
  test('differs between strategies, and none wins everywhere', async () => {
    const store = temporaryFolder()
    const means = new Map<string, Map<string, number>>()
    // A strategy that needs a param (a run's file, a command) has no defaults to be tried with.
    const withDefaults = strategies.all.filter(({ params }) => params.safeParse({}).success)
    for (const { name } of withDefaults) {
      const recalls = await recallAt5(name, documents, queries, store)
      const byCategory = categories.map((category): [string, number] => {
        const values = recalls.filter((_, place) => queries[place].category === category)
        return [category, values.reduce((sum, value) => sum + value, 0) / values.length]
      })
      means.set(name, new Map(byCategory))
    }
    const of = (name: string, category: Category) => means.get(name)?.get(category) as number

    for (const category of categories) expect(of('bm25', category as Category), category).toBeLessThan(1)
    expect(of('bm25', 'paraphrase')).toBeLessThan(0.15)
    expect(of('naive', 'paraphrase') - of('bm25', 'paraphrase')).toBeGreaterThan(0.15)
    // Titles are mentioned often in this world, and their rarity counts, so the walk gains less than it might.
    expect(of('title-ppr', 'bridge2') - of('bm25', 'bridge2')).toBeGreaterThan(0.03)
    for (const [name, row] of means) {
      const beaten = categories.filter((category) =>
        [...means.values()].some((other) => (other.get(category) ?? 0) > (row.get(category) ?? 0)),
      )
      expect(beaten, name).not.toEqual([])
    }
  }, 180_000)
})
