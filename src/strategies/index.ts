import { bm25 } from './bm25.ts'
import type { Strategy } from './define.ts'
import { external } from './external.ts'
import { graphragGlobal } from './graphrag-global.ts'
import { graphragLocal } from './graphrag-local.ts'
import { hipporag } from './hipporag.ts'
import { hybrid } from './hybrid.ts'
import { lightrag } from './lightrag.ts'
import { naive } from './naive.ts'
import { routerOver } from './router.ts'
import { run } from './run.ts'
import { titlePpr } from './title-ppr.ts'

const single = {
  naive,
  bm25,
  hybrid,
  'graphrag-local': graphragLocal,
  'graphrag-global': graphragGlobal,
  lightrag,
  hipporag,
  'title-ppr': titlePpr,
} as unknown as Readonly<Record<string, Strategy>>

/** Every strategy there is, by name, in the order of the docs. A new one is one file and one line above. */
export const strategies: Readonly<Record<string, Strategy>> = {
  ...single,
  router: routerOver(single) as unknown as Strategy,
  run: run as unknown as Strategy,
  external: external as unknown as Strategy,
}
