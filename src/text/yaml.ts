import {
  type Document,
  isAlias,
  isCollection,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  type Node,
  Parser,
  parseDocument,
  visit,
  type YAMLParseError,
} from 'yaml'
import type { Diagnostic } from '../errors.ts'
import { MAX_DEEP } from './json.ts'

type Path = readonly (string | number)[]

interface ParsedYaml {
  readonly value: unknown
  readonly diagnostics: readonly Diagnostic[]
  /** True if `value` is usable in spite of the errors. */
  readonly readable: boolean
  /** Line and column (from 1) of a key or its value; of the nearest parent if the key is missing. */
  location(path: Path, on: 'key' | 'value'): { readonly line: number; readonly column: number }
}

/** Parses YAML 1.2 with merge keys, of plain data only: what has no JSON form is an error. `file` is what errors name. */
export function parseYaml(text: string, file: string): ParsedYaml {
  const lines = new LineCounter()
  const at = (offset: number) => {
    const { line, col } = lines.linePos(offset)
    return { line: Math.max(1, line), column: Math.max(1, col) }
  }
  const unreadable = (diagnostics: readonly Diagnostic[]): ParsedYaml => ({
    value: undefined,
    diagnostics,
    readable: false,
    location: () => at(0),
  })
  const located = ({ offset, message }: Found): Diagnostic => ({ file, ...at(offset), message })
  if (isTooDeep(text)) return unreadable([located({ offset: 0, message: TOO_DEEP })])
  try {
    const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, merge: true })
    const diagnostics = firstErrors(document.errors, (offset) => at(offset).line).map((error) =>
      located({ offset: error.pos[0], message: yamlMistake(error) }),
    )
    const readable = document.errors.every(({ code }) => code === 'DUPLICATE_KEY')
    // From a broken text the parser makes values that are not in it.
    const strange = readable ? strangeThings(document) : []
    if (strange.length > 0) return unreadable([...diagnostics, ...strange.map(located)])
    const value: unknown = readable ? document.toJS() : undefined
    return { value, diagnostics, readable, location: (path, on) => at(offsetOf(document, path, on)) }
  } catch (error) {
    // Aliases of aliases of aliases.
    if (error instanceof ReferenceError)
      return unreadable([
        located({
          offset: 0,
          message: 'its aliases expand to too many copies; write them out, or use fewer',
        }),
      ])
    throw error
  }
}

/** True for YAML that is nested so deep that composing it may overflow the stack, which can end the process. */
export function isTooDeep(text: string): boolean {
  const parser = new Parser()
  for (const lexeme of new Lexer().lex(text)) {
    for (const _ of parser.next(lexeme));
    // A map within a map has two entries.
    if (parser.stack.length > 3 * MAX_DEEP) return true
  }
  return false
}

/** Turns numbers with a leading zero or a zero behind the point, as `007` and `1.10`, into the text that is written. */
export function codesAsText(document: Document): void {
  visit(document, {
    Scalar(_, node) {
      if (typeof node.value === 'number' && CODE.test(node.source ?? '')) node.value = node.source
    },
  })
}

const LEADING_ZERO = /^[-+]?0\d/
const CODE = /^[-+]?(?:0\d|\d+\.\d*0$)/

interface Found {
  readonly offset: number
  readonly message: string
}

/** Limit of nesting, below the depth at which the parser's stack overflows. */
const TOO_DEEP = `is nested more than ${MAX_DEEP} deep`
const TAGS = ['!!str', '!!int', '!!float', '!!bool', '!!null', '!!map', '!!seq']
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const CONTROL = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/

