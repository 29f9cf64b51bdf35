import { bm25 } from './bm25.ts'
import type { Strategy } from './define.ts'
import { hybrid } from './hybrid.ts'
import { naive } from './naive.ts'

/** Every strategy there is, in the order of the docs. A new one is one file and one line here. */
export const strategies: readonly Strategy[] = [naive, bm25, hybrid] as readonly Strategy[]
