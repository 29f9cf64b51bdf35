import { loadOwn, type OwnKind } from '../../../own/load.ts'
import type { Strategy } from '../define.ts'
import { toolkitOf } from './toolkit.ts'

/** A strategy of one's own. */
export const ownStrategy: OwnKind<Strategy> = {
  word: 'strategy',
  example: 'export default defineStrategy({...})',
  toolkit: toolkitOf,
  lacks: (found) => [
    ...['name', 'summary', 'source']
      .filter((key) => typeof found[key] !== 'string')
      .map((key) => `${key} (text)`),
    ...(isObjectSchema(found.params) ? [] : ['params (z.strictObject({...}))']),
    ...(typeof found.retrieve === 'function' ? [] : ['retrieve (a function)']),
  ],
  define(exported, guard) {
    const strategy = exported as Strategy
    return {
      ...strategy,
      // A copy of the params: what `retrieve` changed there would change the trial.
      retrieve: (input) =>
        guard.call('`retrieve`', () =>
          strategy.retrieve({ ...input, params: structuredClone(input.params) }),
        ),
    }
  },
}

/** Loads the strategy that the file at `path` (absolute) holds. The file's code is run. */
export function loadStrategy(path: string): Promise<Strategy> {
  return loadOwn(path, ownStrategy)
}

/** By what it can do, not by its class: the file may bring its own copy of zod. */
function isObjectSchema(value: unknown): boolean {
  const schema = value as { shape?: unknown; safeParse?: unknown } | undefined
  return typeof schema?.shape === 'object' && typeof schema.safeParse === 'function'
}
