import { z } from 'zod'
import { EMPTY_RANKING } from '../../ranking/order.ts'
import { defineStep, type Expression } from '../../retrieve/step.ts'
import type { Query, Ranking } from '../../types.ts'
import { isZero } from '../steps.ts'
import { type LanceIndex, type LancePlace, type LanceSearch, lanceChunks, lanceTexts } from './table.ts'

/** Params for the place of a table: exactly one of them is set. */
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
  // The place is no param: the key depends on the content of the table.
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
