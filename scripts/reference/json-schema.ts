import type { z } from 'zod'
import { answerers } from '../../src/answer/answerers/index.ts'
import { judges } from '../../src/answer/judges/index.ts'
import type { Slot } from '../../src/config/choices.ts'
import { inputSchema, type JsonSchema } from '../../src/config/explain.ts'
import { CODE_FILE } from '../../src/config/files.ts'
import { modelChoices, rerankerChoices } from '../../src/config/models.ts'
import { PREPARE } from '../../src/config/prepare.ts'
import { configSchema } from '../../src/config/schema.ts'
import { ENGINE, FILTER } from '../../src/config/trial-keys.ts'
import { AFTER, BEFORE } from '../../src/config/trials.ts'
import { datasetFormats } from '../../src/dataset/formats/index.ts'
import { engineKinds } from '../../src/engines/index.ts'
import { rerankers } from '../../src/models/rerankers/index.ts'
import type { Definition, Registry } from '../../src/registry.ts'
import { customStrategy } from '../../src/retrieve/custom/kinds.ts'
import { strategies } from '../../src/retrieve/strategies/index.ts'
import runStrategy from '../../src/retrieve/strategies/run.ts'
import { isMap } from '../../src/text/json.ts'

/** The schema of a config for editors (JSON Schema 2020-12), with every choice's names and params in place of its slot. */
export function configJsonSchema(): JsonSchema {
  const $defs = definitions() as Record<string, JsonSchema>
  return withShared(withRefs({ ...inputSchema(configSchema), title: 'Touchstone experiment', $defs }))
}

/** The schema with one definition for each map of keys that occurs several times, as the params of languages. */
function withShared(schema: JsonSchema): JsonSchema {
  const counts = new Map<string, number>()
  const textOf = (value: object) => ('properties' in value ? JSON.stringify(value) : '')
  JSON.stringify(schema, (_, value) => {
    const text = isMap(value) ? textOf(value) : ''
    if (text !== '') counts.set(text, (counts.get(text) ?? 0) + 1)
    return value
  })
  const shared = new Map<string, { readonly name: string; readonly definition: unknown }>()
  let number = 0
  /** `key`: the nearest key of a config above the value. */
  const share = (value: unknown, key: string): unknown => {
    if (Array.isArray(value)) return value.map((item) => share(item, key))
    if (!isMap(value)) return value
    const whole = () =>
      Object.fromEntries(
        Object.entries(value).map(([name, inner]) => [
          name,
          (name === 'properties' || name === '$defs') && isMap(inner)
            ? Object.fromEntries(Object.entries(inner).map(([below, item]) => [below, share(item, below)]))
            : share(inner, key),
        ]),
      )
    const text = textOf(value)
    if ((counts.get(text) ?? 0) < 2) return whole()
    const definition = shared.get(text) ?? { name: `${key}Keys${++number}`, definition: whole() }
    shared.set(text, definition)
    return ref(definition.name)
  }
  const whole = share(schema, '') as JsonSchema
  const definitions = [...shared.values()].map(({ name, definition }) => [name, definition])
  return { ...whole, $defs: { ...whole.$defs, ...Object.fromEntries(definitions) } }
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
    engine: ref('engine'),
    language: ref('language'),
    filter: ref('filter'),
    before: ref('before'),
    after: ref('after'),
  }
  const dataset = ref('oneDataset')
  return {
    ...Object.assign({}, ...prepare, fillings(BEFORE), fillings(AFTER)),
    ...trialKey(ENGINE),
    ...trialKey(FILTER),
    dataset: { anyOf: [dataset, { type: 'array', minItems: 1, items: dataset }] },
    models: { type: 'object', additionalProperties: choiceMap(modelChoices, NO_GRID) },
    answer: { anyOf: [ref('oneAnswer'), { type: 'array', minItems: 1, items: ref('oneAnswer') }] },
    oneAnswer: { anyOf: [{ enum: answerers.all.map(({ name }) => name) }, choiceMap(answerers)] },
    judge: { anyOf: [ref('oneJudge'), { type: 'array', minItems: 1, items: ref('oneJudge') }] },
    oneJudge: { anyOf: [{ enum: judges.all.map(({ name }) => name) }, choiceMap(judges)] },
    rerankers: {
      type: 'object',
      additionalProperties: {
        anyOf: [{ enum: rerankers.all.map(({ name }) => name) }, choiceMap(rerankerChoices, NO_GRID)],
      },
    },
    engines: { type: 'object', additionalProperties: choiceMap(engineKinds, NO_GRID) },
    oneDataset: {
      anyOf: [
        { type: 'string', description: 'a file, folder or zip' },
        {
          ...choiceMap(datasetFormats, NO_GRID),
          patternProperties: { [FILE]: { type: ['object', 'string'] } },
        },
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

/** Schemas of a key that takes choices, and of one of its choices. */
function fillings({ key, registry, custom, takes }: Slot): Record<string, object> {
  const choiceName = `${key}Choice`
  const list = { type: 'array', items: ref(choiceName) }
  const items = takes === 'one' ? ref(choiceName) : { anyOf: [ref(choiceName), list] }
  return {
    [key]: { anyOf: [takes === 'list' ? list : items, gridOf(items)] },
    [choiceName]: {
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

/** Schemas of a trial's `filter` or `engine`, and of one of its alternatives. */
function trialKey({ name, params }: Definition): Record<string, object> {
  const properties = { ...inputs(params), ...GRID }
  const map = { type: 'object', properties, minProperties: 1, additionalProperties: false }
  const choiceRef = ref(`${name}Choice`)
  return {
    [name]: { anyOf: [choiceRef, gridOf(choiceRef)] },
    [`${name}Choice`]: { anyOf: [{ enum: ['none'] }, map] },
  }
}

/** A map of one name to its params, and to the keys of a grid over these. */
function choiceMap(registry: Registry<Definition>, grid: object = GRID): object {
  return {
    type: 'object',
    properties: maps(registry, grid),
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
const NO_GRID = {}

function maps({ all }: Registry<Definition>, grid: object = GRID): Record<string, object> {
  return Object.fromEntries(
    all.map(({ name, summary, params, only }) => {
      const keys = inputs(params) ?? {}
      const properties: Readonly<Record<string, unknown>> =
        Object.keys(keys).length === 0 ? {} : { ...keys, ...grid }
      const map = { type: ['object', 'null'], description: summary, properties, additionalProperties: false }
      return [name, only === undefined ? map : { anyOf: [map, properties[only]] }]
    }),
  )
}

function inputs(params: z.ZodObject): JsonSchema['properties'] {
  return inputSchema(params).properties
}
