import type { z } from 'zod'
import { didYouMean } from './nearest.ts'

type Issue = z.core.$ZodIssue

/** A schema's complaint about `value` in words: "must be a list, not 5". */
export function complaint(issue: Issue, value: unknown): string {
  const not = `, not ${show(value)}`
  switch (issue.code) {
    case 'invalid_type': {
      const isQuoted = typeof value === 'string' && /^(?:[-+]?[\d.]+|true|false|null)$/.test(value)
      return `must be ${EXPECTED[issue.expected] ?? issue.expected}${isQuoted ? `, not the text ${show(value)}` : not}`
    }
    case 'too_small':
    case 'too_big': {
      const [inside, beyond] = issue.code === 'too_small' ? ['at least', 'above'] : ['at most', 'below']
      const bound = issue.code === 'too_small' ? issue.minimum : issue.maximum
      const items = ITEMS[issue.origin]?.[Number(bound) === 1 ? 0 : 1]
      return `must ${items ? 'have' : 'be'} ${issue.inclusive === false ? beyond : inside} ${bound}${items ?? ''}${not}`
    }
    case 'invalid_value': {
      const values = issue.values.map(String)
      return `must be ${values.length > 1 ? 'one of ' : ''}${values.join(', ')}${not}${typeof value === 'string' ? didYouMean(value, values) : ''}`
    }
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}${not}`
    case 'invalid_format':
      // A schema without a message of its own has the library's, which says nothing.
      return issue.message.startsWith('Invalid') ? `must match ${issue.pattern}${not}` : issue.message
    case 'invalid_union': {
      const ways = new Set(
        issue.errors.map((way) => (way[0] ? complaint(way[0], value).replace(not, '') : '')).filter(Boolean),
      )
      return ways.size > 0
        ? `${[...ways].join(', or ')}${not}`
        : `is ${show(value)}, which is not allowed here`
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
  tuple: 'a list',
  object: 'a map',
  record: 'a map',
}
const ITEMS: Readonly<Record<string, readonly [one: string, more: string]>> = {
  array: [' entry', ' entries'],
  string: [' letter', ' letters'],
  object: [' key', ' keys'],
}

/** A complaint with the field that it is about: "`context.0` must be a list, not 5", "lacks `answer`". `allowed`: keys of the whole. */
export function fieldComplaint(issue: Issue, value: unknown, allowed: readonly string[] = []): string {
  const path = issue.path.filter((part) => typeof part !== 'symbol')
  if (issue.code === 'unrecognized_keys') {
    const near = issue.keys.length === 1 ? didYouMean(issue.keys[0], allowed) : ''
    const there = allowed.length > 0 ? `; there are ${allowed.join(', ')}` : ''
    const place = path.length > 0 ? ` in \`${path.join('.')}\`` : ''
    return `there is no ${issue.keys.map((key) => `\`${key}\``).join(', ')}${place}${near}${there}`
  }
  const inner = valueAt(value, path)
  const name = path.join('.')
  if (issue.code === 'custom') return name === '' ? issue.message : `\`${name}\` ${issue.message}`
  if (inner === undefined && path.length > 0)
    return `lacks \`${name}\`, which ${complaint(issue, inner).replace(', not undefined', '')}`
  return `${name === '' ? '' : `\`${name}\` `}${complaint(issue, inner)}`
}

export function valueAt(value: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (at, part) =>
      typeof at === 'object' && at !== null && Object.hasOwn(at, part)
        ? (at as Record<string | number, unknown>)[part]
        : undefined,
    value,
  )
}

export function show(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list'
  if (typeof value === 'object' && value !== null) return 'a map'
  const text = typeof value === 'string' ? `\`${value.replace(/\s+/g, ' ')}\`` : String(value)
  return text.length > 60 ? `${text.slice(0, 57)}...` : text
}

export function withArticle(word: string): string {
  return `${/^[aeiou]/i.test(word) ? 'an' : 'a'} ${word}`
}
