import { writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { type Diagnostic, fewOfEachKind, UserError } from '../errors.ts'
import { EMPTY_RANKING, rankPairs } from '../ranking/order.ts'
import { readRun } from '../runs/formats.ts'
import { isOfTexts, readRecorded } from '../runs/recorded.ts'
import { readTrajectories, type Trajectory } from '../runs/trajectories.ts'
import { type Artifact, defineArtifact } from '../store/artifact.ts'
import { hashFile, readText } from '../store/input.ts'
import { readTable, writeTable } from '../tables/parquet.ts'
import { compareIds } from '../text/ids.ts'
import type { Call, Chunk, Query, Ranking } from '../types.ts'
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
  return file.isTrajectory || isOfTexts(file.path) ? callTable(recipe, file) : idTable(recipe, file)
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

const CALLS = 'calls.json'

/**
 * A run of calls, or of texts, which are one call. The ranking of a query has every chunk that was read, in the order of its first
 * reading.
 */
function callTable(recipe: Recipe, { path, isTrajectory = false }: RunFile): Artifact<RunTable> {
  return defineArtifact({
    name: 'run',
    version: 4,
    params: { sha256: hashRun(path), isTrajectory },
    inputs: { chunks: textUnits(recipe) },
    async build(folder, inputs, { progress }) {
      const chunks = await inputs.chunks()
      const [rowOf, match] = [rowsById(chunks), textMatcher(chunks)]
      const searches = isTrajectory ? readTrajectories(path) : oneCallEach(path)
      const unknown: Diagnostic[] = []
      const queries: [string, Call[]][] = []
      let [all, unmatched] = [0, 0]
      for (const [query, { steps, line }] of searches) {
        progress(`run ${basename(path)}`, queries.length, searches.size)
        const calls = steps.map(({ ids = [], contexts = [], ...call }) => {
          for (const id of ids)
            if (!rowOf.has(id)) unknown.push({ file: path, line, message: `the corpus holds no "${id}"` })
          const matched = contexts.map(match)
          all += matched.length
          unmatched += matched.filter((rows) => rows.length === 0).length
          return { ...call, rows: [...ids.map((id) => rowOf.get(id) ?? 0), ...matched.flat()] }
        })
        queries.push([query, calls])
      }
      if (unknown.length > 0) throw new UserError(fewOfEachKind(unknown))
      writeFileSync(join(folder, CALLS), JSON.stringify({ queries, texts: { all, unmatched } }))
    },
    async open(folder) {
      const { queries, texts } = JSON.parse(readText(join(folder, CALLS)))
      const callsOf = new Map<string, readonly Call[]>(queries)
      const key = ({ id, text }: Asked) => (isTrajectory ? id : text.trim())
      return {
        answers: (queries) => queries.some((query) => callsOf.has(key(query))),
        ranking(query) {
          const calls = callsOf.get(key(query))
          if (!calls) return EMPTY_RANKING
          const rows = Uint32Array.from(new Set(calls.flatMap(({ rows }) => rows)))
          const scores = Float64Array.from(rows, (_, rank) => rows.length - rank)
          return isTrajectory ? { rows, scores, calls } : { rows, scores }
        },
        texts,
      }
    },
  })
}

/** Searches of a run of texts, by the text of their question. */
function oneCallEach(path: string): ReadonlyMap<string, Trajectory> {
  const records = [...readRecorded(path, 'contexts')]
  return new Map(
    records.map(([query, { contexts }]) => [
      query,
      { steps: [{ tool: '', input: '', contexts: [...contexts] }], line: 0 },
    ]),
  )
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
