import { type Counted, countMissing, type Embeddings, embeddedAs } from '../../corpus/dense/embeddings.ts'
import { type Artifact, artifactsBelow } from '../../store/artifact.ts'
import type { Progress } from '../../types.ts'
import type { OpenExperiment } from './open.ts'

/** How many texts preparing would embed, by what they are; null where they are only made with an embedder. */
export type TextsToEmbed = Readonly<Record<string, number | null>>

/**
 * Counts the texts that preparing would embed, exactly: chunks, graphs and reports are made for that, where they are
 * missing, and kept in the store for whoever prepares; nothing is embedded and no model opened. Texts that are in
 * `counted` already (another dataset's, by then kept) are not counted again. What a step makes of a query while it runs,
 * as keywords, is no part of it.
 */
export async function countTextsToEmbed(
  { store, artifacts }: OpenExperiment,
  counted: Counted,
  progress?: Progress,
): Promise<TextsToEmbed> {
  const counts: Record<string, number | null> = {}
  // In the order in which they are embedded: the first table that holds a text counts it.
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

/** True if the texts are only known once others are embedded, as summaries of clusters. */
export function takesEmbedder(texts: Artifact<unknown>): boolean {
  return artifactsBelow([texts]).some(
    (artifact) => artifact.name === 'embedder' || embeddedAs(artifact) !== undefined,
  )
}
