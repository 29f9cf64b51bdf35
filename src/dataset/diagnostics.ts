import { type Diagnostic, UserError } from '../errors.ts'

const SHOWN = 100

export const SAME_IDS = 'are the document ids of qrels and corpus the same?'

/** A hint after errors about missing gold. */
export const COUNT_MISSING =
  '`missingGold: count` of the dataset (`import --missing-gold count`) counts missing gold as not found and leaves queries without gold out'

/** Sentences whose count is not 0. */
export function ofAny(...sentences: readonly (readonly [count: number, sentence: string])[]): string[] {
  return sentences.flatMap(([count, sentence]) => (count > 0 ? [sentence] : []))
}

/** Collects the errors of one dataset, so that all are reported at once: the first hundred in full, the others as a number. */
export interface DatasetDiagnostics {
  /** `make` runs only where the error will be shown: finding a nearest name costs time. */
  add(make: () => Diagnostic): void
  /** Says once, after all errors, how to go on in spite of some of them. */
  hint(message: string): void
  any(): boolean
  /** Throws a UserError where there is any error. */
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

/** Most lines with the same message that are shown one by one. */
const ONE_BY_ONE = 5

/** Diagnostics without repetitions: lines of a file whose messages differ in the id alone become one diagnostic with all line numbers. */
function oncePerMessage(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const keyOf = ({ file, message }: Diagnostic) =>
    JSON.stringify([file, message.replace(/^(query|document) "[^"]*"/, '$1')])
  const lines = new Map<string, number[]>()
  for (const one of diagnostics)
    if (one.line !== undefined) lines.set(keyOf(one), [...(lines.get(keyOf(one)) ?? []), one.line])
  return diagnostics.flatMap((one) => {
    const [first, ...others] = lines.get(keyOf(one)) ?? []
    if (others.length < ONE_BY_ONE) return [one]
    return one.line === first ? [{ ...one, message: `${one.message} (also lines ${ranges(others)})` }] : []
  })
}

/** Numbers in words, consecutive ones as a range: `2 to 4, 7`. */
function ranges(numbers: readonly number[]): string {
  const found: [number, number][] = []
  for (const number of numbers) {
    const last = found.at(-1)
    if (last && number <= last[1] + 1) last[1] = number
    else found.push([number, number])
  }
  return found.map(([from, to]) => (from === to ? from : `${from} to ${to}`)).join(', ')
}

/** In order of line within a file; files in the order in which they first appear. */
function inOrder(diagnostics: Diagnostic[]): void {
  const files = [...new Set(diagnostics.map(({ file }) => file))]
  diagnostics.sort((a, b) => files.indexOf(a.file) - files.indexOf(b.file) || (a.line ?? 0) - (b.line ?? 0))
}
