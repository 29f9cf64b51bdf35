import { z } from 'zod'

const count = z.number()
const listOf = <T extends z.ZodType>(item: T) => z.array(item).readonly()

const cost = z.object({ calls: count, inputTokens: count, outputTokens: count, dollars: count.nullable() })
const description = z.object({
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
  /** Cost of extraction; absent without a model. `dollars` is null if a price is unknown. */
  cost: cost.optional(),
})

/** A graph that trials read, in `graphs.json`; not part of the result's hash. */
export type GraphDescription = Readonly<z.infer<typeof description>>
export type GraphCost = Readonly<z.infer<typeof cost>>

export function isGraphs(value: unknown): value is readonly GraphDescription[] {
  return z.array(description).safeParse(value).success
}
