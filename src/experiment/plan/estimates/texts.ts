import { embeddedAs, localModelOf, missingTexts } from '../../../corpus/dense/embeddings.ts'
import type { Embedder } from '../../../models/embedder.ts'
import { type Artifact, artifactsBelow } from '../../../store/artifact.ts'
import type { Progress } from '../../../types.ts'
import type { OpenExperiment } from '../open.ts'

export interface TextsToEmbed {
  /** Keyed by kind; null if they only exist after other embeddings. */
  readonly toEmbed: Readonly<Record<string, number | null>>
  /** Seconds by embedder, measured on up to 50 texts. */
  readonly embedTimes: readonly { embedder: string; texts: number; seconds: number }[]
}

const MEASURED = 50

/**
 * Counts the texts that preparing embeds, exactly; builds missing chunks, graphs and reports. Without texts in
 * `counted`, and texts that steps derive from queries.
 */
export async function countTextsToEmbed(
  { store, artifacts }: Pick<OpenExperiment, 'store' | 'artifacts'>,
  counted: Map<string, Set<string>>,
  clock: () => number,
  progress?: Progress,
): Promise<TextsToEmbed> {
  const toEmbed: Record<string, number | null> = {}
  const local = new Map<string, { readonly model: Artifact<Embedder>; readonly texts: string[] }>()
  for (const artifact of artifactsBelow(artifacts)) {
    const kind = embeddedAs(artifact)
    if (kind === undefined) continue
    toEmbed[kind] ??= kind in toEmbed ? null : 0
    if (store.has(artifact)) continue
    const { texts, embedder } = artifact.inputs
    const waits = artifactsBelow([texts]).some((below) => below.name === 'embedder' || embeddedAs(below))
    if (waits) toEmbed[kind] = null
    if (toEmbed[kind] === null || waits) continue
    await store.prepare(texts, progress)
    const missing = await missingTexts(store, artifact, counted)
    toEmbed[kind] += missing.length
    const model = localModelOf(embedder)
    if (!model || missing.length === 0) continue
    const group = local.get(model.key) ?? { model, texts: [] }
    local.set(model.key, group)
    for (const text of missing) group.texts.push(text)
  }
  const embedTimes = []
  for (const { model, texts } of local.values()) {
    const { model: embedder, embed } = await store.open(model)
    const count = Math.min(MEASURED, texts.length)
    const at = (index: number) => Math.floor((index * texts.length) / count)
    const sample = Array.from({ length: count }, (_, index) => texts[at(index)])
    await embed(sample.map(() => 'a'))
    const start = clock()
    await embed(sample)
    const seconds = ((clock() - start) / 1000) * (texts.length / count)
    embedTimes.push({ embedder, texts: texts.length, seconds })
  }
  return { toEmbed, embedTimes }
}

export function embeddingLines({ toEmbed, embedTimes }: TextsToEmbed): string[] {
  const time = (seconds: number) =>
    seconds < 120 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} min`
  return [
    ...Object.entries(toEmbed)
      .filter(([, count]) => count !== 0)
      .map(
        ([kind, count]) =>
          `to embed: ${kind}, ${count?.toLocaleString('en') ?? 'unknown: they are made with an embedder'}`,
      ),
    ...embedTimes.map(
      ({ embedder, texts, seconds }) =>
        `time to embed: about ${time(seconds)} for ${texts.toLocaleString('en')} texts by ${embedder} on this machine, measured on ${Math.min(MEASURED, texts)}`,
    ),
  ]
}
