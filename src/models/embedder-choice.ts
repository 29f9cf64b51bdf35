import { z } from 'zod'
import type { Json } from '../types.ts'

export interface EmbedderChoice {
  readonly name: string
  readonly params: Readonly<Record<string, Json>>
}

/** The param of what compares vectors: an embedder and its params, read by the config. */
export const embedderParam = z
  .unknown()
  .optional()
  .meta({ slot: 'embedderChoice' })
  .describe('embedder of the compared vectors, written as in `prepare`; default: `prepare.embedder`')
