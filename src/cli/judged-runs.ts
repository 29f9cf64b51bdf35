import { relative } from 'node:path'
import { readMetrics } from '../config/compare.ts'
import type { Problem } from '../config/reading.ts'
import { collectDiagnostics, UserError } from '../errors.ts'
import { requireLabels } from '../library/score-run.ts'
import { formatC } from '../metrics/c-numbers.ts'
import { DIALECT_NAMES, type Dialect } from '../metrics/dialects.ts'
import { type GoldByQuery, goldByQuery, JUDGED_RANKS, type RunScores } from '../metrics/score-run.ts'
import { askedMeasures, fromTrec, type NamedMeasure } from '../metrics/trec-names.ts'
import { readQrels, readRun } from '../runs/formats.ts'
import { expandPaths } from '../runs/glob.ts'
import type { ReadResult, Run } from '../runs/types.ts'
import { otherSpellings } from '../text/ids.ts'
import type { Qrels } from '../types.ts'
import { choice, integer } from './command.ts'
import type { Io } from './io.ts'

/** Options of `score` and `compare` that say how to read labels and runs. */
export const JUDGED_RUNS = {
  grade: integer('GRADE', 'the lowest relevant grade', { short: 'l', min: 0, default: 1 }),
  dialect: choice(
    'NAME',
    DIALECT_NAMES,
    'tool whose definitions are used; BEIR leaves out judged queries that a run lacks, the others score 0',
    { default: 'trec_eval-10' },
  ),
} as const

export function warnOfForeignIds(
  file: string,
  { judged, meets }: Pick<RunScores, 'judged' | 'meets'>,
  qrels: string,
  io: Pick<Io, 'err'>,
): void {
  if (judged !== null && !meets)
    io.err(`warning: ${file}: none of its documents is judged in ${qrels}: are the document ids the same?`)
}

/** First ids of two sides that have none in common. */
function firstOf(ours: Iterable<string>, theirs: Iterable<string>): string {
  const [[ourId = ''], [other = '']] = [[...ours], [...theirs]]
  return `(\`${ourId}\` here, \`${other}\` there)`
}

function warnOfSpellings(
  kind: 'query' | 'document',
  ids: Iterable<string>,
  judged: Iterable<string>,
  { file, qrels, io }: { readonly file: string; readonly qrels: string; readonly io: Pick<Io, 'err'> },
): void {
  const spellings = otherSpellings(ids, judged)
  if (spellings)
    io.err(
      `warning: ${file}: ${kind} ids that ${qrels} judges in another spelling only, which counts as another id: ${spellings.count} (${spellings.example})`,
    )
}

/** Empty for a run without judged queries. */
export function judgedShare({ judged }: Pick<RunScores, 'judged'>): string {
  return judged === null ? '' : formatC(judged, 4)
}

export const JUDGED_COLUMN = `judged@${JUDGED_RANKS}`

/** True if a run has every judged document, with its grade as the score. */
function equalsQrels({ queries }: Run, qrels: Qrels): boolean {
  return (
    queries.size === qrels.size &&
    [...queries].every(([query, { ids, scores }]) => {
      const grades = qrels.get(query)
      return grades?.size === ids.length && ids.every((id, at) => grades.get(id) === scores[at])
    })
  )
}

/** A TREC run of six columns holds no qrels, however good its ranking is. */
async function readsAsQrels(path: string): Promise<boolean> {
  try {
    await readQrels(path)
    return true
  } catch (error) {
    if (error instanceof UserError) return false
    throw error
  }
}

/**
 * Reads labels and runs, with patterns such as `runs/*.trec`. A run's name is its tag, or its path if two runs have one tag. Throws a
 * UserError with the diagnostics of all files.
 */
export async function readJudgedRuns(
  qrels: string,
  patterns: readonly string[],
  { keepsRepeats }: Dialect,
  io: Io,
) {
  const diagnostics = collectDiagnostics()
  const attempt = async <T>(file: string, read: () => Promise<ReadResult<T>>) => {
    const result = await diagnostics.attemptAsync(read)
    if (result?.read !== undefined) io.err(`${file}: ${result.read}`)
    for (const [notice, count] of Object.entries(result?.notices ?? {}))
      io.err(`${file}: ${notice}: ${count}`)
    return result?.value
  }
  const file = await attempt(qrels, () => readQrels(io.path(qrels)))
  const barren = [...(file?.qrels.values() ?? [])].filter(
    (grades) => ![...grades.values()].some((value) => value >= 1),
  )
  if (barren.length > 0)
    io.err(`${qrels}: judged queries without a document of grade 1 or higher, counted as 0: ${barren.length}`)
  const gold: GoldByQuery = file ? goldByQuery(file.qrels, file.groups) : new Map()
  const judged = new Set(file ? [...file.qrels.values()].flatMap((grades) => [...grades.keys()]) : [])
  const knownIds = file && { query: (id: string) => gold.has(id), document: (id: string) => judged.has(id) }
  const runs: { file: string; shown: string; run: Run }[] = []
  for (const full of expandPaths(patterns.map((pattern) => io.path(pattern)))) {
    const path = io.shown(full)
    const run = await attempt(path, () => readRun(full, { keepsRepeats, known: knownIds }))
    if (!run) continue
    if (file && equalsQrels(run, file.qrels) && (await readsAsQrels(full)))
      diagnostics.add({
        file: full,
        message: `holds the qrels: its documents and scores are those of ${qrels}; name the run of a system`,
      })
    else if (file && ![...run.queries.keys()].some((id) => gold.has(id)))
      diagnostics.add({
        file: full,
        message: `none of its queries is judged in ${qrels}: are the query ids the same? ${firstOf(run.queries.keys(), gold.keys())}`,
      })
    else if (file) {
      warnOfSpellings('query', run.queries.keys(), gold.keys(), { file: path, qrels, io })
      const retrieved = function* () {
        for (const [query, { ids }] of run.queries) if (gold.has(query)) yield* ids
      }
      warnOfSpellings('document', retrieved(), judged, { file: path, qrels, io })
    }
    runs.push({ file: full, shown: path, run })
  }
  diagnostics.throwIfAny()
  const names = runs.map(({ run }) => run.name)
  const isUnique = (name: string) => names.indexOf(name) === names.lastIndexOf(name)
  const named = runs.map(({ run, ...where }) => ({
    ...where,
    name: isUnique(run.name) ? run.name : relative(io.folder, where.file),
    run,
  }))
  return { gold, runs: named }
}

/** Measures by name, or by the file of a custom metric. Throws a UserError with every diagnostic. */
export async function readAsked(measures: readonly string[], grade: number, io: Io): Promise<NamedMeasure[]> {
  for (const name of measures) {
    const parts = name.split(',').map((part) => part.trim())
    if (parts.length > 1 && !/[(]/.test(name) && fromTrec(name) === undefined)
      throw new UserError(
        `\`${name}\` is not one measure; repeat the option: ${parts.map((part) => `-m ${part}`).join(' ')}`,
      )
  }
  const problems: Problem[] = []
  const { names, metrics } = await readMetrics(
    { measures, compare: {} },
    { folderOf: () => io.folder, customFiles: new Map(), problems, rewrites: [] },
  )
  if (problems.length > 0) throw new UserError(problems.map(({ message }) => ({ message })))
  const namedMeasures = askedMeasures(
    names.filter((name) => name !== null),
    { rel: grade, metrics },
  )
  requireLabels(namedMeasures)
  return namedMeasures
}
