import { type Diagnostic, UserError } from '../errors.ts'
import { addTo } from '../maps.ts'
import type { Document, JudgedQuery } from '../types.ts'
import type { GoldSpan, JudgedUnit } from './types.ts'

/** Location in a dataset: a file relative to its folder, and a line from 1. */
export interface DataLocation {
  readonly file: string
  readonly line?: number
}

/** Receives the records of a dataset one by one, and checks that they fit together. */
export interface DatasetSink {
  document(document: Document, location: DataLocation): void
  query(query: JudgedQuery, location: DataLocation): void
  qrel(label: { queryId: string; id: string; grade: number; group?: string }, location: DataLocation): void
  span(queryId: string, span: GoldSpan, location: DataLocation, group?: string): void
  /** Gold that the files name and do not hold; `message` is shown where missing gold is refused. */
  missing(queryId: string, gold: MissingGold, location: DataLocation): void
  /** A query that is judged in another split and left out. No id: any query may be, as a label could not be read. */
  elsewhere(queryId?: string): void
  diagnostic(diagnostic: Diagnostic): void
  notice(message: string): void
  judged(unit: JudgedUnit): void
  readonly known: { query(id: string): boolean; document(id: string): boolean }
}

export interface MissingGold {
  readonly name: string
  readonly message: string
  /** A name in the data that is nearly the missing one, in words, or ''; called only for an error that is shown. */
  readonly near?: () => string
  readonly group?: string
}

const SHOWN = 100

export const SAME_IDS = 'are the document ids of qrels and corpus the same?'

export const COUNT_MISSING =
  '`missingGold: count` of the dataset (`import --missing-gold count`) counts missing gold as not found and leaves queries without gold out'

export function ofAny(...sentences: readonly (readonly [count: number, sentence: string])[]): string[] {
  return sentences.flatMap(([count, sentence]) => (count > 0 ? [sentence] : []))
}

/** Errors of one dataset, reported at once: the first hundred in full, the others as a number. */
export interface DatasetDiagnostics {
  /** `make` runs only for an error that is shown: finding a nearest name costs time. */
  add(make: () => Diagnostic): void
  /** Adds advice that is shown once, after all errors. */
  hint(message: string): void
  any(): boolean
  close(): void
}

export function collectDatasetDiagnostics(): DatasetDiagnostics {
  const shown: Diagnostic[] = []
  const hints = new Set<string>()
  let more = 0
  return {
    add(make) {
      if (shown.length < SHOWN) shown.push(make())
      else more++
    },
    hint: (message) => hints.add(message),
    any: () => shown.length > 0,
    close() {
      inOrder(shown)
      const all = oncePerMessage(shown)
      if (more > 0) all.push({ message: `and ${more} more` })
      if (all.length > 0) for (const message of hints) all.push({ message })
      if (all.length > 0) throw new UserError(all)
    },
  }
}

const ONE_BY_ONE = 5

/** Lines of a file whose messages differ in the id alone become one diagnostic with all line numbers. */
function oncePerMessage(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const keyOf = ({ file, message }: Diagnostic) =>
    JSON.stringify([file, message.replace(/^(query|document) "[^"]*"/, '$1')])
  const lines = new Map<string, number[]>()
  for (const diagnostic of diagnostics)
    if (diagnostic.line !== undefined) addTo(lines, keyOf(diagnostic), diagnostic.line)
  return diagnostics.flatMap((diagnostic) => {
    const [first, ...others] = lines.get(keyOf(diagnostic)) ?? []
    if (others.length < ONE_BY_ONE) return [diagnostic]
    return diagnostic.line === first
      ? [{ ...diagnostic, message: `${diagnostic.message} (also lines ${ranges(others)})` }]
      : []
  })
}

function ranges(numbers: readonly number[]): string {
  const spans: [number, number][] = []
  for (const number of numbers) {
    const last = spans.at(-1)
    if (last && number <= last[1] + 1) last[1] = number
    else spans.push([number, number])
  }
  return spans.map(([from, to]) => (from === to ? from : `${from} to ${to}`)).join(', ')
}

function inOrder(diagnostics: Diagnostic[]): void {
  const files = [...new Set(diagnostics.map(({ file }) => file))]
  diagnostics.sort((a, b) => files.indexOf(a.file) - files.indexOf(b.file) || (a.line ?? 0) - (b.line ?? 0))
}
