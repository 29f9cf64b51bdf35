import { z } from 'zod'
import { embedGraphQuery, embedQuery } from '../../steps/embed.ts'
import { engineName, searchDenseIn } from '../../steps/engine.ts'
import { fallback } from '../../steps/fallback.ts'
import { hashNames, queryNames } from '../../steps/keywords.ts'
import { linkNames } from '../../steps/link.ts'
import { damping, pool } from '../../steps/params.ts'
import { defineStrategy } from '../define.ts'
import { bridgeEntities, walkTriGraph } from './steps.ts'

const params = z.strictObject({
  names: z
    .string()
    .min(1)
    .optional()
    .meta({ path: true })
    .describe('a file of names in the questions, found by another program; default: by rules'),
  tiers: z
    .int()
    .min(1)
    .max(20)
    .default(3)
    .describe('tiers of activated entities; the first is those that the question names'),
  sentences: z
    .int()
    .min(1)
    .max(100)
    .default(3)
    .describe('sentences of an entity that activate the entities in them'),
  threshold: z.number().min(0).max(1).default(0.4).describe('minimum score of an activated entity'),
  passageRatio: z
    .number()
    .min(0)
    .max(100)
    .default(2)
    .describe("weight of a passage's cosine relative to its entities"),
  passageWeight: z
    .number()
    .min(0)
    .max(100)
    .default(0.05)
    .describe('weight of passages relative to entities at the start of the walk'),
  damping: damping(0.5),
  pool: pool(),
  engine: engineName('dense search, which it starts from or falls back to,'),
})

/**
 * A walk over entities and passages without any relationship between entities: sentences lead from the entities that the
 * query names to others, by their similarity to the query. Of `prepare.graph` only the entities and their chunks are read.
 * If the query names no entity, the result is the dense ranking, counted as a fallback.
 */
export const linearrag = defineStrategy({
  name: 'linearrag',
  summary:
    "ranks passages by a random walk (personalised PageRank) from the query's entities and from entities that share a sentence with them",
  source: 'Zhuang et al., LinearRAG (ICLR 2026); DEEP-PolyU/LinearRAG',
  params,
  files: ({ names }): Readonly<Record<string, string>> =>
    names === undefined ? {} : { names: hashNames(names) },
  retrieve({ query, params }) {
    const { tiers, sentences, threshold, damping, passageRatio, passageWeight, pool: depth } = params
    const linked = linkNames([queryNames(query, params.names)], null)
    const activated = bridgeEntities([linked, embedGraphQuery(query)], { tiers, sentences, threshold })
    const vector = embedQuery([query], null)
    const walked = walkTriGraph([activated, vector], { damping, passageRatio, passageWeight, depth })
    return {
      ranking: fallback(walked, searchDenseIn(params.engine, vector, depth), 'the question names no entity'),
    }
  },
})
