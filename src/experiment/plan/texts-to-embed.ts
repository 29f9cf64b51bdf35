import { type Counted, countMissing, type Embeddings, embeddedAs } from '../../corpus/dense/embeddings.ts'
import { type Artifact, artifactsBelow } from '../../store/artifact.ts'
import type { Progress } from '../../types.ts'
import type { OpenExperiment } from './open.ts'

/** Number of texts that preparing would embed, by kind; null if they only exist after other embeddings. */
export type TextsToEmbed = Readonly<Record<string, number | null>>

/**
 * Counts the texts that preparing would embed, exactly. Builds missing chunks, graphs and reports for that and keeps them in
 * the store; embeds nothing and opens no model. Texts already in `counted` (embedded for another dataset) are not counted
 * again. Texts that steps derive from a query at run time are not included.
 */
export async function countTextsToEmbed(
  { store, artifacts }: OpenExperiment,
  counted: Counted,
  progress?: Progress,
): Promise<TextsToEmbed> {
  const counts: Record<string, number | null> = {}
  // In embedding order: a text is counted for the first table that contains it.
  for (const artifact of artifactsBelow(artifacts)) {
    const texts = embeddedAs(artifact)
    if (texts === undefined) continue
    const known = counts[texts] === undefined ? 0 : counts[texts]
    if (store.has(artifact)) counts[texts] = known
    else if (takesEmbedder(artifact.inputs.texts)) counts[texts] = null
    else {
      await store.prepare(artifact.inputs.texts, progress)
      const missing = await countMissing(store, artifact as Artifact<Embeddings>, counted)
      counts[texts] = known === null ? null : known + missing
    }
  }
  return counts
}

/** True if the texts depend on embeddings, such as summaries of clusters. */
function takesEmbedder(texts: Artifact<unknown>): boolean {
  return artifactsBelow([texts]).some(
    (artifact) => artifact.name === 'embedder' || embeddedAs(artifact) !== undefined,
  )
}
