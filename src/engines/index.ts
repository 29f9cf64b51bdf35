import type { EngineKind, Server } from './define.ts'

export type { BothSides, EngineBm25, EngineFusion, EngineKind, TimedRanking } from './define.ts'

/** Kinds of engines by name. The registry reaches an engine through this table, which loads its modules on request. */
export const engineEntries: Readonly<Record<string, () => Promise<EngineKind>>> = {
  opensearch: async () => (await import('./opensearch.ts')).opensearch,
  chroma: async () => (await import('./chroma.ts')).chroma,
  pgvector: async () => (await import('./pgvector.ts')).pgvector,
}

/**
 * Removes the index that an artifact's folder names from its engine; nothing if the artifact has none. Throws a UserError if
 * the engine does not answer or the index is not Touchstone's.
 */
export async function removeIndexOf(folder: string): Promise<void> {
  const { removeIndex, storedIndex } = await import('./loaded.ts')
  const stored = storedIndex(folder)
  if (!stored || !Object.hasOwn(engineEntries, stored.kind)) return
  const { server } = await engineEntries[stored.kind]()
  await removeIndex(server, stored.index)
}

/** Version of the engine that a server runs. Throws a UserError if it does not answer. */
export async function versionOf(server: Server): Promise<string> {
  const { withConnection } = await import('./loaded.ts')
  return withConnection(server, (connection) => connection.version())
}
