import type { PlacedQrel } from './check-qrels.ts'
import type { PlacedSpan } from './check-spans.ts'
import type { DataLocation, MissingGold } from './sink.ts'
import type { JudgedUnit } from './types.ts'

export interface PlacedMissing extends MissingGold {
  readonly queryId: string
  readonly location: DataLocation
}

interface Gold {
  readonly qrelList: PlacedQrel[]
  readonly spans: PlacedSpan[]
  readonly judgedUnit: JudgedUnit
}

/**
 * Adds gold that the files lack to the gold that they hold, under an id that no corpus has, so that it counts as not
 * found. A query that has no other gold gets none: it is left out as a query without gold.
 */
export function addMissing(lacking: readonly PlacedMissing[], { qrelList, spans, judgedUnit }: Gold): void {
  const judged = new Set([...qrelList, ...spans].map(({ queryId }) => queryId))
  const seen = new Set<string>()
  for (const { queryId, name, group, location } of lacking) {
    const id = `missing: ${name.replace(/\s+/g, ' ').trim()}`
    const key = JSON.stringify([queryId, id])
    if (!judged.has(queryId) || seen.has(key)) continue
    seen.add(key)
    if (judgedUnit === 'span')
      spans.push({ queryId, span: { documentId: id, start: 0, end: 1 }, group, location })
    else qrelList.push({ queryId, id, grade: 1, group, location })
  }
}
