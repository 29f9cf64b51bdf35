/** The steps that a strategy of one's own may use. */
export { embedQuery } from './embed-query.ts'
export { fallback, fallbackUnlinked } from './fallback.ts'
export { fuseSides } from './fuse.ts'
export { searchBm25 } from './search-bm25.ts'
export { searchDense } from './search-dense.ts'
export { defineStep, type Expression, type StepContext, type StepDefinition } from './step.ts'
