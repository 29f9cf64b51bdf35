import { UserError } from '../errors.ts'

/** Place in `path` where an error was thrown, from a stack or a syntax error: line and, if known, column. */
export function codeLocation(path: string, stack = ''): { line?: number; column?: number } {
  const at = stack.indexOf(`${path}:`)
  const [, line, column] = at < 0 ? [] : (/^(\d+)(?::(\d+))?/.exec(stack.slice(at + path.length + 1)) ?? [])
  if (line === undefined) return {}
  return { line: Number(line), ...(column !== undefined && { column: Number(column) }) }
}

/** Turns an error thrown by the code in `path` into a UserError at its place; a UserError stays as it is. `what` precedes the message. */
export function diagnosticIn(path: string, what: string, error: unknown): UserError {
  if (error instanceof UserError) return error
  const message = `${what}: ${error instanceof Error ? error.message : error}`
  return new UserError({
    file: path,
    ...(error instanceof Error ? codeLocation(path, error.stack) : {}),
    message,
  })
}
