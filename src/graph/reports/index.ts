import { createRegistry } from '../../registry.ts'
import type { ReportWriter } from './define.ts'
import { extractive } from './extractive.ts'
import { graphrag } from './graphrag.ts'
import { llm } from './llm.ts'

/** Every way to write community reports. */
export const reportWriters = createRegistry<ReportWriter>('report writer', [extractive, graphrag, llm])
