import { existsSync, readFileSync } from 'node:fs'
import { isNode, LineCounter, parseDocument } from 'yaml'
import { type Mistake, UserError } from '../errors.ts'
import { sha256 } from '../store/hash.ts'
import { type Rules, rulesSchema } from './rules.ts'

/** Reads a router's rules from a YAML or JSON file. Throws a UserError with every mistake and its place. */
export function readRules(path: string): Rules {
  const lines = new LineCounter()
  const document = parseDocument(textOf(path), { lineCounter: lines })
  const at = (message: string, offset: number): Mistake => {
    const { line, col } = lines.linePos(offset)
    return { file: path, line, column: col, message }
  }
  if (document.errors.length > 0)
    throw new UserError(document.errors.map(({ message, pos }) => at(message, pos[0])))
  const checked = rulesSchema.safeParse(document.toJS())
  if (checked.success) return checked.data
  throw new UserError(
    checked.error.issues.map(({ path: below, message }) => {
      // The nearest node there is: a key that is missing has none of its own.
      let depth = below.length
      let node = document.getIn(below, true)
      while (!isNode(node) && depth > 0) node = document.getIn(below.slice(0, --depth), true)
      const place = below.length > 0 ? `${below.join('.')}: ` : ''
      return at(`${place}${message}`, (isNode(node) ? node.range?.[0] : 0) ?? 0)
    }),
  )
}

/** SHA-256 of a rules file. Throws a UserError where there is none. */
export function hashRules(path: string): string {
  return sha256(textOf(path))
}

function textOf(path: string): string {
  if (!existsSync(path)) throw new UserError({ file: path, message: 'no such file (the rules of router)' })
  return readFileSync(path, 'utf8')
}
