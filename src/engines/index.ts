import type { Strategy } from '../retrieve/strategies/define.ts'

/** Strategies over external engines by name. The registry of strategies reaches an engine through this table, which loads its modules on request. */
export const engines: Readonly<Record<string, () => Promise<Strategy>>> = {
  lancedb: async () => (await import('./lancedb/strategy.ts')).lancedb,
  'lancedb-text': async () => (await import('./lancedb/text-strategy.ts')).lancedbText,
  pgvector: async () => (await import('./pgvector/strategy.ts')).pgvector,
}
