import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Recipe } from '../../src/corpus/recipe.ts'
import { loadDataset } from '../../src/dataset/load.ts'
import type { Dataset } from '../../src/dataset/types.ts'
import type { Ranking } from '../../src/types.ts'
import { shared } from '../shared.ts'
import { recipeOf } from './recipes.ts'

/** A set of the repository's own or a shared one, its passages as chunks. */
export async function corpusOf(
  name: string,
  embedder?: Recipe['embedder'],
): Promise<{ dataset: Dataset; recipe: Recipe }> {
  const ownFolder = join(import.meta.dirname, '../../datasets', name)
  const path = existsSync(ownFolder) ? ownFolder : shared('data', name)
  const dataset = await loadDataset({ name: 'beir', params: { path } }, '/')
  return { dataset, recipe: recipeOf(dataset.documents, embedder) }
}

/** Mean recall@5 over the judged queries, of one ranking a query; rows are documents. */
export function meanRecall({ documents, queries, qrels }: Dataset, rankings: readonly Ranking[]): number {
  let sum = 0
  let judged = 0
  queries.forEach(({ id }, place) => {
    const relevant = [...(qrels.get(id) ?? [])]
      .filter(([, grade]) => grade >= 1)
      .map(([document]) => document)
    if (relevant.length === 0) return
    judged++
    const firstIds = [...rankings[place].rows.slice(0, 5)].map((row) => documents[row].id)
    sum += relevant.filter((document) => firstIds.includes(document)).length / relevant.length
  })
  return sum / judged
}
