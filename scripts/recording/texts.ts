import { rootsOf } from '../../src/experiment/plan/compile.ts'
import type { OpenExperiment } from '../../src/experiment/plan/open.ts'
import type { Embedder } from '../../src/models/embedder.ts'
import { createMemo } from '../../src/retrieve/evaluate.ts'
import { expressionsOf, isSource } from '../../src/retrieve/step.ts'
import type { Artifact } from '../../src/store/artifact.ts'
import type { Store } from '../../src/store/store.ts'

/**
 * Every text that an experiment embeds, equal ones once: what its artifacts are the vectors of, and what its steps embed
 * of each query. Which embedder it is opened with does not matter; `lsa` is the quick one. A text that a step makes of
 * what it has found would be missed, and replaying would say so.
 */
export async function textsToEmbed(open: OpenExperiment): Promise<string[]> {
  const { store } = open
  const found = new Set<string>()
  for (const artifact of withInputs(open.artifacts)) {
    if (!artifact.name.startsWith('embeddings_')) continue
    const texts = artifact.inputs.texts as Artifact<readonly string[]>
    await store.prepare(texts)
    for (const text of await store.open(texts)) found.add(text)
  }
  const embedding = expressionsOf(rootsOf(open.trials)).filter(
    (expression) =>
      !isSource(expression) && Object.values(expression.artifacts).some(({ name }) => name === 'embedder'),
  )
  for (const { artifacts } of expressionsOf(embedding))
    for (const artifact of Object.values(artifacts)) await store.prepare(artifact)
  const memo = createMemo(listening(store, found), open.dataset.queries, () => 0)
  for (const expression of embedding) {
    const failed = (await memo.cells(expression)).find((cell) => cell?.failure)?.failure
    if (failed) throw new Error(`${failed.step}: ${failed.message}`)
  }
  return [...found]
}

/** The store, but what its embedders are given is put into `found`. */
function listening(store: Store, found: Set<string>): Store {
  return {
    ...store,
    async open<T>(artifact: Artifact<T>): Promise<T> {
      const content = await store.open(artifact)
      if (artifact.name !== 'embedder') return content
      const { model, dims, embed } = content as Embedder
      const recorder: Embedder = {
        model,
        dims,
        embed(texts, progress) {
          for (const text of texts) found.add(text)
          return embed(texts, progress)
        },
      }
      return recorder as T
    },
  }
}

/** The artifacts and all that they are built from, each once. */
function withInputs(artifacts: readonly Artifact<unknown>[]): Artifact<unknown>[] {
  const found = new Map<string, Artifact<unknown>>()
  const visit = (artifact: Artifact<unknown>) => {
    if (found.has(artifact.key)) return
    found.set(artifact.key, artifact)
    Object.values(artifact.inputs).forEach(visit)
  }
  artifacts.forEach(visit)
  return [...found.values()]
}
