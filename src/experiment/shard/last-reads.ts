import { type Expression, expressionsOf } from '../../retrieve/step.ts'
import type { CompiledTrial } from '../plan/compile.ts'

/**
 * Expressions, by trial, that neither it nor a later trial reads again. Equal computations (with the same `own`) share cells
 * and go together.
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
