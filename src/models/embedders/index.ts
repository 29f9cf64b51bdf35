import type { EmbedderDefinition } from '../embedder.ts'
import { lsa } from './lsa.ts'

/** Every embedder there is, by name, in the order of the docs. A new one is one file and one line here. */
export const embedders = { lsa } as unknown as Readonly<Record<string, EmbedderDefinition>>
