import { type Diagnostic, UserError } from '../errors.ts'

const SHOWN = 100

export const SAME_IDS = 'are the document ids of qrels and corpus the same?'

/** A hint after errors about missing gold. */
export const COUNT_MISSING =
  '`missingGold: count` of the dataset (`import --missing-gold count`) counts missing gold as not found and leaves queries without gold out'

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
      if (more > 0) shown.push({ message: `and ${more} more` })
      if (shown.length > 0) for (const message of hints) shown.push({ message })
      if (shown.length > 0) throw new UserError(shown)
    },
  }
}

/** In order of line within a file; files in the order in which they first appear. */
function inOrder(diagnostics: Diagnostic[]): void {
  const files = [...new Set(diagnostics.map(({ file }) => file))]
  diagnostics.sort((a, b) => files.indexOf(a.file) - files.indexOf(b.file) || (a.line ?? 0) - (b.line ?? 0))
}
