import type { Choice, Recipe } from '../../corpus/recipe.ts'
import { type Retrieved, reapply, rewriteRetrieved, rewriter } from '../step.ts'

/**
 * Gives the lexical searches of a trial another language than `prepare`: their steps read an index over another recipe.
 */
export function searchInLanguage<R extends Retrieved>(retrieved: R, language: Choice): R {
  const recipes = new Map<Recipe, Recipe>()
  const rewrite = rewriter((expression, inputs) => {
    const { step, params, recipe } = expression
    if (!step.isLexical) return undefined
    const other = recipes.get(recipe) ?? { ...recipe, language }
    recipes.set(recipe, other)
    return reapply(expression, inputs(), params, other)
  })
  return rewriteRetrieved(retrieved, rewrite)
}
