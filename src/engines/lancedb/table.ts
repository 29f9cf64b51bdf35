import { existsSync } from 'node:fs'
import { indexedTexts } from '../../corpus/chunks/units.ts'
import { type Embeddings, embedTexts } from '../../corpus/dense/embeddings.ts'
import type { Recipe } from '../../corpus/recipe.ts'
import { UserError } from '../../errors.ts'
import type { Mask } from '../../ranking/mask.ts'
import type { Artifact, Inputs, Lazy } from '../../store/artifact.ts'
import type { Ranking } from '../../types.ts'
import { batchesOf, clientOf, engineRows } from '../client.ts'
import type { EngineIndex } from '../define.ts'
import { numberIn, rankFound } from '../found.ts'
import { engineIndex } from '../stored.ts'
import type * as Lance from './client.ts'

/**
 * LanceDB (https://lancedb.com): tables on a disk or in a bucket, read in parts by a search. Each table is named by the key of
 * its content: vectors with an optional index, or texts with LanceDB's full-text index.
 */

type LancePlace = {
  /** Absolute folder, or `s3://bucket/prefix`. */
  readonly uri: string
}

export type LanceIndex = {
  readonly index: 'exact' | 'ivf_rq' | 'ivf_pq'
  readonly partitions?: number
}

/** Search settings of the index: `probes` in clusters; `refine` times the depth is rescored with the full vectors. */
export type LanceSearch = { readonly probes: number; readonly refine: number }

export const VERSION = '0.37.1'
/** Batches of vectors per write. */
const BATCHES = 20

/** Table of vectors, searched by cosine. */
export function lanceVectors(
  embeddings: Artifact<Embeddings>,
  { uri }: LancePlace,
  { index, partitions }: LanceIndex,
): Artifact<EngineIndex<Float32Array>> {
  return lanceTable<{ embeddings: Artifact<Embeddings> }, Float32Array, LanceSearch>({
    name: 'lancedb',
    uri,
    params: { index, ...(partitions !== undefined && { partitions }) },
    inputs: { embeddings },
    async *records({ embeddings }, progress) {
      const rows = engineRows(await embeddings())
      let records: Record<string, unknown>[] = []
      let batches = 0
      for (const batch of batchesOf(rows)) {
        progress(batch[0], rows.rows)
        records.push(...batch.map((row) => ({ row, vector: padded(rows.vector(row)) })))
        if (++batches < BATCHES) continue
        yield records
        records = []
        batches = 0
      }
      if (records.length > 0) yield records
    },
    indexed: index === 'exact' ? undefined : 'vector',
    indexOf: ({ Index }) =>
      index === 'ivf_pq'
        ? Index.ivfPq({ distanceType: 'cosine', numPartitions: partitions })
        : Index.ivfRq({ distanceType: 'cosine', numPartitions: partitions }),
    async search(table, vector, depth, { probes, refine }, where) {
      const near = (count: number) =>
        where(table.query().nearestTo(padded(vector)).distanceType('cosine'))
          .limit(count)
          .select(['row', '_distance'])
      const found =
        index === 'exact'
          ? await exactHits(depth, (count) => near(count).bypassVectorIndex().toArray())
          : await near(depth).nprobes(probes).refineFactor(refine).toArray()
      return ranked(found, ({ _distance }) => 1 - numberIn(_distance), depth)
    },
  })
}

export function lanceChunks(recipe: Recipe, place: LancePlace, index: LanceIndex) {
  return lanceVectors(embedTexts(recipe, 'chunks', indexedTexts(recipe)), place, index)
}

/** Table of chunk texts with LanceDB's full-text index, which has its own BM25 and text analysis. */
export function lanceTexts(
  texts: Artifact<readonly string[]>,
  { uri }: LancePlace,
): Artifact<EngineIndex<string>> {
  return lanceTable({
    name: 'lancedb_text',
    uri,
    params: {},
    inputs: { texts },
    async *records({ texts }, progress) {
      const all = await texts()
      for (let begin = 0; begin < all.length; begin += TEXTS) {
        progress(begin, all.length)
        yield all.slice(begin, begin + TEXTS).map((text, i) => ({ row: begin + i, text }))
      }
    },
    indexed: 'text',
    indexOf: ({ Index }) => Index.fts(),
    async search(table, text, depth, _how: null, where) {
      const words = wordsOf(text)
      if (words.length === 0) return ranked([], () => 0, depth)
      const found = await where(table.query().fullTextSearch(words.join(' ')))
        .limit(depth)
        .select(['row', '_score'])
        .toArray()
      return ranked(found, ({ _score }) => _score, depth)
    },
  })
}

/** Asks for more while the last hit may tie with one that is left out, so that ties at the cut break as in memory. */
async function exactHits(
  depth: number,
  ask: (count: number) => Promise<Lance.LanceHit[]>,
): Promise<Lance.LanceHit[]> {
  for (let count = depth + 1; ; count *= 2) {
    const hits = await ask(count)
    const isCut = hits.length === count && hits[depth - 1]._distance === hits[count - 1]._distance
    if (!isCut) return hits
  }
}

/** Words alone: signs in a query must not act as operators. */
export const wordsOf = (text: string): readonly string[] => text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []

