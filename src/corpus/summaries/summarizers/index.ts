import { createRegistry } from '../../../registry.ts'
import type { Summarizer } from './define.ts'
import { extractiveSummarizer } from './extractive.ts'
import { llmSummarizer } from './llm.ts'

/** Built-in summarizers. */
export const summarizers = createRegistry<Summarizer>('summarizer', [extractiveSummarizer, llmSummarizer])
