import { z } from 'zod'
import { ANCHORS } from '../../corpus/graph/traversal.ts'
import { hashFile } from '../../store/input.ts'
import { readYaml } from '../../store/yaml-input.ts'
import { needsCondition, type RouteCondition, reasons, routeCondition } from './rules.ts'

/**
 * Kinds of questions and their search policies, as data. A question has the first intent whose conditions all hold; the policy
 * sets the weight of a match in each index and, optionally, the weight of the dense side.
 */
const factor = z.number().min(0).max(100)

const policy = {
  indexes: z
    .strictObject(Object.fromEntries(['term', ...ANCHORS].map((name) => [name, factor.optional()])))
    .default({})
    .describe('weight of a result, by index; default: 1'),
  alpha: z.number().min(0).max(1).optional().describe('weight of the semantic side, in place of the param'),
}

const intent = z
  .strictObject({ name: z.string().min(1), ...routeCondition, ...policy })
  .refine(...needsCondition())

const rule = z
  .strictObject({ ...routeCondition, terms: z.array(z.string().min(1).max(200)).min(1).max(50) })
  .refine(...needsCondition())

const policiesSchema = z.strictObject({
  intents: z.array(intent).max(1000).default([]),
  otherwise: z.strictObject({ name: z.string().min(1), ...policy }),
  names: z
    .record(z.string().min(1), z.array(z.string().min(1).max(200)).max(100_000))
    .optional()
    .describe('names by kind, as {condition: [grabbed]}: those in a question come before all other terms'),
  expand: z
    .array(rule)
    .max(10_000)
    .default([])
    .describe('terms that a question which holds this is also searched by'),
})

export type Policies = z.output<typeof policiesSchema>

/** The seed document's kinds of questions. The weights are ours. */
const SEED_001: Policies = policiesSchema.parse({
  intents: [
    {
      name: 'comparison',
      any: ['difference between', 'compare', 'versus', 'vs', 'better than', 'instead of'],
      indexes: { title: 1.5, entity: 1.5 },
    },
    {
      name: 'definition',
      any: ['what is', 'what are', 'what does', 'what do', 'define', 'meaning of', 'explain'],
      indexes: { title: 2 },
    },
    {
      name: 'procedure',
      any: ['how do', 'how does', 'how can', 'how to', 'steps to', 'what happens'],
      indexes: { title: 1.5 },
    },
    {
      name: 'lookup',
      any: ['how much', 'how many', 'how far', 'how long', 'how often', 'which', 'list', 'cost of'],
      indexes: { tag: 2, trait: 2 },
    },
    {
      name: 'interaction',
      any: ['can i', 'can a', 'can you', 'does', 'do i', 'when', 'if', 'while'],
      indexes: { entity: 1.5 },
    },
  ],
  otherwise: { name: 'general' },
})

const NAMED: Readonly<Record<string, Policies>> = { 'seed-001': SEED_001 }

export const POLICY_SETS = Object.keys(NAMED)
const [FIRST] = POLICY_SETS

const WHAT = `policies of questions, where they are not ${POLICY_SETS.join(' or ')}`

/** The policies of that name, or those in a YAML or JSON file. Throws a UserError with every error and its location. */
export function readPolicies(path: string): Policies {
  return Object.hasOwn(NAMED, path) ? NAMED[path] : readYaml(path, policiesSchema, WHAT).value
}

/** Kinds of questions that a fitted router chooses by: `intent` (the first named policies) or a file; undefined for features. */
export function intentsOf(by: unknown): Policies | undefined {
  if (by === undefined || by === 'features') return undefined
  return readPolicies(by === 'intent' ? FIRST : String(by))
}

/** SHA-256 of a policies file, by param; empty for built-in policies. */
export function hashPolicies(path: string): Readonly<Record<string, string>> {
  return Object.hasOwn(NAMED, path) ? {} : { policies: hashFile(path, WHAT) }
}

type Policy = Policies['otherwise']

export function intentOf(text: string, { intents, otherwise }: Policies): Policy {
  return intents.find((intent) => reasons(text, intent as RouteCondition)) ?? otherwise
}

export function ruledTerms(text: string, { expand }: Policies): string[] {
  return expand.filter((rule) => reasons(text, rule as RouteCondition)).flatMap(({ terms }) => terms)
}

/** A question and the terms that one would search for, shown to a model before it is asked for others. */
const example = z.strictObject({
  question: z.string().min(1).max(1000),
  terms: z.array(z.string().min(1).max(200)).min(1).max(50),
})

const examplesSchema = z.array(example).min(1).max(100)

export type ExpansionExample = z.output<typeof example>

/** Built-in examples, independent of the corpus: a name that is just described, a procedure, a comparison. */
const OWN: readonly ExpansionExample[] = [
  {
    question: 'Who wrote the novel about the whale that Gregory Peck hunts in the film?',
    terms: ['Moby-Dick', 'Herman Melville', 'Gregory Peck', 'Moby Dick (1956 film)', 'Captain Ahab'],
  },
  {
    question: 'How do I make a function run again when the network fails?',
    terms: ['retry', 'exponential backoff', 'timeout', 'error handling', 'network error'],
  },
  {
    question: 'Is the train or the bus faster from the airport to the old town?',
    terms: ['airport train', 'airport bus', 'travel time', 'old town station', 'timetable'],
  },
]

const EXAMPLES = 'examples of expanded questions'

/** Examples of a YAML or JSON file; without one, the built-in examples. */
export function readExamples(path: string | undefined): readonly ExpansionExample[] {
  return path === undefined ? OWN : readYaml(path, examplesSchema, EXAMPLES).value
}

export function hashExamples(path: string | undefined): Readonly<Record<string, string>> {
  return path === undefined ? {} : { examples: hashFile(path, EXAMPLES) }
}
