import { z } from 'zod'
import { boundOf, type FilterCondition, isFromQuery } from '../corpus/filter.ts'
import type { Definition } from '../registry.ts'
import { STATISTICS } from '../retrieve/step.ts'
import type { TrialEngine } from '../retrieve/steps/engine.ts'
import type { TrialFilter } from '../retrieve/steps/trial.ts'
import { isMap } from '../text/json.ts'
import { show } from '../text/schema-words.ts'
import type { Json } from '../types.ts'
import { eachItem, readPoints, type Varying } from './choices.ts'
import { type Path, type Reading, refuse } from './reading.ts'

interface TrialKey<T> extends Definition {
  readonly form: string
  readonly labelOf: (value: T, varied: readonly string[]) => string
}

interface KeyWay<T> extends Varying {
  readonly value?: T
  readonly content: Json
}

/** Reads the alternatives at a key: one, or each of `{grid: [one, none]}` and `{grid: {label: one}}`. */
export function readTrialKey<T>(
  raw: unknown,
  path: Path,
  key: TrialKey<T>,
  reading: Reading,
): readonly KeyWay<T>[] {
  const none: KeyWay<T> = { label: 'none', content: null, varied: {} }
  if (raw === undefined) return [none]
  const isOne = isMap(raw) && Object.keys(key.params.shape).some((param) => param in raw)
  return eachItem(raw, path, { key: key.name, isOne }, reading, (item, at) => {
    if (item === 'none') return [none]
    if (!isMap(item)) {
      refuse(reading.problems, at, `${key.form}, or \`none\`, not ${show(item)}`)
      return []
    }
    return readPoints(key, item, at, reading).map(({ choice, content, varied }) => {
      const value = choice.params as T
      const named = Object.entries(varied).map(([param, item]) => [`${key.name}.${param}`, item])
      return {
        value,
        label: key.labelOf(value, Object.keys(varied)),
        content,
        varied: Object.fromEntries(named),
      }
    })
  })
}

const engine = z.string().optional().meta({ engine: true })

export const engineSchema = z
  .strictObject({
    dense: engine.describe('a name in `engines`: dense search runs there; default: in memory'),
    lexical: engine.describe('a name in `engines`: lexical search runs there; default: in memory'),
  })
  .refine((engines) => Object.keys(engines).length > 0, 'names no engine; as `{dense: search}`')

export const ENGINE: TrialKey<TrialEngine> = {
  name: 'engine',
  summary: 'engines in which a trial searches',
  params: engineSchema,
  form: 'an engine is {dense: NAME, lexical: NAME}, one of them or both',
  labelOf: (engines) =>
    Object.entries(engines)
      .map(([side, name]) => `${side}:${name}`)
      .join('+'),
}

const scalar = z.union([z.string(), z.number(), z.boolean()])
const fromQuery = z.strictObject({ query: z.string().min(1).describe("a field of the query's metadata") })
const end = z.union([z.string(), z.number(), fromQuery])

const mapping = z
  .strictObject({
    from: end.optional().describe('the least: a number, an ISO date or {query: field}'),
    to: end.optional().describe('the most, in'),
    query: z.string().min(1).optional().describe("a field of the query's metadata: the values it has there"),
  })
  .refine((condition) => Object.keys(condition).length > 0, {
    path: ['from'],
    error: 'is lacking, or `to`, or `query`',
    when: ({ issues }) => issues.length === 0,
  })
  .superRefine((condition, context) => {
    const { from, to, query } = condition
    const wrong = (key: string, message: string) => context.addIssue({ code: 'custom', path: [key], message })
    if (query !== undefined && (from !== undefined || to !== undefined))
      return wrong('query', 'must be the only key: {query: field}, or {from: {query: field}}')
    const bounds = { from, to } as const
    const present = Object.entries(bounds).flatMap(([key, value]) => {
      if (value === undefined || isFromQuery(value)) return []
      const bound = boundOf(value)
      if (!bound) wrong(key, `must be a number or an ISO date as 2024-05-01, not ${show(value)}`)
      return bound ? [bound] : []
    })
    const [low, high] = present
    if (!high) return
    if (low.kind !== high.kind) wrong('to', `is a ${high.kind}, and \`from\` is a ${low.kind}`)
    else if (low.start > high.end) wrong('to', `must be at least \`from\`, ${show(from)}, not ${show(to)}`)
  })

export const filterSchema = z.strictObject({
  where: z
    .record(z.string().min(1), z.union([scalar, z.array(scalar).min(1), mapping]))
    .refine((where) => Object.keys(where).length > 0, 'names no field; as `{source: [manual, faq]}`')
    .default({})
    .describe(
      'field of the metadata (also `source`, `title`, `section`) -> a value, a list of values, {from, to} or {query: field}; all must hold; may be left out for a dataset whose questions each search one conversation',
    ),
  statistics: z
    .enum(STATISTICS)
    .default('corpus')
    .describe("chunks behind BM25's idf and mean length: all, or the allowed ones"),
})

export const FILTER: TrialKey<TrialFilter> = {
  name: 'filter',
  summary: 'chunks that the searches of a trial may find',
  params: filterSchema,
  form: 'a filter is {where: {field: values}}',
  labelOf,
}

/** `source=manual|faq,date=2024-01..2024-06,lang=query.lang,subset`. */
function labelOf({ where, statistics }: TrialFilter, varied: readonly string[]): string {
  const conditions = Object.entries(where).map(
    ([field, condition]) => `${field}=${conditionLabel(condition)}`,
  )
  return [
    ...conditions,
    ...(statistics === 'subset' && !varied.includes('statistics') ? [statistics] : []),
  ].join(',')
}

function conditionLabel(condition: FilterCondition): string {
  if (typeof condition !== 'object' || Array.isArray(condition)) return [condition].flat().join('|')
  if (isFromQuery(condition)) return `query.${condition.query}`
  const { from, to } = condition as Exclude<FilterCondition, { query: string } | readonly unknown[]> & object
  const [low, high] = [from, to].map((end) => (isFromQuery(end) ? `query.${end.query}` : String(end ?? '')))
  return `${low}..${high}`
}
