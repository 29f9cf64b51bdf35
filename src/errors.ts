/** A user's mistakes: printed without a stack, exit 2. Anything else that is thrown is a bug: stack, exit 1. */

export interface Mistake {
  readonly message: string
  readonly file?: string
  /** From 1. */
  readonly line?: number
  /** From 1. */
  readonly column?: number
}

export class UserError extends Error {
  readonly mistakes: readonly Mistake[]

  constructor(mistakes: string | Mistake | readonly Mistake[]) {
    const list: readonly Mistake[] =
      typeof mistakes === 'string'
        ? [{ message: mistakes }]
        : Array.isArray(mistakes)
          ? (mistakes as readonly Mistake[])
          : [mistakes as Mistake]
    super(list.map(formatMistake).join('\n'))
    this.name = 'UserError'
    this.mistakes = list
  }
}

/** `file:line:column: message`, with the parts that are known. */
export function formatMistake({ file, line, column, message }: Mistake): string {
  const place = [file, line, column].filter((part) => part !== undefined).join(':')
  return place ? `${place}: ${message}` : message
}
