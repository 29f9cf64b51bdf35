import type { Trial } from '../config/experiment.ts'
import type { Strategy } from '../strategies/define.ts'
import { strategies } from '../strategies/index.ts'
import { loadStrategy } from '../strategies/load.ts'
import { transforms } from '../transforms/index.ts'
import type { Registries } from './compile.ts'

/** The product's strategies and transforms, and the users' own strategies that `trials` name by file. */
export async function loadRegistries(trials: readonly Trial[]): Promise<Registries> {
  const byName = new Map<string, Strategy>(Object.entries(strategies))
  for (const { strategy, sha256 } of trials) {
    if (sha256 && !byName.has(strategy)) byName.set(strategy, await loadStrategy(strategy))
  }
  return { strategies: byName, transforms: new Map(Object.entries(transforms)) }
}
