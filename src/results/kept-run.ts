import { join, resolve } from 'node:path'
import { UserError } from '../errors.ts'
import { didYouMean } from '../text/nearest.ts'
import { readColumns } from './columns.ts'
import { readSingle } from './read.ts'
import { briefName } from './row-names.ts'
import { pickedBy } from './row-values.ts'
import type { Summary } from './summary.ts'

/**
 * Stored rankings as a TREC run: labelled units by best score. With the qrels they reproduce the leaderboard's scores
 * up to the stored cutoff.
 */
interface KeptRun {
  readonly trial: string
  /** Rankings by query id, best first. Queries without results are absent. */
  readonly queries: ReadonlyMap<string, { readonly ids: readonly string[]; readonly scores: Float64Array }>
  /** Cutoff up to which scores are exact. */
  readonly exact: number
}

interface KeptQrels {
  readonly qrels: ReadonlyMap<string, ReadonlyMap<string, number>>
  /** Query id -> judged id -> name of its OR-group. */
  readonly groups: ReadonlyMap<string, ReadonlyMap<string, string>>
}

const KEPT = 20

/**
 * Reads the rankings of a row of the leaderboard, by name or id. Those of a tuned strategy are of its chosen trials.
 * Throws a UserError if there is no such row, or its rankings were not stored.
 */
export async function readKeptRun(folder: string, name: string): Promise<KeptRun> {
  const summary = readSingle(folder)
  refuseSpans(summary.experiment, summary)
  const queries = await readColumns(join(resolve(folder), 'queries.parquet'), {
    id: 'texts',
    category: 'texts',
  })
  const chosen = chosenTrials(summary, name, queries)
  const { rows, trial, query, judged, score } = await readColumns(join(resolve(folder), 'rankings.parquet'), {
    trial: 'integer',
    query: 'integer',
    judged: 'words',
    score: 'number',
  })
  const byQuery = new Map<number, { ids: string[]; scores: number[]; seen: Set<number>; chunks: number }>()
  for (let row = 0; row < rows; row++) {
    if (trial[row] !== chosen.picked(query[row])) continue
    const record = byQuery.get(query[row]) ?? { ids: [], scores: [], seen: new Set(), chunks: 0 }
    byQuery.set(query[row], record)
    record.chunks++
    // Rows are sorted by rank, so a unit's first chunk is its best.
    if (record.seen.has(judged.codes[row])) continue
    record.seen.add(judged.codes[row])
    record.ids.push(judged.words[judged.codes[row]])
    record.scores.push(score[row])
  }
  const cut = [...byQuery.values()].filter(({ chunks }) => chunks >= Math.min(KEPT, summary.depth))
  return {
    trial: chosen.name,
    queries: new Map(
      [...byQuery].map(([at, { ids: ranked, scores }]) => [
        queries.id[at],
        { ids: ranked, scores: Float64Array.from(scores) },
      ]),
    ),
    exact: cut.reduce((least, { ids: ranked }) => Math.min(least, ranked.length), summary.depth),
  }
}

/** Reads the labels of the queries that count: answerable and judged. */
export async function readKeptQrels(folder: string): Promise<KeptQrels> {
  refuseSpans(folder, readSingle(folder))
  const { id: ids, answerable } = await readColumns(join(resolve(folder), 'queries.parquet'), {
    id: 'texts',
    answerable: 'flags',
  })
  const { rows, query, judged, grade, group } = await readColumns(join(resolve(folder), 'labels.parquet'), {
    query: 'integer',
    judged: 'texts',
    grade: 'integer',
    group: 'integer',
  })
  const qrels = new Map<string, Map<string, number>>()
  const groups = new Map<string, Map<string, string>>()
  const put = <T>(into: Map<string, Map<string, T>>, id: string, key: string, value: T) =>
    into.set(id, (into.get(id) ?? new Map<string, T>()).set(key, value))
  for (let row = 0; row < rows; row++) {
    if (!answerable[query[row]]) continue
    const id = ids[query[row]]
    put(qrels, id, judged[row], grade[row])
    if (group[row] >= 0) put(groups, id, judged[row], `g${group[row] + 1}`)
  }
  return { qrels, groups }
}

/** Returns a row and, by query, the index of the trial that represents it; -1 for none. */
function chosenTrials(
  summary: Summary,
  name: string,
  { id, category }: { readonly id: readonly string[]; readonly category: readonly string[] },
): { name: string; picked: (query: number) => number } {
  const { trials, tuned } = summary
  const indexOf = new Map(trials.map((trial, index) => [trial.id, index]))
  const trial = onlyOne(trials, name)
  if (trial) {
    requireKept(summary, name, [trial.id])
    return { name: trial.name, picked: () => indexOf.get(trial.id) ?? -1 }
  }
  const row = tuned.find((row) => row.name === name || row.id === name)
  if (row) {
    const picks = pickedBy(row, summary, id, category)
    requireKept(
      summary,
      name,
      [...new Set(picks)].filter((pick) => pick !== null),
    )
    return { name: row.name, picked: (query) => indexOf.get(picks[query] ?? '') ?? -1 }
  }
  const names = [...tuned, ...trials].map((row) => row.name)
  throw new UserError(`there is no trial \`${name}\`${didYouMean(name, names)}; ${keptNames(summary)}`)
}

/** Finds a trial by name, id, or unique short name. */
function onlyOne(trials: Summary['trials'], name: string): Summary['trials'][number] | undefined {
  const brief = trials.filter((trial) => briefName(trial) === name)
  return (
    trials.find((trial) => trial.name === name || trial.id === name) ??
    (brief.length === 1 ? brief[0] : undefined)
  )
}

function requireKept(summary: Summary, name: string, chosen: readonly string[]): void {
  const lost = summary.trials.filter(({ id, finalist }) => chosen.includes(id) && !finalist)
  if (lost.length === 0) return
  const whose =
    lost[0].name === name ? '' : ` (it represents ${lost.map((trial) => `\`${trial.name}\``).join(', ')})`
  throw new UserError(
    `the rankings of \`${name}\`${whose} were not stored; ${keptNames(summary)}. An experiment stores rankings of at most 20 trials: use a config of 20 trials or fewer`,
  )
}

function keptNames({ trials }: Summary): string {
  const finalists = trials.filter(({ finalist }) => finalist)
  return `rankings are stored for ${finalists.map(({ name }) => `\`${name}\``).join(', ')}`
}

function refuseSpans(file: string, { datasets }: Summary): void {
  if (datasets.some(({ judgedUnit }) => judgedUnit === 'span'))
    throw new UserError(
      'has labels on spans of text: one chunk can hold several spans, which a TREC run cannot express',
      file,
    )
}
