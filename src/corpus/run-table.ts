import { writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { EMPTY_RANKING, rankPairs } from '../ranking/order.ts'
import { readRun } from '../runs/formats.ts'
import { isOfTexts, readRecorded } from '../runs/recorded.ts'
import { type Artifact, defineArtifact } from '../store/artifact.ts'
import { hashFile, readText } from '../store/input.ts'
import { readTable, writeTable } from '../tables/parquet.ts'
import { compareIds } from '../text/ids.ts'
import type { Chunk, Query, Ranking } from '../types.ts'
import { chunkSpans, textUnits } from './corpus.ts'
import { textMatcher } from './match-texts.ts'
import type { Recipe } from './recipe.ts'

export interface RunFile {
  /** Absolute path. */
  readonly path: string
  /** Set on a file of trajectories. */
  readonly isTrajectory?: boolean
}

export interface RunTable {
  /** True if the run has any of these queries. */
  answers(queries: readonly Asked[]): boolean
  /** Ranking of a query; empty if the run lacks it. */
  ranking(query: Asked): Ranking
  /** Number of texts, and of those that mean no chunk; absent in a run of ids. */
  readonly texts?: { readonly all: number; readonly unmatched: number }
}

/** Query of a dataset, known to a run by its id, or by its text in a run of texts. */
type Asked = Pick<Query, 'id' | 'text'>

const FILE = 'run.parquet'

/**
 * Reads a run of any format of `src/runs` as rankings of chunks. An id names a chunk, else a document's first chunk; the
 * higher score counts. Scores give the order, ids break ties. Texts in place of ids are matched by `textMatcher`. The
 * key covers the file's content, not its path.
 */
export function runTable(recipe: Recipe, file: RunFile): Artifact<RunTable> {
  return isOfTexts(file.path) ? textTable(recipe, file) : idTable(recipe, file)
}

function idTable(recipe: Recipe, { path }: RunFile): Artifact<RunTable> {
  return defineArtifact({
    name: 'run',
    version: 2,
    params: { sha256: hashRun(path) },
    inputs: { chunks: chunkSpans(recipe) },
    async build(folder, inputs, { progress }) {
      const rowOf = rowsById(await inputs.chunks())
      progress(`run ${basename(path)}`, 0, 1)
      const knows = (id: string) => rowOf.has(id)
      // Ids decide between no columns: `check` knows no chunks and would choose others.
      const { value } = await readRun(path, { knows, known: {} })
      progress(`run ${basename(path)}`, 1, 1)
      const byId = [...value.queries].sort(([a], [b]) => compareIds(a, b))
      const rankings = byId.map(([query, entries]): [string, Ranking] => {
        const best = new Map<number, number>()
        entries.ids.forEach((id, i) => {
          const row = rowOf.get(id) as number
          best.set(row, Math.max(best.get(row) ?? Number.NEGATIVE_INFINITY, entries.scores[i]))
        })
        return [query, rankPairs([...best.keys()], [...best.values()], best.size)]
      })
      writeRankings(folder, rankings)
    },
    async open(folder) {
      const rankings = await readRankings(folder)
      return {
        answers: (queries) => queries.some(({ id }) => rankings.has(id)),
        ranking: ({ id }) => rankings.get(id) ?? EMPTY_RANKING,
      }
    },
  })
}

const MATCHES = 'matches.json'

function textTable(recipe: Recipe, { path }: RunFile): Artifact<RunTable> {
  return defineArtifact({
    name: 'run',
    version: 3,
    params: { sha256: hashRun(path), texts: true },
    inputs: { chunks: textUnits(recipe) },
    async build(folder, inputs, { progress }) {
      const records = readRecorded(path, 'contexts')
      const match = textMatcher(await inputs.chunks())
      let [all, unmatched] = [0, 0]
      const rankings: [string, Ranking][] = []
      for (const [query, { contexts }] of records) {
        progress(`run ${basename(path)}`, rankings.length, records.size)
        const matched = contexts.map(match)
        all += matched.length
        unmatched += matched.filter((rows) => rows.length === 0).length
        const rows = [...new Set(matched.flat())]
        rankings.push([
          query,
          rankPairs(
            rows,
            rows.map((_, rank) => rows.length - rank),
            rows.length,
          ),
        ])
      }
      writeRankings(folder, rankings)
      writeFileSync(join(folder, MATCHES), JSON.stringify({ all, unmatched, queries: [...records.keys()] }))
    },
    async open(folder) {
      const rankings = await readRankings(folder)
      const { queries, ...texts } = JSON.parse(readText(join(folder, MATCHES)))
      const asked = new Set<string>(queries)
      return {
        answers: (queries) => queries.some(({ text }) => asked.has(text.trim())),
        ranking: ({ text }) => rankings.get(text.trim()) ?? EMPTY_RANKING,
        texts,
      }
    },
  })
}

function writeRankings(folder: string, rankings: readonly (readonly [string, Ranking])[]): void {
  writeTable(join(folder, FILE), [
    {
      name: 'query',
      type: 'string',
      values: rankings.flatMap(([query, { rows }]) => Array.from(rows, () => query)),
    },
    { name: 'row', type: 'int32', values: Int32Array.from(rankings.flatMap(([, { rows }]) => [...rows])) },
    { name: 'score', type: 'number', values: rankings.flatMap(([, { scores }]) => [...scores]) },
  ])
}

async function readRankings(folder: string): Promise<Map<string, Ranking>> {
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
  return rankings
}

export function hashRun(path: string): string {
  return hashFile(path, 'a run')
}

/** Rows by chunk id, and by document id for each document's first chunk. */
export function rowsById(
  chunks: readonly Pick<Chunk, 'id' | 'documentId' | 'position'>[],
): Map<string, number> {
  const rows = new Map<string, number>()
  chunks.forEach(({ documentId, position }, row) => {
    if (position === 0) rows.set(documentId, row)
  })
  chunks.forEach(({ id }, row) => {
    rows.set(id, row)
  })
  return rows
}
