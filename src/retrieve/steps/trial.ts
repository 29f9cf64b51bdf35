import { chunkSpans } from '../../corpus/corpus.ts'
import { type FilterFields, fieldsOfQuery, filterOf } from '../../corpus/filter.ts'
import type { Choice, Recipe } from '../../corpus/recipe.ts'
import { UserError } from '../../errors.ts'
import { addTo } from '../../maps.ts'
import { bothMasks, type Mask, rowOutside } from '../../ranking/mask.ts'
import { derived } from '../../store/artifact.ts'
import type { Query, Ranking } from '../../types.ts'
import {
  defineStep,
  type Expression,
  expressionsOf,
  type Retrieved,
  reapply,
  rewriteRetrieved,
  rewriter,
  type Statistics,
  sourceById,
} from '../step.ts'

export type TrialFilter = { readonly where: FilterFields; readonly statistics: Statistics }

/** Chunks that a query may find. A query without any is counted as `leftNothing`. */
const mask = defineStep({
  name: 'filter',
  isMask: true,
  artifacts: (recipe, where: FilterFields) => ({ filter: filterOf(recipe, where) }),
  requires: (recipe, where) => filterOf(recipe, where),
  facts: ({ rows }: Mask) => ({ counts: { leftNothing: rows.length === 0 ? 1 : 0 } }),
  run: ([{ metadata }]: [Query], { artifacts: { filter } }) => filter(metadata),
})

const both = defineStep<null, [Mask, Mask], Mask & { readonly emptied: boolean }>({
  name: 'both-filters',
  isMask: true,
  // A mask that is empty already is counted by its own filter.
  facts: ({ emptied }) => ({ counts: { leftNothing: emptied ? 1 : 0 } }),
  run([a, b]) {
    const combined = bothMasks(a, b)
    return { ...combined, emptied: combined.rows.length === 0 && a.rows.length > 0 && b.rows.length > 0 }
  },
})

/** Checks the steps: a query fails if its ranking has a chunk that the filter leaves out. */
const check = defineStep<null, [Ranking, Mask], Ranking>({
  name: 'check-filter',
  run([ranking, mask]) {
    const row = rowOutside(ranking, mask)
    if (row !== undefined) throw new Error(`the chunk in row ${row} is ranked, and the filter leaves it out`)
    return ranking
  },
})

/**
 * Gives the mask to every step that finds chunks. Throws a UserError if a step takes no mask: cutting its list would
 * give another ranking.
 */
export function filterRetrieved<R extends Retrieved>(
  retrieved: R,
  query: Expression<Query>,
  { where, statistics }: TrialFilter,
): R {
  const { ranking, evidence } = retrieved
  const filterMask = mask([query], where)
  const restrict = searchWithin(filterMask, statistics)
  return {
    ...retrieved,
    ranking: check([restrict(ranking), filterMask]),
    evidence: evidence && restrict(evidence),
  }
}

export function searchWithin(mask: Expression<Mask>, statistics: Statistics) {
  return rewriter((expression, inputs) => {
    const { step, params } = expression
    if (isMask(expression)) return expression
    if (step.name === 'check-filter') return inputs()[0]
    if (step.within) {
      const inside = inputs()
      const last = inside.at(-1)
      const before = last && isMask(last) ? inside.slice(0, -1) : inside
      const isNarrower = last && isMask(last) && last.key !== mask.key
      const all = isNarrower ? both([last as Expression<Mask>, mask]) : mask
      const filtered = step.within === true ? params : step.within(params, statistics)
      return reapply(expression, [...before, all], filtered)
    }
    if (findsChunks(expression))
      throw new UserError(
        `\`${mask.step.name}\`: the step \`${step.name}\` finds chunks and takes no filter; its list cut afterwards is not the list that it would find among the allowed chunks`,
      )
    return undefined
  })
}

const isMask = ({ step }: Expression<unknown>) => step.isMask === true

/** A step with a channel, or one that ranks chunks and has no ranking below it. */
function findsChunks(expression: Expression<unknown>): boolean {
  const { step } = expression
  return step.channel !== undefined || (step.yields === 'ranking' && !step.pick && !readsRanking(expression))
}

function readsRanking({ inputs }: Expression<unknown>): boolean {
  return inputs.some((input) => input.step.yields === 'ranking' || readsRanking(input))
}

/** Fields of the query's metadata that a trial's filter reads, and those of trials inside it. */
export function queryFieldsOf(ranking: Expression<Ranking>): string[] {
  const filters = expressionsOf([ranking]).filter(({ step }) => step.name === 'filter')
  return [...new Set(filters.flatMap(({ params }) => fieldsOfQuery(params as FilterFields)))]
}

export function maskOfTrial(ranking: Expression<Ranking>): Expression<Mask> | undefined {
  const { step, inputs } = withOwn(ranking)
  return step.name === 'check-filter' ? (inputs[1] as Expression<Mask>) : undefined
}

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

/** For datasets in which a query is itself a document (BEIR's `ignore_identical_ids`: Thakur et al., NeurIPS 2021). */
const leaveOut = defineStep({
  name: 'own-document',
  yields: 'ranking',
  artifacts: (recipe) => ({ rows: rowsByDocument(recipe) }),
  run([ranking, { id }]: [Ranking, Query], { artifacts: { rows } }): Ranking {
    const chunks = rows.get(id)
    if (!chunks || !ranking.rows.some((row) => chunks.includes(row))) return ranking
    const isOther = (_: number, index: number) => !chunks.includes(ranking.rows[index])
    return { rows: ranking.rows.filter(isOther), scores: ranking.scores.filter(isOther) }
  },
})

export function leaveOutOwn(ranking: Expression<Ranking>): Expression<Ranking> {
  return leaveOut([ranking, sourceById(ranking.recipe)])
}

export function withOwn(ranking: Expression<Ranking>): Expression<Ranking> {
  return ranking.step.name === 'own-document' ? (ranking.inputs[0] as Expression<Ranking>) : ranking
}

function rowsByDocument(recipe: Recipe) {
  return derived('rows_by_document', { chunks: chunkSpans(recipe) }, ({ chunks }) => {
    const rows = new Map<string, number[]>()
    chunks.forEach(({ documentId }, row) => {
      addTo(rows, documentId, row)
    })
    return rows as ReadonlyMap<string, readonly number[]>
  })
}
