import { createRegistry } from '../../registry.ts'
import type { Summarizer } from './define.ts'
import { extractive } from './extractive.ts'
import { llm } from './llm.ts'

/** Every way to summarise clusters of texts. */
export const summarizers = createRegistry<Summarizer>('summarizer', [extractive, llm])
