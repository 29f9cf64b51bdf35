import { type Embeddings, embedTexts, givenTexts } from '../../corpus/dense/embeddings.ts'
import { expressionsOf } from '../../retrieve/step.ts'
import type { Artifact } from '../../store/artifact.ts'
import type { Query } from '../../types.ts'
import { type CompiledTrial, rootsOf } from './compile.ts'

/** Vectors of the dataset's queries, prepared so that a worker opens a model only for rewritten texts. */
export function queryVectors(
  trials: readonly CompiledTrial[],
  queries: readonly Pick<Query, 'text'>[],
): Artifact<Embeddings>[] {
  const texts = givenTexts(queries.map(({ text }) => text))
  const found = new Map<string, Artifact<Embeddings>>()
  for (const { recipe, step, params } of expressionsOf(rootsOf(trials))) {
    const choice = step.embeds?.(recipe, params)
    if (!choice) continue
    const artifact = embedTexts(recipe, 'queries', texts, choice, 'query')
    found.set(artifact.key, artifact)
  }
  return [...found.values()]
}
