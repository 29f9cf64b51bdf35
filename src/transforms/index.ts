import type { Transform } from './define.ts'

/** Every transform there is, by name, in the order of the docs. A new one is one file and one line here. */
export const transforms: Readonly<Record<string, Transform>> = {}
