import { readFileSync } from 'node:fs'
import { UserError } from '../../errors.ts'
import { sha256 } from '../../store/hash.ts'
import { formatCompletion, parseCompletion, type StoredCompletion } from './request.ts'

/** Completions in one file, one per line, sorted by key: the same completions give the same bytes in any order. */
export interface CompletionRecording {
  readonly text: string
  readonly sha256: string
  readonly completions: number
}

export function recordingOf(completions: Iterable<StoredCompletion>): CompletionRecording {
  const byKey = new Map([...completions].map((completion) => [completion.key, completion]))
  const lines = [...byKey.keys()]
    .sort()
    .map((key) => `${formatCompletion(byKey.get(key) as StoredCompletion)}\n`)
  const text = lines.join('')
  return { text, sha256: sha256(text), completions: lines.length }
}

/** Reads a recording. Throws a UserError with every line that is no stored completion. */
export function readCompletionRecording(file: string): ReadonlyMap<string, StoredCompletion> {
  const diagnostics: UserError[] = []
  const completions = new Map<string, StoredCompletion>()
  const lines = readFileSync(file, 'utf8').split('\n')
  for (const [index, line] of lines.entries()) {
    if (line === '') continue
    try {
      const completion = parseCompletion(line, file, index + 1)
      const above = completions.get(completion.key)
      if (above && above.sha256 !== completion.sha256)
        throw new UserError({
          file,
          line: index + 1,
          message: `holds another completion of a request above (${completion.key}); keep one of the two lines`,
        })
      completions.set(completion.key, completion)
    } catch (error) {
      if (!(error instanceof UserError)) throw error
      diagnostics.push(error)
    }
  }
  if (diagnostics.length > 0) throw new UserError(diagnostics.flatMap((diagnostic) => diagnostic.diagnostics))
  return completions
}
