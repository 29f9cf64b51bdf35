/** Error of the user: printed without a stack, exit 2. Any other exception is a bug: stack, exit 1. */
export interface Diagnostic {
  readonly message: string
  readonly file?: string
  /** From 1. */
  readonly line?: number
  /** From 1. */
  readonly column?: number
}

/** Maximum number of diagnostics shown at once. */
const MAX = 200
/** Maximum characters of a message line, since it may quote megabytes. */
const LONGEST = 1000

export function clip(text: string): string {
  const clipLine = (line: string) =>
    line.length > LONGEST ? `${line.slice(0, LONGEST / 2)} ... ${line.slice(-LONGEST / 2)}` : line
  return text.split('\n').map(clipLine).join('\n')
}

export class UserError extends Error {
  readonly diagnostics: readonly Diagnostic[]

  /** `file`: place of a single message. */
  constructor(diagnostics: string | Diagnostic | readonly Diagnostic[], file?: string) {
    const list = [diagnostics].flat().map((item): Diagnostic => {
      if (typeof item !== 'string') return item
      return file === undefined ? { message: item } : { file, message: item }
    })
    const shown = list.slice(0, MAX).map((diagnostic) => {
      const clipped = { ...diagnostic, message: clip(diagnostic.message) }
      return diagnostic.file === undefined ? clipped : { ...clipped, file: clip(diagnostic.file) }
    })
    if (list.length > MAX) shown.push({ message: `and ${list.length - MAX} more` })
    super(shown.map(formatDiagnostic).join('\n'))
    this.name = 'UserError'
    this.diagnostics = shown
  }
}

/** Any error but a UserError is a bug and is thrown again. */
export function diagnosticsOf(error: unknown): readonly Diagnostic[] {
  if (!(error instanceof UserError)) throw error
  return error.diagnostics
}

/** Keeps the first of equal diagnostics. */
export function distinctDiagnostics(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  return [...new Map(diagnostics.map((diagnostic) => [JSON.stringify(diagnostic), diagnostic])).values()]
}

/** Diagnostics of one kind that are shown. */
const OF_A_KIND = 5

/**
 * The first diagnostics of each kind, and a count of the others. Messages of a kind differ by numbers and
 * quotations.
 */
export function fewOfEachKind(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const kinds = new Map<string, Diagnostic[]>()
  for (const diagnostic of diagnostics) {
    const kind = `${diagnostic.file} ${diagnostic.message.replace(/"[^"]*"|'[^']*'|\d+/g, '')}`
    const similar = kinds.get(kind)
    if (similar) similar.push(diagnostic)
    else kinds.set(kind, [diagnostic])
  }
  return [...kinds.values()].flatMap((all) => {
    if (all.length <= OF_A_KIND + 1) return all
    const { file, message } = all[OF_A_KIND]
    return [
      ...all.slice(0, OF_A_KIND),
      { file, message: `${all.length - OF_A_KIND} more like these, the next: ${message}` },
    ]
  })
}

/** Diagnostics of several actions, reported together. */
interface DiagnosticCollector {
  add(...diagnostics: readonly Diagnostic[]): void
  /** Undefined if `action` throws a UserError, whose diagnostics are collected, each changed by `locate`. */
  attempt<T>(action: () => T, locate?: (diagnostic: Diagnostic) => Diagnostic): T | undefined
  /** `attempt` for an asynchronous action. */
  attemptAsync<T>(
    action: () => Promise<T>,
    locate?: (diagnostic: Diagnostic) => Diagnostic,
  ): Promise<T | undefined>
  /** Collected diagnostics without repetitions. */
  all(): Diagnostic[]
  throwIfAny(): void
}

export function collectDiagnostics(): DiagnosticCollector {
  const collected: Diagnostic[] = []
  const add = (error: unknown, locate = (diagnostic: Diagnostic) => diagnostic): undefined => {
    for (const diagnostic of diagnosticsOf(error)) collected.push(locate(diagnostic))
  }
  const all = () => distinctDiagnostics(collected)
  return {
    add: (...diagnostics) => void collected.push(...diagnostics),
    attempt(action, locate) {
      try {
        return action()
      } catch (error) {
        return add(error, locate)
      }
    },
    async attemptAsync(action, locate) {
      try {
        return await action()
      } catch (error) {
        return add(error, locate)
      }
    },
    all,
    throwIfAny() {
      if (collected.length > 0) throw new UserError(all())
    },
  }
}

/** Throws a UserError with the diagnostics of every task that failed. */
export async function allOrDiagnostics<T>(tasks: readonly Promise<T>[]): Promise<T[]> {
  const diagnostics = collectDiagnostics()
  const results = await Promise.all(tasks.map((task) => diagnostics.attemptAsync(() => task)))
  diagnostics.throwIfAny()
  return results as T[]
}

/** `file:line:column: message`. */
export function formatDiagnostic({ file, line, column, message }: Diagnostic): string {
  const place = [file, line, column].filter((part) => part !== undefined).join(':')
  return place ? `${place}: ${message}` : message
}
