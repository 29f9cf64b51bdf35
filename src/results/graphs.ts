import { z } from 'zod'

const count = z.number()
const listOf = <T extends z.ZodType>(item: T) => z.array(item).readonly()

const cost = z.object({ calls: count, inputTokens: count, outputTokens: count, dollars: count.nullable() })
const description = z.object({
  /** Names of the extractors. */
  extractors: listOf(z.string()),
  statistics: z.object({
    entities: count,
    relationships: count,
    components: count,
    largestComponent: count,
    isolatedEntities: count,
    chunks: count,
    isolatedChunks: count,
    entitiesPerChunk: count,
  }),
  shape: z.object({
    degrees: listOf(z.object({ from: count, to: count, entities: count })),
    largest: listOf(z.object({ name: z.string(), neighbors: count, chunks: count })),
    neighborsPerChunk: count,
    duplicates: listOf(listOf(z.string())),
  }),
  reach: z.object({
    queries: count,
    linked: count,
    byHops: listOf(z.object({ hops: count, gold: count, chunks: count })),
  }),
  /** Completions that extraction read; absent if it asks no model. `dollars` is null if the model has no known price. */
  cost: cost.optional(),
})

/** Description of a graph that trials read, in `graphs.json`. Derived from config and data, and never part of the result's hash. */
export type GraphDescription = Readonly<z.infer<typeof description>>
export type GraphCost = Readonly<z.infer<typeof cost>>

/** True if a parsed `graphs.json` has the form that a run writes. */
export function isGraphs(value: unknown): value is readonly GraphDescription[] {
  return z.array(description).safeParse(value).success
}
