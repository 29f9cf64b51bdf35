import { createRegistry } from '../../../registry.ts'
import type { ReportWriter } from './define.ts'
import { extractiveReports } from './extractive.ts'
import { graphragReports } from './graphrag.ts'
import { llmReports } from './llm.ts'
import { nanoGraphragReports } from './nano-graphrag.ts'

/** Built-in writers of community reports. */
export const reportWriters = createRegistry<ReportWriter>('report writer', [
  extractiveReports,
  graphragReports,
  llmReports,
  nanoGraphragReports,
])
