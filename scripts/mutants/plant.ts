import { parseSync } from 'oxc-parser'

/** A single change of a source text that resembles a plausible bug. */
export interface Mutant {
  readonly line: number
  readonly start: number
  readonly end: number
  readonly kind: string
  readonly before: string
  readonly after: string
  /** Innermost statement or arrow function's expression around the change; undefined at a module's top level. */
  readonly around?: { readonly start: number; readonly end: number; readonly isStatement: boolean }
  /** True if an expression that chooses between the change and the original cannot stand in its place. */
  readonly isFixed: boolean
}

/** An ESTree node, read by its keys. */
interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [key: string]: unknown
}

const SWAPPED: Readonly<Record<string, readonly [kind: string, operator: string]>> = {
  '<': ['boundary', '<='],
  '<=': ['boundary', '<'],
  '>': ['boundary', '>='],
  '>=': ['boundary', '>'],
  '===': ['equality', '!=='],
  '!==': ['equality', '==='],
  '&&': ['logic', '||'],
  '||': ['logic', '&&'],
  '+': ['arithmetic', '-'],
  '-': ['arithmetic', '+'],
  '*': ['arithmetic', '/'],
  '/': ['arithmetic', '*'],
  '+=': ['arithmetic', '-='],
  '-=': ['arithmetic', '+='],
}
const SWAPPED_METHODS: Readonly<Record<string, string>> = {
  max: 'min',
  min: 'max',
  some: 'every',
  every: 'some',
  floor: 'ceil',
  ceil: 'floor',
}
/** Methods whose result may stand in for the value they are called on. */
const REMOVED = ['filter', 'sort', 'toSorted', 'reverse', 'toReversed', 'slice', 'trim', 'toLowerCase']

/** Numbers from here on are time limits or batch sizes, and one more is no bug. */
const LARGE = 1000

/** Every mutant of a TypeScript source. Types, imports, version numbers and texts stay as they are. */
export function mutantsOf(file: string, source: string): Mutant[] {
  const mutants: Mutant[] = []
  const ends = [...source.matchAll(/\n/g)].map(({ index }) => index)
  const text = (node: Node) => source.slice(node.start, node.end)
  const add = (node: Node, kind: string, after: string, around: Mutant['around'], isFixed: boolean) =>
    mutants.push({
      line: ends.filter((end) => end < node.start).length + 1,
      start: node.start,
      end: node.end,
      kind,
      before: text(node),
      after,
      around,
      isFixed,
    })
  const visit = (node: Node, parents: readonly Node[], around?: Mutant['around']): void => {
    if (isSkipped(node)) return
    const isFixed = !isReplaceable(node, parents)
    ofNode(node, text, (kind, after, part) => add(part ?? node, kind, after, around, !part && isFixed))
    for (const child of childrenOf(node)) visit(child, [node, ...parents], blockOf(node, child) ?? around)
  }
  const { program, errors } = parseSync(file, source)
  if (errors.length > 0) throw new Error(`${file}: ${errors[0].message}`)
  visit(program as unknown as Node, [])
  return mutants
}

/** The child itself if a call can stand before it: a statement of a block, or the expression of an arrow function. */
function blockOf(parent: Node, child: Node): Mutant['around'] {
  const isStatement =
    parent.type === 'BlockStatement' || (parent.type === 'SwitchCase' && child !== parent.test)
  const isBody =
    parent.type === 'ArrowFunctionExpression' && child === parent.body && child.type !== 'BlockStatement'
  return isStatement || isBody ? { start: child.start, end: child.end, isStatement } : undefined
}

/** False for a key, a target of an assignment, a method that is called, and an inner part of an optional chain. */
function isReplaceable(node: Node, parents: readonly Node[]): boolean {
  const [parent] = parents
  if (!parent) return true
  if (parent.key === node && !parent.computed) return false
  if (parent.left === node && parent.type === 'AssignmentExpression') return false
  if (['UpdateExpression', 'ArrayPattern', 'AssignmentPattern', 'RestElement'].includes(parent.type))
    return parent.right === node
  if (parent.operator === 'delete' || parent.type === 'NewExpression') return (parent.callee ?? node) !== node
  if (parent.callee === node && node.type === 'MemberExpression') return false
  let inner = node
  for (const outer of parents) {
    if (outer.type === 'ChainExpression') return inner === node
    if (outer.object !== inner && outer.callee !== inner && outer.type !== 'TSNonNullExpression') return true
    inner = outer
  }
  return true
}

function isSkipped(node: Node): boolean {
  const { type } = node
  if (type === 'TSAsExpression' || type === 'TSNonNullExpression' || type === 'TSSatisfiesExpression')
    return false
  if (type.startsWith('TS') || type === 'ImportDeclaration') return true
  // A power is a number too, as 2 ** 20.
  if (node.operator === '**')
    return Number((node.left as Node).value) ** Number((node.right as Node).value) >= LARGE
  return type === 'Property' && (node.key as Node).name === 'version'
}

function childrenOf(node: Node): Node[] {
  return Object.values(node)
    .flat()
    .filter((value): value is Node => typeof (value as Node | null)?.type === 'string')
}

type Add = (kind: string, after: string, part?: Node) => void

function ofNode(node: Node, text: (node: Node) => string, add: Add): void {
  const part = (key: string) => node[key] as Node
  switch (node.type) {
    case 'BinaryExpression':
    case 'LogicalExpression':
    case 'AssignmentExpression': {
      const [left, right] = [part('left'), part('right')]
      const [kind, operator] = SWAPPED[node.operator as string] ?? []
      const isText = [left, right].some(
        ({ type, value }) => type === 'TemplateLiteral' || typeof value === 'string',
      )
      if (kind && !(isText && kind === 'arithmetic')) add(kind, `${text(left)} ${operator} ${text(right)}`)
      if (node.operator === '??') add('default', text(left))
      return
    }
    case 'IfStatement':
    case 'ConditionalExpression':
      add('negation', `!(${text(part('test'))})`, part('test'))
      return
    case 'Literal':
      if (typeof node.value === 'boolean') add('constant', String(!node.value))
      if (typeof node.value === 'number' && node.value < LARGE)
        add('constant', node.value === 1 ? '0' : String(node.value + 1))
      return
    case 'AwaitExpression':
      add('await', text(part('argument')))
      return
    case 'ForOfStatement':
      if (!node.await) add('first of several', `[...${text(part('right'))}].slice(0, 1)`, part('right'))
      return
    case 'ExpressionStatement':
      if (part('expression').type === 'CallExpression') add('call', 'void 0', part('expression'))
      return
    case 'MemberExpression':
      if (node.computed && part('property').value === 0)
        add('first or last', `${text(part('object'))}.at(-1)`)
      return
    case 'CallExpression':
      ofCall(node, text, add)
  }
}

function ofCall(node: Node, text: (node: Node) => string, add: Add): void {
  const callee = node.callee as Node
  if (callee.type !== 'MemberExpression' || callee.computed) return
  const [object, property] = [callee.object as Node, callee.property as Node]
  const name = property.name as string
  const given = node.arguments as Node[]
  if (Object.hasOwn(SWAPPED_METHODS, name)) add('method', SWAPPED_METHODS[name], property)
  if (REMOVED.includes(name)) add('removed', text(object))
  if (name === 'at' && text(node).endsWith('.at(-1)')) add('first or last', `${text(object)}[0]`)
  const comparator = given[0]?.body as Node | undefined
  if (name.endsWith('ort') || name === 'toSorted')
    if (comparator && comparator.type !== 'BlockStatement') add('order', `-(${text(comparator)})`, comparator)
}
