import type { z } from 'zod'
import { answerers } from '../answer/answerers/index.ts'
import { judges } from '../answer/judges/index.ts'
import { datasetFormats } from '../dataset/formats/index.ts'
import { chatProviders } from '../models/chat/providers/index.ts'
import { rerankers } from '../models/rerankers/index.ts'
import type { Definition, Registry } from '../registry.ts'
import { customStrategy } from '../retrieve/custom/kinds.ts'
import { engineKinds } from '../retrieve/steps/engine.ts'
import { strategies } from '../retrieve/strategies/index.ts'
import { runStrategy } from '../retrieve/strategies/run.ts'
import type { Slot } from './choices.ts'
import { CODE_FILE } from './custom-files.ts'
import { inputSchema, type JsonSchema } from './explain.ts'
import { filterSchema } from './filter.ts'
import { PREPARE } from './prepare.ts'
import { configSchema } from './schema.ts'
import { AFTER, BEFORE } from './trials.ts'

/** The schema of a config for editors (JSON Schema 2020-12), with every choice's names and params in place of its slot. */
export function configJsonSchema(): JsonSchema {
  const $defs = definitions() as Record<string, JsonSchema>
  return withRefs({ ...inputSchema(configSchema), title: 'Touchstone experiment', $defs })
}

/** The schema with each slot replaced by a reference to its definition. */
function withRefs<T extends object>(schema: T): T {
  return JSON.parse(JSON.stringify(schema), (_, value) => {
    if (typeof value?.slot !== 'string') return value
    const { slot, description } = value
    return { ...ref(slot), ...(description ? { description } : {}) }
  })
}

/** A custom file in place of a name, alone or with params. */
const FILE = `${CODE_FILE}$`
const FILES = { patternProperties: { [FILE]: { type: ['object', 'null'] } } }
const file = (word: string) => ({
  type: 'string',
  pattern: FILE,
  description: `a file with a custom ${word}`,
})

const ref = (name: string) => ({ $ref: `#/$defs/${name}` })

function definitions(): Record<string, object> {
  const prepare = Object.entries(PREPARE).map(([key, preparation]) => fillings({ key, ...preparation }))
  const options = {
    name: { type: 'string' },
    filter: ref('filter'),
    before: ref('before'),
    after: ref('after'),
  }
  const one = ref('oneDataset')
  return {
    ...Object.assign({}, ...prepare, fillings(BEFORE), fillings(AFTER)),
    ...filters(),
    dataset: { anyOf: [one, { type: 'array', minItems: 1, items: one }] },
    models: { type: 'object', additionalProperties: choiceMap(chatProviders) },
    answer: { anyOf: [ref('oneAnswer'), { type: 'array', minItems: 1, items: ref('oneAnswer') }] },
    oneAnswer: { anyOf: [{ enum: answerers.all.map(({ name }) => name) }, choiceMap(answerers)] },
    judge: { anyOf: [ref('oneJudge'), { type: 'array', minItems: 1, items: ref('oneJudge') }] },
    oneJudge: { anyOf: [{ enum: judges.all.map(({ name }) => name) }, choiceMap(judges)] },
    rerankers: {
      type: 'object',
      additionalProperties: {
        anyOf: [{ enum: rerankers.all.map(({ name }) => name) }, choiceMap(rerankers)],
      },
    },
    engines: { type: 'object', additionalProperties: choiceMap(engineKinds) },
    oneDataset: {
      anyOf: [
        { type: 'string', description: 'a file, folder or zip' },
        choiceMap(datasetFormats),
        ...datasetFormats.all.map(withPath),
      ],
    },
    run: {
      anyOf: [
        { type: 'string', description: 'a file, or several by `*` and `?`' },
        {
          type: 'object',
          properties: { ...inputs(runStrategy.params), name: { type: 'string' } },
          required: ['path'],
          additionalProperties: false,
        },
      ],
    },
    trial: {
      anyOf: [
        { enum: strategies.all.map(({ name }) => name) },
        file(customStrategy.word),
        {
          type: 'object',
          properties: { ...maps(strategies), ...options },
          ...FILES,
          additionalProperties: false,
        },
      ],
    },
  }
}

/** `{beir: PATH, split: dev}`: a format with its path and its other params. */
function withPath({ name, params, summary }: Definition): object {
  const { path: _, ...others } = inputs(params) ?? {}
  return {
    type: 'object',
    properties: { [name]: { type: 'string', description: summary }, ...others },
    required: [name],
    additionalProperties: false,
  }
}

/** Schemas of a key that takes choices, and of one of its choices. */
function fillings({ key, registry, custom, takes }: Slot): Record<string, object> {
  const one = `${key}Choice`
  const list = { type: 'array', items: ref(one) }
  const items = takes === 'one' ? ref(one) : { anyOf: [ref(one), list] }
  return {
    [key]: { anyOf: [takes === 'list' ? list : items, gridOf(items)] },
    [one]: {
      anyOf: [
        { enum: registry.all.map(({ name }) => name) },
        ...(custom ? [file(custom.word)] : []),
        { ...choiceMap(registry), ...(custom && FILES) },
      ],
    },
  }
}

/** A grid of items, by themselves or with labels. */
function gridOf(items: object): object {
  const grid = {
    anyOf: [
      { type: 'array', minItems: 1, items },
      { type: 'object', minProperties: 1, additionalProperties: items },
    ],
  }
  return { type: 'object', properties: { grid }, required: ['grid'], additionalProperties: false }
}

/** Schemas of a trial's `filter`, and of one filter. */
function filters(): Record<string, object> {
  const map = {
    type: 'object',
    properties: { ...inputs(filterSchema), ...GRID },
    required: ['where'],
    additionalProperties: false,
  }
  const one = ref('filterChoice')
  return { filter: { anyOf: [one, gridOf(one)] }, filterChoice: { anyOf: [{ enum: ['none'] }, map] } }
}

/** A map of one name to its params. */
function choiceMap(registry: Registry<Definition>): object {
  return {
    type: 'object',
    properties: maps(registry),
    additionalProperties: false,
    minProperties: 1,
    maxProperties: 1,
  }
}

const GRID = {
  grid: { description: 'params to lists of values or ranges; every combination is a trial' },
  ofat: {
    description: 'as `grid`, one factor at a time: the first value of every param, then each other value',
  },
  random: { description: 'draw so many points of the grid: {samples, seed}' },
}

function maps({ all }: Registry<Definition>): Record<string, object> {
  return Object.fromEntries(
    all.map(({ name, summary, params, only }) => {
      const properties: Readonly<Record<string, unknown>> = { ...inputs(params), ...GRID }
      const map = { type: ['object', 'null'], description: summary, properties, additionalProperties: false }
      return [name, only === undefined ? map : { anyOf: [map, properties[only]] }]
    }),
  )
}

function inputs(params: z.ZodObject): JsonSchema['properties'] {
  return inputSchema(params).properties
}
