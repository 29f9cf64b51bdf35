import { z } from 'zod'
import { strategies } from '../strategies/index.ts'
import {
  FORMAT,
  type Kind,
  PREPARE,
  type Preparation,
  QUERY_TRANSFORM,
  RANKING_TRANSFORM,
  STRATEGY,
} from './kinds.ts'
import { configSchema } from './schema.ts'

type JsonSchema = z.core.JSONSchema.BaseSchema

/** The schema of a config for editors (JSON Schema 2020-12), with every choice's names and params in place of its slot. */
export function configJsonSchema(): JsonSchema {
  const schema = z.toJSONSchema(configSchema, {
    io: 'input',
    override({ zodSchema, jsonSchema }) {
      const slot = z.globalRegistry.get(zodSchema)?.slot
      if (typeof slot !== 'string') return
      const { description } = jsonSchema
      for (const key of Object.keys(jsonSchema)) delete jsonSchema[key]
      Object.assign(jsonSchema, { $ref: `#/$defs/${slot}` }, description ? { description } : {})
    },
  }) as JsonSchema
  return { ...schema, title: 'Touchstone experiment', $defs: definitions() }
}

function definitions(): Record<string, JsonSchema> {
  const prepare = Object.entries<Preparation>(PREPARE).map(([key, { kind, several }]) => {
    const one = choice(kind)
    const options = several ? { anyOf: [one, { type: 'array', items: one }] } : one
    return [key, { anyOf: [options, gridOf(options, true)] }]
  })
  const chain = (kind: Kind) => {
    const list = { type: 'array', items: choice(kind) }
    return { anyOf: [list, gridOf({ anyOf: [choice(kind), list] })] }
  }
  const one = { $ref: '#/$defs/oneDataset' }
  const beside = { name: { type: 'string' }, before: chain(QUERY_TRANSFORM), after: chain(RANKING_TRANSFORM) }
  return {
    ...Object.fromEntries(prepare),
    dataset: { anyOf: [one, { type: 'array', minItems: 1, items: one }] },
    oneDataset: { anyOf: [{ type: 'string', description: 'a folder' }, choice(FORMAT, false)] },
    run: {
      anyOf: [
        { type: 'string', description: 'a file, or several by `*` and `?`' },
        {
          type: 'object',
          properties: { ...inputs(strategies.run.params), name: { type: 'string' } },
          required: ['path'],
          additionalProperties: false,
        },
      ],
    },
    trial: {
      anyOf: [
        { enum: [...STRATEGY.definitions.keys()] },
        { type: 'string', pattern: '\\.(mjs|js|ts)$', description: 'a file with a strategy of your own' },
        {
          type: 'object',
          properties: { ...maps(STRATEGY), ...beside },
          patternProperties: { '\\.(mjs|js|ts)$': { type: ['object', 'null'] } },
          additionalProperties: false,
        },
      ],
    },
  } as Record<string, JsonSchema>
}

function gridOf(items: object, labelled = false): object {
  const list = { type: 'array', minItems: 1, items }
  const map = { type: 'object', minProperties: 1, additionalProperties: items }
  const grid = labelled ? { anyOf: [list, map] } : list
  return { type: 'object', properties: { grid }, required: ['grid'], additionalProperties: false }
}

/** A name, or a map of one name to its params. */
function choice(kind: Kind, bare = true): object {
  const map = {
    type: 'object',
    properties: maps(kind),
    additionalProperties: false,
    minProperties: 1,
    maxProperties: 1,
  }
  return bare ? { anyOf: [{ enum: [...kind.definitions.keys()] }, map] } : map
}

function maps({ definitions }: Kind): Record<string, object> {
  return Object.fromEntries(
    [...definitions.values()].map(({ name, summary, params }) => {
      const grid = { description: 'params to lists of values or ranges; every combination is a trial' }
      const random = { description: 'draw so many points of the grid: {samples, seed}' }
      return [
        name,
        {
          type: ['object', 'null'],
          description: summary,
          properties: { ...inputs(params), grid, random },
          additionalProperties: false,
        },
      ]
    }),
  )
}

function inputs(params: z.ZodObject): JsonSchema['properties'] {
  return (z.toJSONSchema(params, { io: 'input', unrepresentable: 'any' }) as JsonSchema).properties
}