/** Pads a vector to a multiple of 16: LanceDB's indexes cut vectors into pieces of 8 or 16. Zeros do not change the cosine. */
function padded(vector: Float32Array): Float32Array {
  const whole = new Float32Array(16 * Math.ceil(vector.length / 16))
  whole.set(vector)
  return whole
}

/** Texts per write. */
const TEXTS = 10_000

interface LanceDefinition<I extends Inputs, Q, P> {
  readonly name: string
  readonly uri: string
  readonly params: Readonly<Record<string, string | number>>
  readonly inputs: I
  records(
    inputs: Lazy<I>,
    progress: (done: number, total: number) => void,
  ): AsyncGenerator<Record<string, unknown>[]>
  /** Column with an index; undefined without one. */
  readonly indexed: string | undefined
  indexOf(lance: Lance.Client): Lance.Index
  /** `where`: restricts a search to the rows that a filter keeps. */
  search(
    table: Lance.LanceClientTable,
    query: Q,
    depth: number,
    how: P,
    where: <S extends Lance.Query>(search: S) => S,
  ): Promise<Ranking>
}

function lanceTable<I extends Inputs, Q, P>({
  name,
  uri,
  params,
  inputs,
  records,
  indexed,
  indexOf,
  search,
}: LanceDefinition<I, Q, P>): Artifact<EngineIndex<Q>> {
  return engineIndex<I, Q>({
    ...{ name, kind: 'lancedb', place: { uri }, params, inputs },
    async load(table, lazy, progress) {
      const lance = await client()
      return asked(uri, async () => {
        const db = await lance.connect(uri)
        let made: Lance.LanceClientTable | undefined
        for await (const batch of records(lazy, progress)) {
          if (made) await made.add(batch)
          else made = await db.createTable(table, batch, { mode: 'overwrite' })
        }
        if (made && indexed) await made.createIndex(indexed, { config: indexOf(lance) })
        return made ? await made.countRows() : 0
      })
    },
    version: async () => VERSION,
    async isGone(table) {
      const lance = await client()
      return asked(
        uri,
        async () => !(await (await lance.connect(uri)).tableNames({ limit: 1_000_000 })).includes(table),
      )
    },
    async open(name, facts) {
      const rows = facts as number
      const table = rows > 0 ? await openTable(uri, name, rows, indexed) : undefined
      return {
        async search(query, depth, how, within?: Mask) {
          if (!table) return ranked([], () => 0, depth)
          const where = <S extends Lance.Query>(made: S) =>
            within ? made.where(`row IN (${within.rows.join(',')})`) : made
          return asked(uri, () => search(table, query, depth, how as P, where))
        },
        close: async () => table?.close(),
      }
    },
  })
}

/** Removes a table. Its name alone is the marker: LanceDB's tables have no comment. */
export async function removeTable(uri: string, table: string): Promise<void> {
  const lance = await client()
  await asked(uri, async () => {
    const db = await lance.connect(uri)
    if ((await db.tableNames({ limit: 1_000_000 })).includes(table)) await db.dropTable(table)
  })
}

/** Version of the package, which is the engine, once it has listed the tables. `prepare` makes a folder that is missing. */
export async function versionAt(uri: string): Promise<string> {
  const lance = await client()
  if (uri.startsWith('s3:') || existsSync(uri))
    await asked(uri, async () => (await lance.connect(uri)).tableNames())
  return VERSION
}

export const client = () => clientOf<Lance.Client>('@lancedb/lancedb', VERSION)

/** Throws a UserError if the table has changed since it was prepared, or its index does not cover all rows. */
async function openTable(
  uri: string,
  name: string,
  rows: number,
  indexed: string | undefined,
): Promise<Lance.LanceClientTable> {
  const lance = await client()
  return asked(uri, async () => {
    const db = await lance.connect(uri)
    const advice = 'delete the table, and prepare again'
    const table = await db.openTable(name).catch((error: unknown) => {
      if (!/not found/i.test(String(error))) throw error
      throw new UserError({ file: uri, message: `no longer holds the table ${name}; ${advice}` })
    })
    const there = await table.countRows()
    const stats = indexed && there > 0 ? await table.indexStats(`${indexed}_idx`) : undefined
    const behind = indexed && there > 0 ? (stats?.numUnindexedRows ?? there) : 0
    if (there !== rows || behind > 0)
      throw new UserError({
        file: uri,
        message: `the table ${name} was changed after it was prepared: ${there} rows instead of ${rows}, ${behind} of them not in its index; ${advice}`,
      })
    return table
  })
}

function ranked(
  found: readonly Lance.LanceHit[],
  scoreOf: (row: Lance.LanceHit) => number,
  depth: number,
): Ranking {
  return rankFound(
    'LanceDB',
    found.map(({ row }) => row),
    found.map(scoreOf),
    depth,
  )
}

/** Reports a LanceDB error with its first line, which names files and buckets but no credentials. */
export async function asked<T>(uri: string, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof UserError) throw error
    const [line] = String(error instanceof Error ? error.message : error).split('\n')
    const denied = /access ?denied|forbidden|403|permission denied/i.test(String(error))
    throw new UserError({
      file: uri,
      message: `LanceDB ${denied ? 'may not read or write here' : 'failed'}: ${line.slice(0, 300)}`,
    })
  }
}
