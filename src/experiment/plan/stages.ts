import type { Memo } from '../../retrieve/evaluate.ts'
import { readFor } from '../../retrieve/explain.ts'
import { type Expression, expressionsOf } from '../../retrieve/step.ts'
import { maskOfTrial } from '../../retrieve/steps/trial.ts'
import type { Ranking } from '../../types.ts'

/**
 * Ordered stages in which a gold label can be lost, derived from a trial's expression, so that every strategy, including
 * a custom one, has a funnel:
 *
 *     corpus -> index -> filter, if any -> pool (any step that finds chunks) -> each later ranking step -> depth -> found
 *
 * A label is lost in the stage after the last one that contains it.
 */
export const CORPUS = 'not in corpus'
export const INDEX = 'not in index'
export const FILTER = 'left out by the filter'
export const POOL = 'not in a pool'
export const DEPTH = 'below depth'
export const FOUND = 'found'
export const FAILED_STAGE = 'failed'

export function stageNames(root: Expression<Ranking>): string[] {
  const later = expressionsOf([root]).filter(isLater).map(nameOf)
  const filter = maskOfTrial(root) ? [FILTER] : []
  return [...new Set([FAILED_STAGE, CORPUS, INDEX, ...filter, POOL, ...later, DEPTH, FOUND])]
}

export function fixedPath(root: Expression<Ranking>): readonly Expression<unknown>[] | null {
  const all = expressionsOf([root])
  return all.some(({ step }) => step.pick) ? null : all.filter(isStop)
}

/** Path of the query at `position`, through the picked arms. */
export function stagePath(
  memo: Memo,
  root: Expression<Ranking>,
  position: number,
): readonly Expression<unknown>[] {
  return readFor(memo, root, position).filter(isStop)
}

export function nameOf({ step }: Expression<unknown>): string {
  return `lost by ${step.name}`
}

function isStop(expression: Expression<unknown>): boolean {
  return expression.step.channel !== undefined || isLater(expression)
}

function isLater({ step }: Expression<unknown>): boolean {
  return step.yields === 'ranking' && !step.channel && !step.pick
}
