import { createRegistry } from '../../registry.ts'
import type { Answerer } from '../define.ts'
import { closedBook } from './closed-book.ts'
import { extractiveAnswerer } from './extractive.ts'
import { llmAnswerer } from './llm.ts'
import { mapReduceAnswerer } from './map-reduce.ts'
import { recordedAnswerer } from './recorded.ts'

/** Every answerer, in the order of the docs. A new one is one file and one line here. */
export const answerers = createRegistry<Answerer>('answerer', [
  extractiveAnswerer,
  llmAnswerer,
  mapReduceAnswerer,
  closedBook,
  recordedAnswerer,
])
