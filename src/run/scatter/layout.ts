import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { UserError } from '../../errors.ts'
import type { ImpactParams } from '../../prepare/impacts.ts'
import type { AnalyzerParams } from '../../text/tokenize.ts'
import { VERSION } from '../../version.ts'

/**
 * A corpus cut into parts of neighbouring chunks, and a batch of queries to be searched in each: a folder that any machine may
 * read. Every part is searched alone, `gather` merges the best of all.
 *
 *     scatter.json            this: what is searched, and how
 *     queries.safetensors     the queries' vectors
 *     terms-<n>.json          all terms of an analysis, the queries' tokens by their numbers, and how many chunks hold each
 *     parts/<part>/           ids, vectors and postings of its chunks
 *     found/<part>-<list>.parquet     what a part's search found: written under a temporary name and renamed
 */
export interface Scattered {
  readonly version: string
  readonly parts: number
  readonly chunks: number
  readonly dims: number
  readonly queries: readonly string[]
  readonly analyses: readonly AnalyzerParams[]
  readonly lists: readonly ScatteredList[]
}

/** One ranking to be made of each query. */
export type ScatteredList =
  | { readonly trial: string; readonly kind: 'dense'; readonly depth: number }
  | {
      readonly trial: string
      readonly kind: 'lexical'
      readonly depth: number
      readonly weighting: ImpactParams
      /** Place in `analyses`. */
      readonly analysis: number
    }

export const PLAN = 'scatter.json'

export const partFolder = (folder: string, part: number) => join(folder, 'parts', padded(part))

export const foundFile = (folder: string, part: number, list: number) =>
  join(folder, 'found', `${padded(part)}-${list}.parquet`)

const padded = (part: number) => String(part).padStart(5, '0')

/** Throws a UserError where the folder holds none, or one of another version. */
export function readScattered(folder: string): Scattered {
  const file = join(folder, PLAN)
  if (!existsSync(file))
    throw new UserError({ file: folder, message: `holds no ${PLAN}; \`touchstone scatter\` writes one` })
  const scattered = JSON.parse(readFileSync(file, 'utf8')) as Scattered
  if (scattered.version !== VERSION)
    throw new UserError({
      file,
      message: `was written by version ${scattered.version}, and this is ${VERSION}; scatter again`,
    })
  return scattered
}

/** What `terms-<n>.json` holds. */
export interface ScatteredTerms {
  readonly meanLength: number
  readonly holders: readonly number[]
  /** By query, its tokens' terms in their order; a token that no chunk holds is left out. */
  readonly queries: readonly (readonly number[])[]
}

export const termsFile = (folder: string, analysis: number) => join(folder, `terms-${analysis}.json`)
