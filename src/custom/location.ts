import { UserError } from '../errors.ts'

/** Where in `path` something was thrown, as a stack or a syntax error says: line and, if known, column. */
export function codeLocation(path: string, stack = ''): { line?: number; column?: number } {
  const at = stack.indexOf(`${path}:`)
  const [, line, column] = at < 0 ? [] : (/^(\d+)(?::(\d+))?/.exec(stack.slice(at + path.length + 1)) ?? [])
  if (line === undefined) return {}
  return { line: Number(line), ...(column !== undefined && { column: Number(column) }) }
}

/** What the code in `path` threw, as a mistake at its place there; a UserError stays as it is. `what` stands before its message. */
export function diagnosticIn(path: string, what: string, error: unknown): UserError {
  if (error instanceof UserError) return error
  const message = `${what}: ${error instanceof Error ? error.message : error}`
  return new UserError({
    file: path,
    ...(error instanceof Error ? codeLocation(path, error.stack) : {}),
    message,
  })
}
