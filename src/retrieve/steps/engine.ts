import { z } from 'zod'
import type { Bm25Params } from '../../corpus/lexical/bm25.ts'
import type { Recipe } from '../../corpus/recipe.ts'
import {
  type BothSides,
  type EngineBm25,
  type EngineFusion,
  type EngineKind,
  engineEntries,
  type TimedRanking,
} from '../../engines/index.ts'
import { UserError } from '../../errors.ts'
import type { Mask } from '../../ranking/mask.ts'
import { EMPTY_RANKING, head } from '../../ranking/order.ts'
import { createLazyRegistry, resolve } from '../../registry.ts'
import { ANALYSIS } from '../../text/tokenize.ts'
import type { Json, Query, Ranking } from '../../types.ts'
import { defineStep, type Expression } from '../step.ts'
import { BM25, type bm25Shape } from './params.ts'
import { searchBm25, searchDense } from './search.ts'

/** Kinds of external engines. A new one is a file in src/engines and one line in its index.ts. */
export const engineKinds = createLazyRegistry<EngineKind>('engine', engineEntries)

/** Param that names an engine of the config. */
export const engineName = (side: string) =>
  z
    .string()
    .optional()
    .meta({ engine: true })
    .describe(`a name in \`engines\`: ${side} runs there; default: in memory`)

/** Params of the built-in text analysis with their defaults: an engine has an analysis of its own. */
const BUILT_IN = { idf: BM25.idf, ...ANALYSIS, fields: undefined }

/** Refuses params of the built-in text analysis if an engine searches; `engine` is the param that names it. */
export const refuseAnalysis =
  (engine: string) =>
  (
    params: Partial<z.output<z.ZodObject<typeof bm25Shape>>> & Readonly<Record<string, unknown>>,
    { addIssue }: { addIssue(issue: { code: 'custom'; path: string[]; message: string }): void },
  ): void => {
    if (params[engine] === undefined) return
    for (const [param, built] of Object.entries(BUILT_IN))
      if (params[param] !== undefined && params[param] !== built)
        addIssue({
          code: 'custom',
          path: [param],
          message: `is of the built-in search; with \`${engine}\` the engine has its own text analysis`,
        })
  }

type Search = { readonly how: Json; readonly depth: number }

/** The `depth` chunks nearest to a query vector, as the engine with this name in the config finds them. */
function searchEngine(vector: Expression<Float32Array>, name: string, depth: number): Expression<Ranking> {
  const { definition, params } = engineOf(vector.recipe, name)
  const { dense } = definition
  const step = defineStep({
    name: `search-${definition.name}`,
    version: 1,
    channel: 'dense',
    yields: 'ranking',
    within: true,
    took: ({ took }: TimedRanking) => took,
    artifacts: (recipe, _params: Search) => ({ index: dense(recipe, params, depth).index }),
    run([vector, mask]: readonly [Float32Array, Mask?], { params: { how, depth }, artifacts: { index } }) {
      const isZero = vector.every((value) => value === 0)
      return isZero || mask?.rows.length === 0 ? EMPTY_RANKING : index.search(vector, depth, how, mask)
    },
  })
  const ranking = step([vector], { how: dense(vector.recipe, params, depth).how, depth })
  return compareWithExact([ranking, searchDense([vector], { depth: COMPARED })], null)
}

/** The `depth` chunks nearest to a query vector, in the engine with this name, or in memory without one. */
export function searchDenseIn(
  engine: string | undefined,
  vector: Expression<Float32Array>,
  depth: number,
): Expression<Ranking> {
  return engine === undefined ? searchDense([vector], { depth }) : searchEngine(vector, engine, depth)
}

/** The `depth` chunks with the highest BM25, of the engine with this name, or of the index in memory without one. */
export function searchBm25In(
  engine: string | undefined,
  query: Expression<Query>,
  depth: number,
  index: Bm25Params,
): Expression<Ranking> {
  return engine === undefined
    ? searchBm25([query], { depth, index })
    : searchEngineText(query, engine, depth, { k1: index.k1, b: index.b })
}

/** The `depth` chunks with the highest BM25 of the engine with this name in the config. */
function searchEngineText(
  query: Expression<Query>,
  name: string,
  depth: number,
  bm25: EngineBm25,
): Expression<Ranking> {
  const { definition, params } = engineOf(query.recipe, name)
  const { lexical } = definition
  if (!lexical) throw new UserError(`the engine \`${name}\` (${definition.name}) has no lexical search`)
  const step = defineStep({
    name: `search-${definition.name}-text`,
    version: 1,
    channel: 'lexical',
    yields: 'ranking',
    within: true,
    took: ({ took }: TimedRanking) => took,
    artifacts: (recipe, _params: Search) => ({ index: lexical(recipe, params, bm25).index }),
    run(
      [{ text, lexical }, mask]: readonly [Query, Mask?],
      { params: { how, depth }, artifacts: { index } },
    ) {
      return mask?.rows.length === 0 ? EMPTY_RANKING : index.search(lexical ?? text, depth, how, mask)
    },
  })
  return step([query], { how: lexical(query.recipe, params, bm25).how, depth })
}

/** Dense and lexical search that the engine with this name in the config fuses itself, as one request. */
export function searchEngineBoth(
  query: Expression<Query>,
  vector: Expression<Float32Array>,
  name: string,
  depth: number,
  { k1, b }: EngineBm25,
  fusion: EngineFusion,
): Expression<Ranking> {
  const { definition, params } = engineOf(query.recipe, name)
  const { hybrid } = definition
  if (!hybrid)
    throw new UserError(
      `the engine \`${name}\` (${definition.name}) fuses nothing itself; name it as \`denseEngine\` and \`lexicalEngine\``,
    )
  const search = (recipe: Recipe) => hybrid(recipe, params, { k1, b }, fusion)
  const step = defineStep({
    name: `search-${definition.name}-hybrid`,
    version: 1,
    yields: 'ranking',
    within: true,
    took: ({ took }: TimedRanking) => took,
    artifacts: (recipe, _params: Search) => ({ index: search(recipe).index }),
    run(
      [{ text, lexical }, vector, mask]: readonly [Query, Float32Array, Mask?],
      { params: { how, depth }, artifacts: { index } },
    ) {
      const sides: BothSides = { text: lexical ?? text, vector }
      return mask?.rows.length === 0 ? EMPTY_RANKING : index.search(sides, depth, how, mask)
    },
  })
  return step([query, vector], { how: search(query.recipe).how, depth })
}

/** Throws a UserError for an unknown engine, or if the config indexes parts of chunks: engines store whole chunks. */
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
const compareWithExact = defineStep<null, [Ranking, Ranking], Record<never, never>, Compared>({
  name: 'compare-with-exact',
  version: 1,
  yields: 'ranking',
  counts: ({ share }) => ({ [`share of the exact first ${COMPARED}`]: share }),
  run([found, exact]) {
    const wanted = head(exact, COMPARED).rows
    const first = new Set(head(found, COMPARED).rows)
    const share = wanted.length === 0 ? 1 : wanted.filter((row) => first.has(row)).length / wanted.length
    return { ...found, share }
  },
})
