import type { Memo } from '../../retrieve/evaluate.ts'
import { type Expression, expressionsOf } from '../../retrieve/step.ts'
import { maskOfTrial } from '../../retrieve/steps/filter.ts'
import type { Ranking } from '../../types.ts'

/**
 * The ordered stages in which a gold label can be lost, read off a trial's expression, so that every strategy, one's
 * own too, has a funnel without writing one:
 *
 *     corpus -> index -> filter, where there is one -> pool (any step that finds chunks itself) -> each later step that ranks -> depth -> found
 *
 * A label is lost in the stage after the last one that holds it.
 */
export const CORPUS = 'not in corpus'
export const INDEX = 'not in index'
export const FILTER = 'left out by the filter'
export const POOL = 'not in a pool'
export const DEPTH = 'below depth'
export const FOUND = 'found'
export const FAILED_STAGE = 'failed'

/** The names of all stages a trial may have, in order, whatever a query's path through it. */
export function stageNames(root: Expression<Ranking>): string[] {
  const later = expressionsOf([root]).filter(isLater).map(nameOf)
  const filter = maskOfTrial(root) ? [FILTER] : []
  return [...new Set([FAILED_STAGE, CORPUS, INDEX, ...filter, POOL, ...later, DEPTH, FOUND])]
}

/** What finds or ranks chunks in a trial, in order; null where the path through it depends on the query. */
export function fixedPath(root: Expression<Ranking>): readonly Expression<unknown>[] | null {
  const all = expressionsOf([root])
  return all.some(({ step }) => step.pick) ? null : all.filter(isStop)
}

/** The same for the query at `place`, through the arms that were really picked. */
export function stagePath(
  memo: Memo,
  root: Expression<Ranking>,
  position: number,
): readonly Expression<unknown>[] {
  const path: Expression<unknown>[] = []
  const seen = new Set<string>()
  const visit = (expression: Expression<unknown>) => {
    if (seen.has(expression.key)) return
    seen.add(expression.key)
    const { step, inputs, params } = expression
    if (step.pick) {
      visit(inputs[0])
      const first = memo.cell(inputs[0], position)
      if (first && !first.failure) visit(inputs[step.pick(first.value, params) + 1])
      return
    }
    for (const input of inputs) visit(input)
    if (isStop(expression)) path.push(expression)
  }
  visit(root)
  return path
}

/** The stage of a later step. */
export function nameOf({ step }: Expression<unknown>): string {
  return `lost by ${step.name}`
}

function isStop(expression: Expression<unknown>): boolean {
  return expression.step.channel !== undefined || isLater(expression)
}

function isLater({ step }: Expression<unknown>): boolean {
  return step.yields === 'ranking' && !step.channel && !step.pick
}
