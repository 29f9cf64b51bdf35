import { csv } from './csv.ts'
import type { GraphExport } from './define.ts'
import { gexf } from './gexf.ts'
import { graphml } from './graphml.ts'
import { graphrag } from './graphrag.ts'
import { hipporag } from './hipporag.ts'
import { lightrag } from './lightrag.ts'

/** Forms in which a graph is written, by name. */
export const graphExports: readonly GraphExport[] = [graphrag, lightrag, hipporag, graphml, gexf, csv]
