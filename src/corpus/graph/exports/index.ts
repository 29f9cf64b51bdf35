import type { GraphExport } from './define.ts'
import { graphml } from './graphml.ts'
import { graphrag } from './graphrag.ts'

/** Forms in which a graph is written, in the order of the docs. */
export const graphExports: readonly GraphExport[] = [graphrag, graphml]
