import { type Expression, expressionsOf } from '../../retrieve/step.ts'
import type { CompiledTrial } from '../plan/compile.ts'

/**
 * By trial: the expressions that neither it nor a later trial reads again once it is done. Equal computations (of one
 * `own`) go together, as their cells do.
 */
export function lastReads(
  trials: readonly Pick<CompiledTrial, 'ranking' | 'evidence'>[],
): readonly (readonly Expression<unknown>[])[] {
  const byOwn = new Map<string, { last: number; readonly expressions: Map<string, Expression<unknown>> }>()
  trials.forEach(({ ranking, evidence }, trial) => {
    for (const expression of expressionsOf(evidence ? [ranking, evidence] : [ranking])) {
      const known = byOwn.get(expression.own) ?? { last: trial, expressions: new Map() }
      known.last = trial
      known.expressions.set(expression.key, expression)
      byOwn.set(expression.own, known)
    }
  })
  const reads: Expression<unknown>[][] = trials.map(() => [])
  for (const { last, expressions } of byOwn.values()) reads[last].push(...expressions.values())
  return reads
}
