import { writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { type Diagnostic, fewOfEachKind, UserError } from '../errors.ts'
import { EMPTY_RANKING } from '../ranking/order.ts'
import { readTrajectories } from '../runs/trajectories.ts'
import { type Artifact, defineArtifact } from '../store/artifact.ts'
import { readText } from '../store/input.ts'
import type { Call, Ranking } from '../types.ts'
import { textUnits } from './corpus.ts'
import { textMatcher } from './match-texts.ts'
import type { Recipe } from './recipe.ts'
import { hashRun, type RunFile, type RunTable, rowsById } from './run-table.ts'

const FILE = 'trajectories.json'

/**
 * Trajectories of `src/runs/trajectories.ts` over a recipe's chunks. Ids and texts mean chunks as in `runTable`. The ranking of
 * a query has every chunk that was read, in the order of its first reading.
 */
export function trajectoryTable(recipe: Recipe, { path }: RunFile): Artifact<RunTable> {
  return defineArtifact({
    name: 'trajectories',
    version: 1,
    params: { sha256: hashRun(path) },
    inputs: { chunks: textUnits(recipe) },
    async build(folder, inputs, { progress }) {
      const chunks = await inputs.chunks()
      const rowOf = rowsById(chunks)
      const match = textMatcher(chunks)
      const trajectories = readTrajectories(path)
      const wrong: Diagnostic[] = []
      const queries: [string, Call[]][] = []
      let [all, unmatched] = [0, 0]
      for (const [query, { steps, line }] of trajectories) {
        progress(`trajectories ${basename(path)}`, queries.length, trajectories.size)
        const rowsOf = (ids: readonly string[]) =>
          ids.flatMap((id) => {
            const row = rowOf.get(id)
            if (row === undefined) wrong.push({ file: path, line, message: `the corpus holds no "${id}"` })
            return row ?? []
          })
        const calls = steps.map(({ ids, contexts = [], ...call }) => {
          if (ids) return { ...call, rows: rowsOf(ids) }
          const matched = contexts.map(match)
          all += matched.length
          unmatched += matched.filter((rows) => rows.length === 0).length
          return { ...call, rows: matched.flat() }
        })
        queries.push([query, calls])
      }
      if (wrong.length > 0) throw new UserError(fewOfEachKind(wrong))
      writeFileSync(join(folder, FILE), JSON.stringify({ queries, texts: { all, unmatched } }))
    },
    async open(folder) {
      const { queries, texts } = JSON.parse(readText(join(folder, FILE)))
      const calls = new Map<string, readonly Call[]>(queries)
      return {
        answers: (asked) => asked.some(({ id }) => calls.has(id)),
        ranking: ({ id }) => rankCalls(calls.get(id)),
        texts,
      }
    },
  })
}

function rankCalls(calls: readonly Call[] | undefined): Ranking {
  if (!calls) return EMPTY_RANKING
  const rows = Uint32Array.from(new Set(calls.flatMap(({ rows }) => rows)))
  return { rows, scores: Float64Array.from(rows, (_, place) => rows.length - place), calls }
}
