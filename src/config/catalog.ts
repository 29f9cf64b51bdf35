import { z } from 'zod'
import { METRICS } from '../metrics/index.ts'
import type { Json } from '../types.ts'
import {
  type Definition,
  FORMAT,
  type Kind,
  PREPARE,
  type Preparation,
  QUERY_TRANSFORM,
  RANKING_TRANSFORM,
  STRATEGY,
} from './kinds.ts'
import { layers } from './params.ts'

/** Everything there is to choose from, as data: what `touchstone list` prints and the reference pages are made of. */
export interface Section {
  readonly title: string
  readonly entries: readonly Entry[]
}

export interface Entry {
  readonly name: string
  readonly summary: string
  /** Where it is described. */
  readonly source?: string
  readonly params: readonly Param[]
}

export interface Param {
  readonly name: string
  /** In words: `number, 0 to 1`. */
  readonly type: string
  /** Absent where there is none. */
  readonly default?: Json
  readonly required: boolean
  readonly summary: string
}

export type Topic = 'strategies' | 'transforms' | 'measures' | 'models' | 'formats' | 'preparation'

export function catalog(topic: Topic): readonly Section[] {
  switch (topic) {
    case 'strategies':
      return [section('strategies', STRATEGY)]
    case 'transforms':
      return [
        section('query transforms (before)', QUERY_TRANSFORM),
        section('ranking transforms (after)', RANKING_TRANSFORM),
      ]
    case 'measures':
      return [{ title: 'measures', entries: METRICS.map(measureEntry) }]
    case 'models':
      return [section('embedders', PREPARE.embedder.kind)]
    case 'formats':
      return [section('dataset formats', FORMAT)]
    case 'preparation':
      return Object.entries<Preparation>(PREPARE)
        .filter(([key]) => key !== 'embedder' && key !== 'graphEmbedder')
        .map(([key, { kind }]) => section(`prepare.${key}`, kind))
  }
}

function section(title: string, { definitions }: Kind): Section {
  return { title, entries: [...definitions.values()].map(entryOf) }
}

function entryOf(definition: Definition): Entry {
  const { name, summary, params } = definition
  const { source } = definition as { source?: string }
  return { name, summary, ...(source === undefined ? {} : { source }), params: paramsOf(params) }
}

/** A map's keys with their types, defaults and descriptions. */
export function paramsOf(schema: z.ZodObject): Param[] {
  return Object.entries(schema.shape).map(([name, param]) => {
    const inside = layers(param as z.ZodType)
    const wrapper = inside.find((layer) => 'defaultValue' in layer.def)
    const otherwise = (wrapper?.def as { defaultValue?: Json } | undefined)?.defaultValue
    const optional = otherwise !== undefined || inside.some((layer) => layer.def.type === 'optional')
    const { description } = inside.find((layer) => layer.description) ?? {}
    return {
      name,
      type:
        slotOf(inside) ??
        typeInWords(z.toJSONSchema(inside.at(-1) as z.ZodType, { io: 'input', unrepresentable: 'any' })),
      ...(otherwise === undefined ? {} : { default: otherwise }),
      required: !optional,
      summary: description ?? '',
    }
  })
}

/** What stands in a slot for a choice, or in a list of slots. */
function slotOf(inside: readonly z.ZodType[]): string | undefined {
  const innermost = inside.at(-1)?.def as { element?: z.ZodType } | undefined
  const element = innermost?.element
  const list = element && slotOf(layers(element))
  if (list) return `list of ${list}s`
  const slot = inside.map((layer) => layer.meta()?.slot).find((name) => name !== undefined)
  return slot === undefined ? undefined : (SLOTS[String(slot)] ?? 'choice')
}

const SLOTS: Readonly<Record<string, string>> = { dataset: 'path or choice', trial: 'trial' }

type JsonSchema = z.core.JSONSchema.BaseSchema

/** `number, 0 to 1`, `one of rrf, weighted`, `list of text`. */
function typeInWords(schema: JsonSchema): string {
  if (schema.enum) return `one of ${schema.enum.map(String).join(', ')}`
  if (schema.const !== undefined) return String(schema.const)
  const ways = schema.anyOf ?? schema.oneOf
  if (ways) return ways.map((way) => typeInWords(way as JsonSchema)).join(', or ')
  switch (schema.type) {
    case 'integer':
    case 'number':
      return [schema.type === 'integer' ? 'whole number' : 'number', rangeOf(schema as Bounds)]
        .filter(Boolean)
        .join(', ')
    case 'string':
      return 'text'
    case 'boolean':
      return 'true or false'
    case 'array':
      return `list of ${typeInWords((schema.items ?? {}) as JsonSchema)}`
    case 'object':
      return 'map'
    default:
      return 'anything'
  }
}

/** `0 to 1`, `1 or more`, `above 0, below 1`; bounds beyond exact whole numbers are none. */
function rangeOf({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: Bounds): string {
  const shown = (bound: number | undefined) =>
    bound !== undefined && Math.abs(bound) < Number.MAX_SAFE_INTEGER
  if (shown(minimum) && shown(maximum)) return `${minimum} to ${maximum}`
  const low = shown(minimum)
    ? `${minimum} or more`
    : shown(exclusiveMinimum)
      ? `above ${exclusiveMinimum}`
      : ''
  const high = shown(maximum)
    ? `${maximum} or less`
    : shown(exclusiveMaximum)
      ? `below ${exclusiveMaximum}`
      : ''
  return [low, high].filter(Boolean).join(', ')
}

interface Bounds {
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly exclusiveMaximum?: number
}

function measureEntry({ name, aliases, summary, cutoff, cutoffIn, args }: (typeof METRICS)[number]): Entry {
  const at = cutoff === 'none' ? '' : cutoff === 'optional' ? `[@k]` : '@k'
  const cut = cutoff === 'none' ? '' : `; @k ${cutoff === 'optional' ? 'may stand, ' : ''}in ${cutoffIn}`
  const also = aliases?.length ? `; also ${aliases.join(', ')}` : ''
  return {
    name: `${name}${at}`,
    summary: `${summary}${cut}${also}`,
    params: Object.entries(args).map(([arg, definition]) => ({
      name: arg,
      type: definition.choices
        ? `one of ${definition.choices.join(', ')}`
        : [
            definition.integer ? 'whole number' : 'number',
            rangeOf({ minimum: definition.min, maximum: definition.max }),
          ]
            .filter(Boolean)
            .join(', '),
      default: definition.default,
      required: false,
      summary: definition.summary,
    })),
  }
}
