import { createRegistry } from '../../../registry.ts'
import type { Summarizer } from './define.ts'
import { extractiveSummarizer } from './extractive.ts'
import { llmSummarizer } from './llm.ts'

/** Every way to summarise clusters of texts. */
export const summarizers = createRegistry<Summarizer>('summarizer', [extractiveSummarizer, llmSummarizer])
