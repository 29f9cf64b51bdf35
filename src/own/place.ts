/** Where in `path` something was thrown, as a stack or a syntax error says: line and, if known, column. */
export function placeIn(path: string, stack = ''): { line?: number; column?: number } {
  const at = stack.indexOf(`${path}:`)
  const [, line, column] = at < 0 ? [] : (/^(\d+)(?::(\d+))?/.exec(stack.slice(at + path.length + 1)) ?? [])
  if (line === undefined) return {}
  return { line: Number(line), ...(column !== undefined && { column: Number(column) }) }
}
