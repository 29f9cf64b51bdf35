import type { EngineKind } from './define.ts'

export type { BothSides, EngineBm25, EngineFusion, EngineKind, Found } from './define.ts'

/** Kinds of engines by name. The registry reaches an engine through this table, which loads its modules on request. */
export const engineEntries: Readonly<Record<string, () => Promise<EngineKind>>> = {
  opensearch: async () => (await import('./opensearch/kind.ts')).opensearch,
  chroma: async () => (await import('./chroma/kind.ts')).chroma,
  pgvector: async () => (await import('./pgvector/kind.ts')).pgvector,
}

/**
 * Removes the index that an artifact's folder names from its engine; nothing if the artifact has none. Throws a UserError if
 * the engine does not answer or the index is not Touchstone's.
 */
export async function removeIndexOf(folder: string): Promise<void> {
  const { storedIndex } = await import('./stored.ts')
  const stored = storedIndex(folder)
  if (!stored || !Object.hasOwn(engineEntries, stored.kind)) return
  const { remove } = await engineEntries[stored.kind]()
  await remove(stored.place, stored.index)
}