/** YAML that is valid and makes no sense in a config: ignored parts, values that are no data. */
function strangeThings(document: Document): Found[] {
  const problems: Found[] = []
  const anchors = new Map<string, Node>()
  const { yaml } = document.directives ?? {}
  if (yaml?.explicit && yaml.version !== '1.2')
    problems.push({ offset: 0, message: `is YAML 1.2; \`%YAML ${yaml.version}\` would read other values` })
  visit(document, (part, node, path) => {
    if (isPair(node) && isCollection(node.key))
      problems.push({ offset: startOf(node.key), message: 'a key must be text, not a list or a map' })
    if (isPair(node) && isMergeKey(node.key) && !isMergeable(node.value, anchors))
      problems.push({
        offset: startOf(node.value ?? node.key, startOf(node.key)),
        message: '`<<` merges a map, an alias of one or a list of these; quote it as `"<<"` if it is a name',
      })
    if (!isNode(node)) return undefined
    const add = (message: string) => problems.push({ offset: startOf(node), message })
    if (isAlias(node)) {
      const target = anchors.get(node.source)
      if (!target) add(`there is no anchor \`&${node.source}\` above this alias`)
      else if (path.includes(target))
        add(`the alias \`*${node.source}\` is inside the node that it refers to`)
      return undefined
    }
    if (node.anchor) anchors.set(node.anchor, node)
    const tag = node.tag?.replace('tag:yaml.org,2002:', '!!') ?? '!!str'
    if (tag !== '!' && tag !== '!!merge' && !TAGS.includes(tag))
      add(`the tag \`${tag}\` is unknown; there are ${TAGS.join(', ')}`)
    if (isScalar(node)) {
      const { value } = node
      if (typeof value === 'number' && !Number.isFinite(value))
        add(`\`${node.source}\` is not a finite number`)
      if (typeof value === 'number' && LEADING_ZERO.test(node.source as string))
        add(
          `\`${node.source}\` is a number with a leading zero, which YAML 1.1 reads as octal; write ${value}, or quote it if it is text`,
        )
      if (typeof value === 'string' && CONTROL.test(value)) add('holds a control character')
      if (part === 'key' && value === '__proto__') add('`__proto__` cannot be a key')
    }
    if (path.filter((above) => isCollection(above)).length <= MAX_DEEP) return undefined
    add(TOO_DEEP)
    return visit.BREAK
  })
  return problems
}

/** The parser turns a plain `<<` into a symbol; a quoted one stays text. */
function isMergeKey(key: unknown): boolean {
  return isScalar(key) && typeof key.value === 'symbol'
}

/** True if `<<` can merge the node: a map, or a list of maps, each written out or as an alias. */
function isMergeable(node: unknown, anchors: ReadonlyMap<string, Node>): boolean {
  const target = (node: unknown) => (isAlias(node) ? anchors.get(node.source) : node)
  // Undefined: an alias without an anchor, which has a diagnostic of its own.
  const isSource = (node: unknown) => target(node) === undefined || isMap(target(node))
  const merged = target(node)
  return isSource(node) || (isSeq(merged) && merged.items.every(isSource))
}

/** Messages that name the cause, where the parser's name the consequence. */
const MEANINGS: Readonly<Record<string, string>> = {
  RESOURCE_EXHAUSTION: TOO_DEEP,
  DUPLICATE_KEY: 'this key occurs twice in one map',
  BLOCK_AS_IMPLICIT_KEY: 'this line is not indented as the other lines of its block',
  MULTILINE_IMPLICIT_KEY: 'this line has no key: write a blank behind the colon, as `key: value`',
  MULTIPLE_DOCS: 'a second document begins here; write each into a file of its own',
}

/** The parser's message in our words, without the place that it may end with. */
function yamlMistake({ code, message }: Pick<YAMLParseError, 'code' | 'message'>): string {
  return MEANINGS[code] ?? lowerFirst(message.replace(/ at line \d+, column \d+:[\s\S]*$/, ''))
}

/** The first error of syntax on a line and its neighbours; the others follow from it. */
function firstErrors(
  errors: readonly YAMLParseError[],
  lineOf: (offset: number) => number,
): YAMLParseError[] {
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
    const child = childOf(document, node, part)
    if (!child) return offset
    const last = index === path.length - 1
    offset = startOf(last && on === 'key' ? (child.key ?? child.value) : (child.value ?? child.key), offset)
    node = child.value
  }
  return offset
}

function startOf(node: unknown, otherwise = 0): number {
  return (node as Node | null)?.range?.[0] ?? otherwise
}

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
    if (!isMergeKey(pair.key)) continue
    const source = isAlias(pair.value) ? pair.value.resolve(document) : pair.value
    const merged = isSeq(source) ? source.items : [source]
    for (const item of merged) {
      const child = childOf(document, item, part)
      if (child) return child
    }
  }
  return undefined
}
