import { textUnits } from '../corpus/corpus.ts'
import { scalarsOf } from '../corpus/filter.ts'
import { UserError } from '../errors.ts'
import { createMemo, type MemoCell, type QueryFacts } from '../retrieve/evaluate.ts'
import { rankingsRead } from '../retrieve/explain.ts'
import { expressionsOf } from '../retrieve/step.ts'
import { queryFieldsOf, withOwn } from '../retrieve/steps/trial.ts'
import type { Chunk, Evidence, Json, Query, Ranking } from '../types.ts'
import { type CompiledTrial, rootsOf } from './plan/compile.ts'
import type { OpenExperiment } from './plan/open.ts'
import { failureOf } from './shard/result.ts'

export interface QueryTrace extends Omit<QueryFacts, 'finds' | 'marks'> {
  readonly trial: string
  readonly query: string
  readonly milliseconds: number
  readonly steps: readonly { readonly step: string; readonly milliseconds: number }[]
  readonly sources: readonly AskedSource[]
  readonly evidence: readonly Evidence[]
  /** Highest cosine of a chunk; null without dense search. */
  readonly nearest: number | null
}

interface AskedSource {
  readonly chunk: Chunk
  readonly score: number
  readonly mark: string | null
  readonly ranked: readonly RankedAt[]
}

interface RankedAt {
  readonly step: string
  readonly rank: number
  readonly score: number
  /** Steps that add to scores: the score before (0 for a new chunk), and the amount. */
  readonly base?: number
  readonly added?: number
}

export interface QueryTraceWithRanking {
  readonly asked: QueryTrace
  readonly ranking: Ranking
}

interface AskOptions {
  readonly byDocument?: boolean
  readonly metadata?: Readonly<Record<string, Json>>
}

/**
 * Asks a trial one question over prepared artifacts, for at most `depth` sources. Throws a UserError if a step fails, or
 * a filter reads metadata that the question lacks.
 */
export async function askTrial(
  { store, dataset }: OpenExperiment,
  compiled: CompiledTrial,
  text: string,
  depth: number,
  clock: () => number,
  { byDocument = false, metadata = {} }: AskOptions = {},
): Promise<QueryTraceWithRanking> {
  const begin = clock()
  // A question of the dataset is asked as in a run, with its own document.
  const judgedQuery = dataset.queries.find((judged) => judged.text === text)
  const trial = judgedQuery ? compiled : { ...compiled, ranking: withOwn(compiled.ranking) }
  const query: Query = {
    id: judgedQuery?.id ?? 'question',
    text,
    metadata: { ...judgedQuery?.metadata, ...metadata },
  }
  if (!judgedQuery) requireMetadata(trial, metadata)
  const memo = createMemo(store, [query], clock)
  const roots = rootsOf([trial])
  const [cell] = await memo.cells(trial.ranking)
  const [evidenceCell] = trial.evidence ? await memo.cells(trial.evidence) : []
  const chunks = await store.open(textUnits(trial.ranking.recipe))
  const failure = failureOf(trial, cell, evidenceCell, chunks.length)
  if (failure) throw new UserError(`${trial.name}: the step ${failure.step} failed: ${failure.message}`)
  const names = new Set(expressionsOf(roots).map(({ step }) => step.name))
  const steps = [...names].flatMap((step) => {
    const milliseconds = memo.milliseconds.get(step)
    return milliseconds === undefined ? [] : [{ step, milliseconds }]
  })
  const ranking = (cell as MemoCell).value as Ranking
  const { rows, scores } = ranking
  const { finds: _, marks, ...facts } = memo.facts(roots, 0)
  const rankings = rankingsRead(memo, trial.ranking, 0)
  const rankedIn = (row: number) =>
    rankings.flatMap(({ step, ranking: { rows, scores }, base: before }): RankedAt[] => {
      const at = rows.indexOf(row)
      if (at < 0) return []
      const ranked = { step, rank: at + 1, score: scores[at] }
      if (!before) return [ranked]
      const { rows: earlier, scores: earlierScores } = before()
      const base = earlierScores[earlier.indexOf(row)] ?? 0
      return [{ ...ranked, base, added: ranked.score - base }]
    })
  const documents = new Set<string>()
  const isFirst = (row: number) => documents.size !== documents.add(chunks[row].documentId).size
  const sources = [...rows]
    .map((row, index) => ({ row, score: scores[index] }))
    .filter(({ row }) => !byDocument || isFirst(row))
    .slice(0, depth)
    .map(({ row, score }) => ({
      chunk: chunks[row],
      score,
      mark: marks.get(row) ?? null,
      ranked: rankedIn(row),
    }))
  const evidence = (evidenceCell?.value ?? []) as readonly Evidence[]
  const cosines = rankings.flatMap(({ step, ranking }) =>
    step === 'dense' ? [...ranking.scores.subarray(0, 1)] : [],
  )
  const nearest = cosines.length > 0 ? Math.max(...cosines) : null
  const milliseconds = clock() - begin
  return {
    asked: { trial: trial.name, query: text, milliseconds, steps, sources, evidence, nearest, ...facts },
    ranking,
  }
}

/** Throws a UserError if a filter reads a field that the metadata lacks: no chunk would be left. */
function requireMetadata({ name, ranking }: CompiledTrial, metadata: Readonly<Record<string, Json>>): void {
  const missing = queryFieldsOf(ranking).filter((field) => scalarsOf(metadata[field]).length === 0)
  if (missing.length === 0) return
  const fields = missing.map((field) => `\`${field}\``).join(', ')
  const [first] = missing
  throw new UserError(
    `the filter of ${name} reads ${fields} of the question's metadata; give \`--metadata ${first}=VALUE\`, or \`metadata: {${first}: ...}\` in a program`,
  )
}

const LONGEST = 10_000

export function requireQuestion(text: string): void {
  if (text.trim() === '') throw new UserError('the question is empty')
  if (text.length > LONGEST)
    throw new UserError(`the question has ${text.length} characters; at most ${LONGEST} are allowed`)
}

/** Cosine of a weak match; embedders differ. */
const WEAK = 0.3

export function weakMatch(nearest: number | null): string | null {
  if (nearest === null || nearest >= WEAK) return null
  return `weak match: the nearest chunk has a cosine of ${nearest.toFixed(2)}, below ${WEAK}`
}
