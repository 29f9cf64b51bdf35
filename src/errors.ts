/** A user's mistakes: printed without a stack, exit 2. Anything else that is thrown is a bug: stack, exit 1. */

export interface Diagnostic {
  readonly message: string
  readonly file?: string
  /** From 1. */
  readonly line?: number
  /** From 1. */
  readonly column?: number
}

/** More mistakes at once help nobody. */
const MAX = 200
/** The longest line of a message: what it quotes may be megabytes. */
const LONGEST = 1000

/** A text with the middle of each long line left out: what is wrong stands at its ends. */
export function clip(text: string): string {
  const clipLine = (line: string) =>
    line.length > LONGEST ? `${line.slice(0, LONGEST / 2)} ... ${line.slice(-LONGEST / 2)}` : line
  return text.split('\n').map(clipLine).join('\n')
}

export class UserError extends Error {
  readonly diagnostics: readonly Diagnostic[]

  constructor(diagnostics: string | Diagnostic | readonly Diagnostic[]) {
    const list: readonly Diagnostic[] =
      typeof diagnostics === 'string'
        ? [{ message: diagnostics }]
        : Array.isArray(diagnostics)
          ? (diagnostics as readonly Diagnostic[])
          : [diagnostics as Diagnostic]
    const shown = list.slice(0, MAX).map((diagnostic) => ({
      ...diagnostic,
      message: clip(diagnostic.message),
      ...(diagnostic.file === undefined ? {} : { file: clip(diagnostic.file) }),
    }))
    if (list.length > MAX) shown.push({ message: `and ${list.length - MAX} more` })
    super(shown.map(formatDiagnostic).join('\n'))
    this.name = 'UserError'
    this.diagnostics = shown
  }
}

/** `file:line:column: message`, with the parts that are known. */
export function formatDiagnostic({ file, line, column, message }: Diagnostic): string {
  const place = [file, line, column].filter((part) => part !== undefined).join(':')
  return place ? `${place}: ${message}` : message
}
