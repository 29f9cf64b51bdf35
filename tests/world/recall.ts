import { documentsTable, textUnits } from '../../src/corpus/corpus.ts'
import type { Choice, Recipe } from '../../src/corpus/recipe.ts'
import { createMemo } from '../../src/retrieve/evaluate.ts'
import { expressionsOf, sourceQuery } from '../../src/retrieve/step.ts'
import { hashOf } from '../../src/store/hash.ts'
import { openStore } from '../../src/store/store.ts'
import type { Document, Json, Ranking } from '../../src/types.ts'
import { retrieved } from '../retrieve/strategies/prepared.ts'

export interface Judged {
  readonly id: string
  readonly text: string
  readonly category: string
  readonly gold: readonly string[]
}

/** Recall@5 of each query under one strategy with its defaults, over documents as they are. */
export async function recallAt5(
  name: string,
  documents: readonly Document[],
  queries: readonly Judged[],
  store: string,
  embedder: Choice = { name: 'lsa', params: {} },
): Promise<number[]> {
  const table = documentsTable({ hash: hashOf(documents as unknown as Json), load: async () => documents })
  const choice = (name: string): Choice => ({ name, params: {} })
  const recipe: Recipe = {
    documents: table,
    chunk: choice('passages'),
    embedder,
    graph: [choice('rules'), choice('titles')],
    communities: choice('leiden'),
    reports: choice('extractive'),
    tree: choice('extractive'),
  }
  const { ranking } = retrieved(name, {}, sourceQuery(recipe))
  const opened = openStore(store)
  await opened.prepare(textUnits(recipe))
  for (const { artifacts } of expressionsOf([ranking])) {
    for (const artifact of Object.values(artifacts)) await opened.prepare(artifact)
  }
  const chunks = await opened.open(textUnits(recipe))
  const asked = queries.map(({ id, text }) => ({ id, text, metadata: {} }))
  const cells = await createMemo(opened, asked, () => 0).cells(ranking)
  return queries.map(({ id, gold }, place) => {
    const cell = cells[place]
    if (!cell || cell.failure) throw new Error(`${name} failed on ${id}: ${cell?.failure?.message}`)
    const first = [...(cell.value as Ranking).rows.subarray(0, 5)].map((row) => chunks[row].documentId)
    return gold.filter((id) => first.includes(id)).length / gold.length
  })
}
