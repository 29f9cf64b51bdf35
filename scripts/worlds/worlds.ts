import { ragIng } from './rag-ing.ts'
import { ragService } from './rag-service.ts'
import { rulebook } from './rulebook.ts'
import { sixStrategies } from './six-strategies.ts'
import { traversal } from './traversal.ts'
import type { World } from './world.ts'

export const SEED = 36

/** World of each described system, by the name of its config. */
export const WORLDS: Readonly<Record<string, (seed: number) => World>> = {
  'rag-ing': ragIng,
  'rag-service': ragService,
  rulebook,
  'six-strategies': sixStrategies,
  traversal,
}
