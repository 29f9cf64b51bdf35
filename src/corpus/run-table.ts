import { basename, join } from 'node:path'
import { EMPTY_RANKING, rankPairs } from '../ranking/order.ts'
import { readRun } from '../runs/read.ts'
import { type Artifact, defineArtifact } from '../store/artifact.ts'
import { hashFile } from '../store/input.ts'
import { readTable, writeTable } from '../tables/parquet.ts'
import { compareIds } from '../text/order.ts'
import type { Chunk, Ranking } from '../types.ts'
import { chunkSpans } from './corpus.ts'
import type { Recipe } from './recipe.ts'

/** File with rankings of another system. */
export interface RunFile {
  /** Absolute path. */
  readonly path: string
  /** Leaves out ids that are not in the corpus, and reads lines as trec_eval does. */
  readonly lenient: boolean
}

/** Rankings of another system as rankings of chunks. */
export interface RunTable {
  /** True if the run has any of these queries. */
  answers(queries: readonly { readonly id: string }[]): boolean
  /** Ranking of a query; empty if the run lacks it. */
  ranking(queryId: string): Ranking
}

const FILE = 'run.parquet'

/**
 * Reads a run of any format of `src/runs` as rankings of a recipe's chunks. An id names a chunk, else a document, which is
 * taken as its first chunk; the higher score counts if two ids give one chunk. Scores give the order, ids break ties; ranks
 * in the file are not read. The key covers the file's content, not its path.
 */
export function runTable(recipe: Recipe, { path, lenient }: RunFile): Artifact<RunTable> {
  return defineArtifact({
    name: 'run',
    version: 1,
    params: { sha256: hashRun(path), lenient },
    inputs: { chunks: chunkSpans(recipe) },
    async build(folder, inputs, { progress }) {
      const rowOf = rowsById(await inputs.chunks())
      progress(`run ${basename(path)}`, 0, 1)
      const { value } = await readRun(path, { lenient, knows: (id) => rowOf.has(id) })
      progress(`run ${basename(path)}`, 1, 1)
      const queries: string[] = []
      const [rows, scores]: number[][] = [[], []]
      const byId = [...value.queries].sort(([a], [b]) => compareIds(a, b))
      for (const [query, entries] of byId) {
        const best = new Map<number, number>()
        entries.ids.forEach((id, i) => {
          const row = rowOf.get(id) as number
          best.set(row, Math.max(best.get(row) ?? Number.NEGATIVE_INFINITY, entries.scores[i]))
        })
        const ranking = rankPairs([...best.keys()], [...best.values()], best.size)
        for (const [rank, row] of ranking.rows.entries()) {
          queries.push(query)
          rows.push(row)
          scores.push(ranking.scores[rank])
        }
      }
      writeTable(join(folder, FILE), [
        { name: 'query', type: 'string', values: queries },
        { name: 'row', type: 'int32', values: Int32Array.from(rows) },
        { name: 'score', type: 'number', values: scores },
      ])
    },
    async open(folder) {
      const table = await readTable(join(folder, FILE))
      const queries = table.strings('query')
      const rows = Uint32Array.from(table.numbers('row'))
      const scores = Float64Array.from(table.numbers('score'))
      const rankings = new Map<string, Ranking>()
      for (let begin = 0; begin < queries.length; ) {
        let end = begin + 1
        while (queries[end] === queries[begin]) end++
        rankings.set(queries[begin], { rows: rows.subarray(begin, end), scores: scores.subarray(begin, end) })
        begin = end
      }
      return {
        answers: (queries) => queries.some(({ id }) => rankings.has(id)),
        ranking: (id) => rankings.get(id) ?? EMPTY_RANKING,
      }
    },
  })
}

/** SHA-256 of a run's file. Throws a UserError if there is none. */
export function hashRun(path: string): string {
  return hashFile(path, 'a run')
}

/** Rows by chunk id, and by document id for each document's first chunk. */
function rowsById(chunks: readonly Pick<Chunk, 'id' | 'documentId' | 'position'>[]): Map<string, number> {
  const rows = new Map<string, number>()
  chunks.forEach(({ documentId, position }, row) => {
    if (position === 0) rows.set(documentId, row)
  })
  chunks.forEach(({ id }, row) => {
    rows.set(id, row)
  })
  return rows
}
