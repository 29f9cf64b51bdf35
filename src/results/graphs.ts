import { z } from 'zod'

/**
 * `graphs.json`: description of each graph that trials read, with pictures of small parts of it. Derived from config and data,
 * and never part of the result's hash.
 */
export interface GraphDescription {
  /** Names of the extractors. */
  readonly extractors: readonly string[]
  readonly statistics: {
    readonly entities: number
    readonly relationships: number
    readonly components: number
    readonly largestComponent: number
    readonly isolatedEntities: number
    readonly chunks: number
    readonly isolatedChunks: number
    readonly entitiesPerChunk: number
  }
  readonly shape: {
    readonly degrees: readonly { readonly from: number; readonly to: number; readonly entities: number }[]
    readonly largest: readonly {
      readonly name: string
      readonly neighbors: number
      readonly chunks: number
    }[]
    readonly neighborsPerChunk: number
    readonly duplicates: readonly (readonly string[])[]
  }
  readonly reach: {
    readonly queries: number
    readonly linked: number
    readonly byHops: readonly { readonly hops: number; readonly gold: number; readonly chunks: number }[]
  }
  /** Completions that extraction read; absent if it asks no model. `dollars` is null if the model has no known price. */
  readonly cost?: GraphCost
  readonly pictures: readonly GraphPart[]
}

export interface GraphCost {
  readonly calls: number
  readonly inputTokens: number
  readonly outputTokens: number
  readonly dollars: number | null
}

/** Neighbourhood of an entity, or of the entities that a query names. */
export interface GraphPart {
  /** Row of the query; absent for the neighbourhood of an entity. */
  readonly query?: number
  readonly title: string
  readonly nodes: readonly { readonly name: string; readonly start: boolean; readonly goal: boolean }[]
  readonly edges: readonly { readonly ends: readonly [number, number]; readonly walked: boolean }[]
  /** Neighbours that were left out. */
  readonly omitted: number
  /** Names along the paths of trials. */
  readonly paths: readonly { readonly trial: string; readonly names: readonly (readonly string[])[] }[]
}

const count = z.number()
const graphs: z.ZodType<readonly GraphDescription[]> = z.array(
  z.object({
    extractors: z.array(z.string()),
    statistics: z.object({
      ...{ entities: count, relationships: count, components: count, largestComponent: count },
      ...{ isolatedEntities: count, chunks: count, isolatedChunks: count, entitiesPerChunk: count },
    }),
    shape: z.object({
      degrees: z.array(z.object({ from: count, to: count, entities: count })),
      largest: z.array(z.object({ name: z.string(), neighbors: count, chunks: count })),
      neighborsPerChunk: count,
      duplicates: z.array(z.array(z.string())),
    }),
    reach: z.object({
      ...{ queries: count, linked: count },
      byHops: z.array(z.object({ hops: count, gold: count, chunks: count })),
    }),
    cost: z
      .object({ calls: count, inputTokens: count, outputTokens: count, dollars: count.nullable() })
      .optional(),
    pictures: z.array(
      z.object({
        ...{ query: count.optional(), title: z.string(), omitted: count },
        nodes: z.array(z.object({ name: z.string(), start: z.boolean(), goal: z.boolean() })),
        edges: z.array(z.object({ ends: z.tuple([count, count]), walked: z.boolean() })),
        paths: z.array(z.object({ trial: z.string(), names: z.array(z.array(z.string())) })),
      }),
    ),
  }),
)

/** True if a parsed `graphs.json` has the form that a run writes: no hash vouches for it. */
export function isGraphs(value: unknown): value is readonly GraphDescription[] {
  return graphs.safeParse(value).success
}
