import { z } from 'zod'
import type { Recipe } from '../../corpus/recipe.ts'
import {
  type LanceIndex,
  type LancePlace,
  type LanceSearch,
  lanceChunks,
  lanceTexts,
} from '../../engines/lancedb/table.ts'
import { type PgvectorSearch, type PgvectorTableParams, pgvectorTable } from '../../engines/pgvector/table.ts'
import { UserError } from '../../errors.ts'
import { EMPTY_RANKING, head } from '../../ranking/order.ts'
import type { Query, Ranking } from '../../types.ts'
import { defineStep, type Expression } from '../step.ts'
import { searchDense } from './search.ts'

/** Dense search by an engine of somebody else's, and how much of the exact search it finds. */

/** Engines hold chunks whole, under their own rows. */
export function requireWhole(recipe: Recipe, engine: string): void {
  if (recipe.index)
    throw new UserError(`${engine} searches chunks whole; leave out \`prepare.index\`, or name another trial`)
}

type Pgvector = { readonly table: PgvectorTableParams; readonly how: PgvectorSearch; readonly depth: number }

export function searchPgvector(
  vector: Expression<Float32Array>,
  urlEnv: string,
  params: Pgvector,
): Expression<Ranking> {
  const step = defineStep({
    name: 'search-pgvector',
    version: 1,
    channel: 'dense',
    yields: 'ranking',
    artifacts: (recipe, { table }: Pgvector) => ({ engine: pgvectorTable(recipe, urlEnv, table) }),
    async run([vector]: readonly [Float32Array], { params: { how, depth }, artifacts: { engine } }) {
      return isZero(vector) ? EMPTY_RANKING : engine.search(vector, depth, how)
    },
  })
  return step([vector], params)
}

/** Where a table of LanceDB lies: exactly one of these. */
export const lancePlace = {
  path: z.string().min(1).optional().meta({ path: true }).describe('the folder that holds the tables'),
  s3: z
    .string()
    .regex(/^s3:\/\/[\w.-]+(\/.*)?$/, 'must be s3://BUCKET or s3://BUCKET/PREFIX')
    .optional()
    .describe(
      'the bucket that holds the tables; keys, region and endpoint are those of AWS in the environment',
    ),
}

export function refuseBothPlaces(
  { path, s3 }: { readonly path?: string | undefined; readonly s3?: string | undefined },
  { addIssue }: { addIssue(issue: { code: 'custom'; path: string[]; message: string }): void },
): void {
  if ((path === undefined) === (s3 === undefined))
    addIssue({ code: 'custom', path: [], message: 'needs `path` or `s3`, and not both' })
}

type Lance = { readonly table: LanceIndex; readonly how: LanceSearch; readonly depth: number }

export function searchLance(
  vector: Expression<Float32Array>,
  place: LancePlace,
  params: Lance,
): Expression<Ranking> {
  // A step of its own a place: where a table lies is not part of its key, what it holds is.
  const step = defineStep({
    name: 'search-lancedb',
    version: 1,
    channel: 'dense',
    yields: 'ranking',
    artifacts: (recipe, { table }: Lance) => ({ engine: lanceChunks(recipe, place, table) }),
    async run([vector]: readonly [Float32Array], { params: { how, depth }, artifacts: { engine } }) {
      return isZero(vector) ? EMPTY_RANKING : engine.search(vector, depth, how)
    },
  })
  return step([vector], params)
}

export function searchLanceText(
  query: Expression<Query>,
  place: LancePlace,
  depth: number,
): Expression<Ranking> {
  const step = defineStep({
    name: 'search-lancedb-text',
    version: 1,
    channel: 'lexical',
    yields: 'ranking',
    artifacts: (recipe, _params: { readonly depth: number }) => ({ engine: lanceTexts(recipe, place) }),
    run: ([{ text, lexical }]: readonly [Query], { params, artifacts: { engine } }) =>
      engine.search(lexical ?? text, params.depth, null),
  })
  return step([query], { depth })
}

const isZero = (vector: Float32Array) => vector.every((value) => value === 0)

/** Ranks at which an engine's list is compared with the exact one. */
const COMPARED = 10

type Compared = Ranking & { readonly share: number }

/** The engine's ranking; counts which share of the exact first 10 is among its first 10. */
const compareWithExact = defineStep<null, [Ranking, Ranking], Record<never, never>, Compared>({
  name: 'compare-with-exact',
  version: 1,
  yields: 'ranking',
  counts: ({ share }) => ({ [`share of the exact first ${COMPARED}`]: share }),
  run([found, exact]) {
    const wanted = head(exact, COMPARED).rows
    const own = new Set(head(found, COMPARED).rows)
    const share = wanted.length === 0 ? 1 : wanted.filter((row) => own.has(row)).length / wanted.length
    return { ...found, share }
  },
})

/** The engine's ranking; where `against` is set, compared with the exact search. */
export function comparedWithExact(
  found: Expression<Ranking>,
  vector: Expression<Float32Array>,
  against: boolean,
): Expression<Ranking> {
  return against ? compareWithExact([found, searchDense([vector], { depth: COMPARED })], null) : found
}
