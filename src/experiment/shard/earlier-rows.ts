import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { chunkSpans } from '../../corpus/corpus.ts'
import { hashOf, sealed, unsealed } from '../../store/hash.ts'
import { makeFolder, writeWhole } from '../../store/write.ts'
import {
  allArtifactsOf,
  artifactsOf,
  type CompiledTrial,
  rootsOf,
  stepsOf,
  withSeeds,
} from '../plan/compile.ts'
import { type EarlierPart, type EarlierRows, isWhole, listParts, partsFolder } from './parts.ts'
import type { Session } from './session.ts'

/**
 * Index of a plan's parts (`rows.json`). Rows are equal if trial and shard have equal keys, whichever experiment they
 * are of.
 */
interface RowKeys {
  /** Hash of expressions and measures, by trial; other seeds included. */
  readonly trials: readonly string[]
  readonly shards: readonly string[]
}

const INDEX = 'rows.json'

/** Pairs of trials and queries for which steps are stored. */
const EXPLAINED = 100_000

export function isExplained({ trials, queries }: Session, trial: number): boolean {
  return trial < trials.length && trials.length * queries.length <= EXPLAINED
}

/** Writes the index of this plan's parts, and finds equal rows in the parts of every experiment next to this one. */
export function findEarlierRows(session: Session): EarlierRows {
  const { folder, plan } = session
  const keys = rowKeys(session)
  const directory = partsFolder(folder, plan.hash)
  if (!existsSync(join(directory, INDEX))) {
    makeFolder(directory)
    writeWhole(join(directory, INDEX), sealed(keys))
  }
  const sources = indexesAround(folder, directory)
  return (shard) => {
    const parts: EarlierPart[] = []
    const missing = new Set(keys.trials.keys())
    for (const { experiment, name, trials, shards } of sources) {
      if (missing.size === 0) break
      const number = shards.indexOf(keys.shards[shard])
      const rows = [...missing].flatMap((trial): [number, number][] => {
        const row = trials.get(keys.trials[trial])
        return row === undefined ? [] : [[trial, row]]
      })
      if (number < 0 || rows.length === 0) continue
      const part = listParts(experiment, name).find((candidate) => candidate.shard === number)
      if (!part || !isWhole(part)) continue
      parts.push({ part, rows: new Map(rows) })
      for (const [trial] of rows) missing.delete(trial)
    }
    return parts
  }
}

function indexesAround(folder: string, planned: string) {
  const above = dirname(folder)
  return foldersIn(above).flatMap((sibling) => {
    const experiment = join(above, sibling)
    return foldersIn(join(experiment, 'parts')).flatMap((name) => {
      const directory = join(experiment, 'parts', name)
      const index = directory === planned ? undefined : readIndex(join(directory, INDEX))
      if (!index) return []
      const trials = new Map(index.trials.map((key, row) => [key, row]))
      return [{ experiment, name, trials, shards: index.shards }]
    })
  })
}

function foldersIn(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort()
}

function readIndex(file: string): RowKeys | undefined {
  try {
    const index = unsealed(JSON.parse(readFileSync(file, 'utf8'))) as RowKeys | undefined
    return Array.isArray(index?.trials) && Array.isArray(index.shards) ? index : undefined
  } catch {
    return undefined
  }
}

function rowKeys(session: Session): RowKeys {
  const { plan, trials, queries, corpora, shards, store } = session
  const { experiment, dataset, format, version } = plan
  const { depth, context, measures, metrics, compare } = experiment
  const measured = hashOf({
    format,
    version,
    documents: dataset.documentsHash,
    judgedUnit: dataset.judgedUnit,
    depth,
    context,
    measures,
    metrics: metrics.map(({ name, sha256 }) => [name, sha256]),
    primary: compare.by,
  })
  return {
    trials: withSeeds(trials).map((trial, index) =>
      hashOf({
        measured,
        expressions: rootsOf([trial]).map(({ key }) => key),
        sendsAll: trial.sendsAll === true,
        chunks: chunkSpans(trial.ranking.recipe).key,
        explained: isExplained(session, index),
        ...(plan.answers !== undefined && asksModel(trial) && { answers: plan.answers }),
        // Another version of an engine may answer otherwise.
        ...(artifactsOf([trial]).some(store.holder) && { plan: plan.hash }),
      }).slice(0, 32),
    ),
    shards: shards.map(({ begin, end }) =>
      hashOf({
        queries: queries.slice(begin, end).map((query) => JSON.stringify(query)),
        labels: corpora[0].labels
          .slice(begin, end)
          .map(({ ids, grades, groups }) => [ids.join('\n'), [...grades], [...(groups ?? [])]]),
      }).slice(0, 32),
    ),
  }
}

function asksModel(trial: CompiledTrial): boolean {
  return stepsOf([trial]).some(({ step }) => step.asks) || allArtifactsOf([trial]).some(({ asks }) => asks)
}
