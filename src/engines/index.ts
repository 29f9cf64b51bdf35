import type { EngineKind } from './define.ts'

export type { EngineBm25, EngineKind } from './define.ts'

/** Kinds of engines by name. The registry reaches an engine through this table, which loads its modules on request. */
export const engineEntries: Readonly<Record<string, () => Promise<EngineKind>>> = {
  opensearch: async () => (await import('./opensearch/kind.ts')).opensearch,
  pgvector: async () => (await import('./pgvector/kind.ts')).pgvector,
  lancedb: async () => (await import('./lancedb/kind.ts')).lancedb,
}
