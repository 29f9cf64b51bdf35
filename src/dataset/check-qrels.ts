import { didYouMean } from '../text/nearest.ts'
import type { Document, JudgedQuery } from '../types.ts'
import { COUNT_MISSING, type DatasetDiagnostics, SAME_IDS } from './diagnostics.ts'
import type { DataLocation, Qrel } from './sink.ts'
import type { JudgedUnit } from './types.ts'

export interface PlacedQrel extends Qrel {
  readonly location: DataLocation
}

export interface Known {
  readonly documents: ReadonlyMap<string, Document>
  readonly queries: ReadonlyMap<string, JudgedQuery>
  readonly judgedUnit: JudgedUnit
  readonly missingGold: 'refuse' | 'count'
  /** Documents that were left out. */
  readonly empty: ReadonlySet<string>
}

/** Beyond this many ids the search for a near one takes longer than it helps. */
const SEARCHED = 200_000

export function near(id: string, ids: ReadonlyMap<string, unknown>): string {
  return ids.size > SEARCHED ? '' : didYouMean(id, ids.keys())
}

/** Qrels by query; with OR-groups for the queries that have labels, and the number of gold documents that are missing. */
export function checkQrels(qrelList: readonly PlacedQrel[], known: Known, diagnostics: DatasetDiagnostics) {
  const qrels = new Map<string, Map<string, number>>()
  const labels = new Map<string, Map<string, string>>()
  let missing = 0
  let foreign = 0
  for (const { queryId, id, grade, group, location } of qrelList) {
    // If a whole file could not be read, every line of this one would be wrong.
    if (known.queries.size > 0 && !known.queries.has(queryId)) {
      diagnostics.add(() => ({
        ...location,
        message: `unknown query "${queryId}"${near(queryId, known.queries)}`,
      }))
      continue
    }
    // Chunks are not cut yet when a dataset is loaded.
    if (known.judgedUnit !== 'chunk' && known.documents.size > 0 && !known.documents.has(id)) {
      foreign++
      if (known.missingGold === 'refuse' && !known.empty.has(id)) {
        diagnostics.hint(COUNT_MISSING)
        diagnostics.add(() => ({
          ...location,
          message: `unknown document "${id}"${near(id, known.documents)}`,
        }))
      } else if (grade >= 1) missing++
    }
    const grades = qrels.get(queryId) ?? new Map<string, number>()
    if (grades.has(id))
      diagnostics.add(() => ({ ...location, message: `"${id}" is judged twice for query "${queryId}"` }))
    grades.set(id, grade)
    qrels.set(queryId, grades)
    if (group !== undefined) {
      const labelled = labels.get(queryId) ?? new Map<string, string>()
      labelled.set(id, group)
      labels.set(queryId, labelled)
    }
  }
  const relevant = (queryId: string) =>
    [...(qrels.get(queryId) ?? [])].filter(([, grade]) => grade >= 1).map(([id]) => id)
  if (foreign > 0 && foreign === qrelList.length)
    diagnostics.hint(`none of the judged documents is in the corpus: ${SAME_IDS}`)
  return { qrels, groups: groupsOf(labels, relevant), missing }
}

/** OR-groups of the queries that have labels; a relevant id without a label is a group of its own. */
export function groupsOf(
  labels: ReadonlyMap<string, ReadonlyMap<string, string>>,
  relevant: (queryId: string) => readonly string[],
): Map<string, string[][]> {
  const groups = new Map<string, string[][]>()
  for (const [queryId, labelled] of labels) {
    const byLabel = new Map<string, string[]>()
    const list: string[][] = []
    for (const id of relevant(queryId)) {
      const label = labelled.get(id)
      const open = label === undefined ? undefined : byLabel.get(label)
      if (open) open.push(id)
      else {
        const fresh = [id]
        if (label !== undefined) byLabel.set(label, fresh)
        list.push(fresh)
      }
    }
    groups.set(queryId, list)
  }
  return groups
}
