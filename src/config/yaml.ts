import {
  type Document,
  isAlias,
  isMap,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  visit,
  type YAMLParseError,
} from 'yaml'
import type { Mistake } from '../errors.ts'
import type { Path } from './problem.ts'

export interface ParsedYaml {
  readonly value: unknown
  /** Syntax errors and duplicate keys. */
  readonly mistakes: readonly Mistake[]
  /** Whether `value` is to be trusted in spite of the mistakes. */
  readonly readable: boolean
  /** Line and column (from 1) of a key or of what stands there; of the nearest thing above it where it is not there. */
  place(path: Path, on: 'key' | 'value'): { readonly line: number; readonly column: number }
}

/** Parses YAML 1.2 with merge keys. `file` is what the mistakes name. */
export function parseYaml(text: string, file: string): ParsedYaml {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, merge: true })
  const at = (offset: number) => {
    const { line, col } = lines.linePos(offset)
    return { line: Math.max(1, line), column: Math.max(1, col) }
  }
  const mistakes: Mistake[] = ownErrors(document.errors, (offset) => at(offset).line).map(
    ({ code, message, pos }) => ({
      file,
      ...at(pos[0]),
      message: MEANINGS[code] ?? lowerFirst(message),
    }),
  )
  const given = mistakes.length
  visit(document, {
    Alias(_, alias) {
      if (alias.resolve(document) === undefined)
        mistakes.push({
          file,
          ...at(startOf(alias)),
          message: `there is no anchor \`&${alias.source}\` above this alias`,
        })
    },
  })
  if (mistakes.length > given) return { value: undefined, mistakes, readable: false, place: () => at(0) }
  const readable = document.errors.every(({ code }) => code === 'DUPLICATE_KEY')
  let value: unknown
  try {
    if (readable) value = document.toJS()
  } catch (error) {
    // Aliases that multiply without end.
    mistakes.push({
      file,
      line: 1,
      column: 1,
      message: lowerFirst(error instanceof Error ? error.message : String(error)),
    })
    return { value: undefined, mistakes, readable: false, place: () => at(0) }
  }
  return { value, mistakes, readable, place: (path, on) => at(offsetOf(document, path, on)) }
}

/** What the parser says is true, but not of what somebody did. */
const MEANINGS: Readonly<Record<string, string>> = {
  DUPLICATE_KEY: 'this key stands twice in one map',
  BLOCK_AS_IMPLICIT_KEY: 'this line is indented otherwise than those that it belongs to',
}

/** The errors that do not follow from another: on a line, and on those next to it, the first of syntax tells it all. */
function ownErrors(errors: readonly YAMLParseError[], lineOf: (offset: number) => number): YAMLParseError[] {
  let last = Number.NEGATIVE_INFINITY
  return errors.filter(({ code, pos }) => {
    if (code === 'DUPLICATE_KEY') return true
    const line = lineOf(pos[0])
    const follows = line - last <= 1
    last = line
    return !follows
  })
}

function lowerFirst(text: string): string {
  return text.slice(0, 1).toLowerCase() + text.slice(1)
}

function offsetOf(document: Document, path: Path, on: 'key' | 'value'): number {
  let node: unknown = document.contents
  let offset = startOf(node)
  for (const [index, part] of path.entries()) {
    const found = childOf(document, node, part)
    if (!found) return offset
    const last = index === path.length - 1
    offset = startOf(last && on === 'key' ? (found.key ?? found.value) : (found.value ?? found.key), offset)
    node = found.value
  }
  return offset
}

function startOf(node: unknown, otherwise = 0): number {
  return (node as Node | null)?.range?.[0] ?? otherwise
}

/** What stands under a key or at a place; looks through aliases and merged maps. */
function childOf(
  document: Document,
  parent: unknown,
  part: string | number,
): { key?: unknown; value: unknown } | undefined {
  const node = isAlias(parent) ? parent.resolve(document) : parent
  if (isSeq(node))
    return typeof part === 'number' || /^\d+$/.test(part) ? { value: node.items[Number(part)] } : undefined
  if (!isMap(node)) return undefined
  for (const pair of node.items) {
    if (isPair(pair) && isScalar(pair.key) && String(pair.key.value) === String(part)) return pair
  }
  for (const pair of node.items) {
    if (!isScalar(pair.key) || String(pair.key.value) !== '<<') continue
    const merged = isSeq(pair.value) ? pair.value.items : [pair.value]
    for (const item of merged) {
      const found = childOf(document, item, part)
      if (found) return found
    }
  }
  return undefined
}
