import { answerers } from '../answer/answerers/index.ts'
import { judges } from '../answer/judges/index.ts'
import { ANSWER_MEASURES } from '../answer/measures.ts'
import { datasetFormats } from '../dataset/formats/index.ts'
import { engineKinds } from '../engines/index.ts'
import type { ArgumentDefinition, Metric } from '../metrics/define.ts'
import { METRICS } from '../metrics/parse.ts'
import { embedders } from '../models/embedders/index.ts'
import type { Definition, Registry } from '../registry.ts'
import { strategies } from '../retrieve/strategies/index.ts'
import { queryTransforms, rankingTransforms } from '../retrieve/transforms/index.ts'
import type { Json } from '../types.ts'
import { inputSchema, type JsonSchema } from './explain.ts'
import { modelChoices, rerankerChoices } from './models.ts'
import { PREPARE, type Preparation } from './prepare.ts'

export interface CatalogSection {
  readonly title: string
  readonly entries: readonly CatalogEntry[]
}

export interface CatalogEntry {
  readonly name: string
  readonly summary: string
  readonly source?: string
  readonly params: readonly Param[]
}

export interface Param {
  readonly name: string
  readonly type: string
  readonly default?: Json
  readonly required: boolean
  readonly summary: string
}

export type Topic =
  | 'strategies'
  | 'transforms'
  | 'measures'
  | 'answers'
  | 'models'
  | 'formats'
  | 'preparation'

export function catalog(topic: Topic): readonly CatalogSection[] {
  switch (topic) {
    case 'strategies':
      return [section('strategies', strategies), section('engines', engineKinds)]
    case 'transforms':
      return [
        section('query transforms (before)', queryTransforms),
        section('ranking transforms (after)', rankingTransforms),
      ]
    case 'measures':
      return [{ title: 'measures', entries: METRICS.all.map(measureEntry) }]
    case 'answers':
      return [
        section('answerers', answerers),
        {
          title: 'measures of answers',
          entries: ANSWER_MEASURES.map(({ name, summary, source }) => ({
            name,
            summary,
            source,
            params: [],
          })),
        },
        section('judges of answers', judges),
      ]
    case 'models':
      return [
        section('embedders', embedders),
        section('rerankers', rerankerChoices),
        section('language models', modelChoices),
      ]
    case 'formats':
      return [section('dataset formats', datasetFormats)]
    case 'preparation':
      return Object.entries<Preparation>(PREPARE)
        .filter(([key]) => key !== 'embedder' && key !== 'graphEmbedder')
        .map(([key, { registry }]) => section(`prepare.${key}`, registry))
  }
}

function section(
  title: string,
  { all }: Registry<Definition & { readonly source?: string }>,
): CatalogSection {
  const entries = all.map(({ name, summary, source, params }) => ({
    name,
    summary,
    ...(source === undefined ? {} : { source }),
    params: catalogParams(inputSchema(params)),
  }))
  return { title, entries }
}

export function catalogParams({ properties = {}, required = [] }: JsonSchema): Param[] {
  return (Object.entries(properties) as [string, JsonSchema][]).map(([name, property]) => ({
    name,
    type: typeInWords(property),
    ...(property.default === undefined ? {} : { default: property.default as Json }),
    required: required.includes(name),
    summary: property.description ?? '',
  }))
}

const SLOTS: Readonly<Record<string, string>> = {
  dataset: 'path or choice',
  trial: 'trial',
  answer: 'answerer or list of them',
  judge: 'judge or list of them',
  models: 'map',
  rerankers: 'map',
  engines: 'map',
}

/** `number, 0 to 1`, `one of rrf, weighted`, `list of text`. */
function typeInWords(schema: JsonSchema): string {
  if (schema.slot !== undefined) return SLOTS[String(schema.slot)] ?? 'choice'
  if (schema.enum) return `one of ${schema.enum.map(String).join(', ')}`
  if (schema.const !== undefined) return String(schema.const)
  const forms = schema.anyOf ?? schema.oneOf
  if (forms) return forms.map((form) => typeInWords(form as JsonSchema)).join(', or ')
  switch (schema.type) {
    case 'integer':
    case 'number':
      return [schema.type === 'integer' ? 'whole number' : 'number', rangeOf(schema)]
        .filter(Boolean)
        .join(', ')
    case 'string':
      return 'text'
    case 'boolean':
      return 'true or false'
    case 'array': {
      const items = (schema.items ?? {}) as JsonSchema
      return `list of ${typeInWords(items)}${items.slot === undefined ? '' : 's'}`
    }
    case 'object':
      return 'map'
    default:
      return 'anything'
  }
}

/** Bounds in words: `0 to 1`, `1 or more`, `above 0, below 1`. */
function rangeOf({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: JsonSchema): string {
  const shown = (bound: unknown) => typeof bound === 'number' && Math.abs(bound) < Number.MAX_SAFE_INTEGER
  if (shown(minimum) && shown(maximum)) return `${minimum} to ${maximum}`
  const bounds = [
    shown(minimum) && `${minimum} or more`,
    shown(exclusiveMinimum) && `above ${exclusiveMinimum}`,
    shown(maximum) && `${maximum} or less`,
    shown(exclusiveMaximum) && `below ${exclusiveMaximum}`,
  ]
  return bounds.filter(Boolean).join(', ')
}

function measureEntry({ name, aliases, summary, cutoff, cutoffIn, args }: Metric): CatalogEntry {
  const at = cutoff === 'none' ? '' : cutoff === 'optional' ? `[@k]` : '@k'
  const cut = cutoff === 'none' ? '' : `; @k ${cutoff === 'optional' ? 'optional, ' : ''}in ${cutoffIn}`
  const also = aliases?.length ? `; also ${aliases.join(', ')}` : ''
  return {
    name: `${name}${at}`,
    summary: `${summary}${cut}${also}`,
    params: Object.entries(args).map(([arg, definition]) => ({
      name: arg,
      type: typeInWords(argumentSchema(definition)),
      default: definition.default,
      required: false,
      summary: definition.summary,
    })),
  }
}

function argumentSchema({ choices, free, integer, min, max }: ArgumentDefinition) {
  if (choices) return { enum: [...choices] }
  if (free) return { type: 'string' as const }
  return { type: integer ? ('integer' as const) : ('number' as const), minimum: min, maximum: max }
}
