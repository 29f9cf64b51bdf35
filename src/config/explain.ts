import type { z } from 'zod'
import { didYouMean } from '../text/nearest.ts'

type Issue = z.core.$ZodIssue

/** One mistake of a map: which key below it, and what is wrong in words. */
export interface Explained {
  readonly path: readonly (string | number)[]
  readonly on: 'key' | 'value'
  readonly message: string
}

/**
 * What a schema found wrong with `value`, in words. `owner` is whose keys they are ("hybrid", "the config"), `keys` what
 * it has, `word` what it calls one.
 */
export function explain(
  issues: readonly Issue[],
  value: unknown,
  owner: string,
  keys: readonly string[],
  word: 'key' | 'param',
): Explained[] {
  return issues.flatMap((issue): Explained[] => {
    // Of what may stand here, only the map has anything inside that can be wrong.
    const inside = issue.code === 'invalid_union' ? issue.errors.find((way) => way.some(isInside)) : undefined
    if (inside)
      return explain(
        inside.map((one) => ({ ...one, path: [...issue.path, ...one.path] })),
        ...([value, owner, keys, word] as const),
      )
    const path = issue.path.filter((part) => typeof part !== 'symbol')
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map((key) => ({
        path: [...path, key],
        on: 'key',
        message: unknownKey(key, owner, keys, word),
      }))
    const found = path.reduce<unknown>(
      (inside, part) => (inside as Record<string | number, unknown> | undefined)?.[part],
      value,
    )
    if (found === undefined && issue.code !== 'custom')
      return [{ path: path.slice(0, -1), on: 'value', message: `${owner} lacks \`${path.at(-1)}\`` }]
    const name = path.length > 0 ? `\`${path.join('.')}\` ` : ''
    return [{ path, on: 'value', message: `${name}${complaint(issue, found)}` }]
  })
}

function isInside({ code, path }: Issue): boolean {
  return code === 'unrecognized_keys' || path.length > 0
}

/** The message of an unknown key, with the nearest known one and the whole list. */
export function unknownKey(key: string, owner: string, known: readonly string[], word: string): string {
  const list =
    known.length > 0 ? `; there are ${known.join(', ')}` : word === 'param' ? '; it takes none' : ''
  return `${owner} has no ${word} \`${key}\`${didYouMean(key, known)}${list}`
}

function complaint(issue: Issue, found: unknown): string {
  const not = `, not ${show(found)}`
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${EXPECTED[issue.expected] ?? issue.expected}${not}`
    case 'too_small':
      return `must ${ITEMS[issue.origin] ? 'have' : 'be'} ${issue.inclusive ? 'at least' : 'above'} ${issue.minimum}${ITEMS[issue.origin] ?? ''}${not}`
    case 'too_big':
      return `must ${ITEMS[issue.origin] ? 'have' : 'be'} ${issue.inclusive === false ? 'below' : 'at most'} ${issue.maximum}${ITEMS[issue.origin] ?? ''}${not}`
    case 'invalid_value': {
      const known = issue.values.map(String)
      return `must be ${known.length > 1 ? 'one of ' : ''}${known.join(', ')}${not}${typeof found === 'string' ? didYouMean(found, known) : ''}`
    }
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}${not}`
    case 'invalid_union': {
      const ways = new Set(
        issue.errors.map((way) => (way[0] ? complaint(way[0], found).replace(not, '') : '')).filter(Boolean),
      )
      return ways.size > 0
        ? `${[...ways].join(', or ')}${not}`
        : `is ${show(found)}, which is none of what may stand here`
    }
    default:
      return issue.message
  }
}

const EXPECTED: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a map',
  record: 'a map',
}
const ITEMS: Readonly<Record<string, string>> = { array: ' entries', string: ' letters', object: ' keys' }

/** A value as it may stand in a message: one line, not long. */
export function show(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list'
  if (typeof value === 'object' && value !== null) return 'a map'
  const text = typeof value === 'string' ? `\`${value.replace(/\s+/g, ' ')}\`` : String(value)
  return text.length > 60 ? `${text.slice(0, 57)}...` : text
}
