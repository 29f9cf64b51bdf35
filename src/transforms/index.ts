import type { Transform } from './define.ts'

/** Every transform there is, in the order of the docs. A new one is one file and one line here. */
export const transforms: readonly Transform[] = []
