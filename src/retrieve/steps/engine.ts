import { indexedTexts } from '../../corpus/chunks/units.ts'
import { embedTexts } from '../../corpus/dense/embeddings.ts'
import type { Recipe } from '../../corpus/recipe.ts'
import { engineKinds, type TimedRanking } from '../../engines/index.ts'
import { UserError } from '../../errors.ts'
import type { Mask } from '../../ranking/mask.ts'
import { EMPTY_RANKING, head } from '../../ranking/order.ts'
import { resolve } from '../../registry.ts'
import type { Json, Query, Ranking } from '../../types.ts'
import { defineStep, type Expression, type Retrieved, rewriteRetrieved, rewriter } from '../step.ts'
import { BM25 } from './params.ts'
import { type SearchBm25, searchDense } from './search.ts'

/** Engines that search for a trial, by name in `engines`: one for each kind of search. */
export type TrialEngine = { readonly dense?: string; readonly lexical?: string }

/**
 * Sends the dense or lexical searches of a trial to an engine. Throws a UserError if the trial has no such search, or
 * one that an engine cannot answer.
 */
export function searchInEngine<R extends Retrieved>(retrieved: R, { dense, lexical }: TrialEngine): R {
  let isSearched = false
  const rewrite = rewriter((expression, inputs) => {
    const { step, recipe, params } = expression
    if (step.name === 'compare-with-exact') return expression
    const name =
      step.code === undefined
        ? { dense, bm25: lexical, 'score-dense': dense, 'score-bm25': lexical }[step.name]
        : undefined
    if (name === undefined) return undefined
    if (step.name.startsWith('score-'))
      throw new UserError(
        `the engine \`${name}\` scores only the chunks that it returns, and the norm \`corpus\` reads scores of others; take another \`norm\`, or \`fusion: rrf\``,
      )
    isSearched = true
    return step.name === 'dense'
      ? searchVectors(inputs() as VectorInputs, recipe, name, (params as SearchBm25).depth)
      : searchTexts(inputs() as TextInputs, recipe, name, params as SearchBm25)
  })
  const rewritten = rewriteRetrieved(retrieved, rewrite)
  if (!isSearched) {
    const sides = [dense !== undefined && 'dense', lexical !== undefined && 'lexical'].filter(Boolean)
    throw new UserError(`\`engine\`: this trial has no ${sides.join(' or ')} search`)
  }
  return rewritten
}

type VectorInputs = [Expression<Float32Array>, Expression<Mask>]
type TextInputs = [Expression<Query>, Expression<Mask>]
type Search = { readonly params: Json; readonly depth: number }

function searchVectors(
  inputs: VectorInputs,
  recipe: Recipe,
  name: string,
  depth: number,
): Expression<Ranking> {
  const { definition, params } = engineOf(recipe, name)
  const engine = definition.make(params)
  engine.checkDepth?.(depth)
  const step = defineStep({
    name: `search-${definition.name}`,
    channel: 'dense',
    within: true,
    facts: ({ took }: TimedRanking) => ({ took }),
    artifacts: (recipe, _: Search) => ({
      index: engine.dense(embedTexts(recipe, 'chunks', indexedTexts(recipe))),
    }),
    run([vector, mask]: [Float32Array, Mask?], { params: { params, depth }, artifacts: { index } }) {
      const isZero = vector.every((value) => value === 0)
      return isZero || mask?.rows.length === 0 ? EMPTY_RANKING : index.search(vector, depth, params, mask)
    },
  })
  return compareWithExact([step(inputs, { params, depth }), searchDense(inputs, { depth: COMPARED })])
}

function searchTexts(
  inputs: TextInputs,
  recipe: Recipe,
  name: string,
  { depth, index }: SearchBm25,
): Expression<Ranking> {
  const { definition, params } = engineOf(recipe, name)
  const { lexical } = definition.make(params)
  if (!lexical) throw new UserError(`the engine \`${name}\` (${definition.name}) has no lexical search`)
  const { k1, b, idf, fields } = index
  for (const [param, isBuiltIn] of Object.entries({ idf: idf !== BM25.idf, fields: fields !== undefined }))
    if (isBuiltIn)
      throw new UserError(
        `\`${param}\` is of the search in memory; the engine \`${name}\` has its own text analysis`,
      )
  const step = defineStep({
    name: `search-${definition.name}-text`,
    channel: 'lexical',
    within: true,
    facts: ({ took }: TimedRanking) => ({ took }),
    artifacts: (recipe, _: Search) => ({ index: lexical(indexedTexts(recipe), { k1, b }) }),
    run([{ text, lexical }, mask]: [Query, Mask?], { params: { params, depth }, artifacts: { index } }) {
      return mask?.rows.length === 0 ? EMPTY_RANKING : index.search(lexical ?? text, depth, params, mask)
    },
  })
  return step(inputs, { params, depth })
}

/** Throws a UserError for an unknown engine and for an index over parts of chunks: engines store whole chunks. */
function engineOf(recipe: Recipe, name: string) {
  const choice = recipe.engines?.[name]
  if (!choice) throw new UserError(`there is no engine \`${name}\` in \`engines\``)
  if (recipe.index)
    throw new UserError(
      `the engine \`${name}\` searches chunks whole; leave out \`prepare.index\`, or search in memory`,
    )
  return resolve(engineKinds, choice)
}

/** Cutoff at which an engine's ranking is compared with the exact one. */
const COMPARED = 10

type Compared = Ranking & { readonly share: number }

/** Returns the engine's ranking and counts the share of the exact first 10 among its first 10. */
const compareWithExact = defineStep<null, [Ranking, Ranking], Compared>({
  name: 'compare-with-exact',
  yields: 'ranking',
  facts: ({ share }) => ({ counts: { [`share of the exact first ${COMPARED}`]: share } }),
  run([ranking, exact]) {
    const wanted = head(exact, COMPARED).rows
    const first = new Set(head(ranking, COMPARED).rows)
    const share = wanted.length === 0 ? 1 : wanted.filter((row) => first.has(row)).length / wanted.length
    return { ...ranking, share }
  },
})
