import { z } from 'zod'
import { didYouMean } from '../text/nearest.ts'
import { complaint, valueAt } from '../text/schema-words.ts'
import type { Path, Problem } from './reading.ts'

/** JSON Schema with the keys of `.meta`: the source of messages, lists and pages. */
export type JsonSchema = z.core.JSONSchema.BaseSchema

export function inputSchema(schema: z.ZodType): JsonSchema {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema
}

export function propertiesOf(schema: z.ZodObject): [string, JsonSchema][] {
  return Object.entries(inputSchema(schema).properties ?? {}) as [string, JsonSchema][]
}

type Issue = z.core.$ZodIssue

/** Words for a schema's issues. `owner` has the keys ("hybrid", "the config"); `word` names one. */
export function explain(
  schema: z.ZodObject,
  issues: readonly Issue[],
  value: unknown,
  owner: string,
  word: 'key' | 'param',
): Problem[] {
  const whole = inputSchema(schema)
  const ownerOf = (path: Path) => (path.length > 0 && word === 'key' ? String(path[0]) : owner)
  const problemsOf = (issue: Issue, above: Path): Problem[] => {
    const path = [...above, ...issue.path.filter((part) => typeof part !== 'symbol')]
    const inside =
      issue.code === 'invalid_union'
        ? issue.errors.find((form) =>
            form.some(({ code, path }) => code === 'unrecognized_keys' || path.length > 0),
          )
        : undefined
    if (inside) return inside.flatMap((below) => problemsOf(below, path))
    if (issue.code === 'unrecognized_keys') {
      const allowed = keysAt(whole, path)
      return issue.keys.map((key) => ({
        path: [...path, key],
        on: 'key',
        message: unknownKey(key, ownerOf(path), allowed, word),
      }))
    }
    const actual = valueAt(value, path)
    if (actual === undefined && issue.code !== 'custom') {
      const at = path.slice(0, -1)
      return [{ path: at, message: `${ownerOf(at)} lacks \`${path.at(-1)}\`` }]
    }
    const name = path.length > 0 ? `\`${path.join('.')}\` ` : ''
    return [{ path, message: `${name}${complaint(issue, actual)}` }]
  }
  return issues.flatMap((issue) => problemsOf(issue, []))
}

function keysAt(schema: JsonSchema, [part, ...below]: Path): string[] {
  const forms = [schema, ...(schema.anyOf ?? [])] as JsonSchema[]
  if (part === undefined) return [...new Set(forms.flatMap(({ properties = {} }) => Object.keys(properties)))]
  const inside = forms.flatMap(({ items, properties, additionalProperties }) => {
    const schemas = typeof part === 'number' ? items : (properties?.[part] ?? additionalProperties)
    return typeof schemas === 'object' ? [schemas].flat() : []
  })
  return [...new Set(inside.flatMap((child) => keysAt(child as JsonSchema, below)))]
}

function unknownKey(key: string, owner: string, allowed: readonly string[], word: string): string {
  const list =
    allowed.length > 0 ? `; there are ${allowed.join(', ')}` : word === 'param' ? '; it takes none' : ''
  return `${owner} has no ${word} \`${key}\`${didYouMean(key, allowed)}${list}`
}
