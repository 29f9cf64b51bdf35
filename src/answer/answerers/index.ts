import { createRegistry } from '../../registry.ts'
import type { Answerer } from '../define.ts'
import { closedBook } from './closed-book.ts'
import { extractive } from './extractive.ts'
import { llm } from './llm.ts'
import { mapReduce } from './map-reduce.ts'

/** Every answerer, in the order of the docs. A new one is one file and one line here. */
export const answerers = createRegistry<Answerer>('answerer', [extractive, llm, mapReduce, closedBook])
