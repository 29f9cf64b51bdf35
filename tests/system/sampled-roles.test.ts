import { expect, test } from 'vitest'
import { callsInTowns } from '../cli/calls.ts'
import { completion, modelAt } from '../cli/fake-model.ts'
import { fakeServer } from '../models/fake-server.ts'

interface Schema {
  readonly type?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly enum?: readonly unknown[]
  readonly minItems?: number
  readonly maxItems?: number
  readonly minimum?: number
  readonly maximum?: number
}

/** Lists of a schema, at any depth, that a server with a grammar may write without an end. */
const endless = (schema: Schema): number =>
  Number(schema.type === 'array' && schema.maxItems === undefined) +
  [...Object.values(schema.properties ?? {}), ...(schema.items ? [schema.items] : [])].reduce(
    (sum, item) => sum + endless(item),
    0,
  )

const integerIn = (from: number, to: number, draw: () => number) => from + (draw() % (to - from + 1))

/** A value that keeps the schema, no better than it has to be: another one for each `draw`. */
function sample(schema: Schema, draw: () => number): unknown {
  if (schema.enum) return schema.enum[draw() % schema.enum.length]
  switch (schema.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([name, property]) => [name, sample(property, draw)]),
      )
    case 'array': {
      const { minItems = 0, maxItems = Number.POSITIVE_INFINITY } = schema
      const length = minItems + (draw() % (Math.min(maxItems, minItems + 4) - minItems + 1))
      return Array.from({ length }, () => sample(schema.items ?? { type: 'string' }, draw))
    }
    case 'boolean':
      return draw() % 2 === 0
    case 'integer':
      return integerIn(schema.minimum ?? 1, schema.maximum ?? 3, draw)
    case 'number':
      return Math.min(schema.maximum ?? 50, Math.max(schema.minimum ?? 0, 1.5))
    default:
      return ['TownB1', 'honey', 'road'][draw() % 3]
  }
}

test('every role reads whatever keeps the schema that its server is told', async () => {
  let drawn = 0
  const draw = () => {
    drawn = (drawn * 1103515245 + 12345) % 2 ** 31
    return drawn >>> 8
  }
  const schemas = new Set<string>()
  const lists: string[] = []
  const server = await fakeServer((_, { body }) => {
    const schema = body.response_format?.json_schema?.schema as Schema | undefined
    if (schema) schemas.add(Object.keys(schema.properties ?? {}).join(' '))
    if (schema && endless(schema) > 0) lists.push(JSON.stringify(schema))
    const content = schema ? JSON.stringify(sample(schema, draw)) : 'Honey is made in TownB1 [1].'
    return completion(content)
  })
  const { run, read } = callsInTowns(
    `dataset: towns
prepare: {embedder: lsa, graph: [titles, {llm-openie: {model: tiny}}], communities: leiden, reports: {llm: {model: tiny}}}
models: {tiny: ${modelAt(server.baseUrl)}}
trials:
  - bm25
  - {rag-fusion: {of: bm25, model: tiny, queries: 2}}
  - {lightrag: {model: tiny}}
  - {hipporag: {model: tiny}}
  - {multi-hop: {judge: model, model: tiny, maxHops: 1}}
  - {traversal: {model: tiny}}
  - {graphrag-global: {variant: graphrag, model: tiny}}
  - {graphrag-global: {variant: dynamic, model: tiny}}
  - {drift: {model: tiny, rounds: 1}}
  - {lazy-graphrag: {model: tiny, budget: 2}}
answer: [{llm: {model: tiny}}, {map-reduce: {model: tiny}}]
judge:
  - {correctness: {model: tiny}}
  - {faithfulness: {model: tiny}}
  - {answer_relevancy: {model: tiny}}
  - {context_recall: {model: tiny}}
  - {rubric: {model: tiny, criterion: Is it short?}}
measures: [recall@5]
compare: {draws: 200}
`,
    {},
    6,
  )
  const { code, err } = await run('a')
  expect(code, err).toBe(0)
  expect([...schemas].sort()).toEqual([
    'answer score follow_up_queries',
    'can_answer reasoning missing_query',
    'facts',
    'high_level_keywords low_level_keywords',
    'named_entities',
    'points',
    'queries',
    'question noncommittal',
    'reason rating',
    'reasoning correct',
    'reasoning score',
    'relevant',
    'sentences',
    'statements',
    'terms',
    'title summary rating findings',
    'triples',
    'verdicts',
  ])
  // A small model that repeats itself comes to the end of every list.
  expect(lists).toEqual([])
  const summary = read('a/summary.json')
  for (const { name, failed, failures } of summary.trials)
    expect([name, failed, failures]).toEqual([name, 0, []])
  for (const { failures } of [...summary.answers.rows, ...summary.answers.judges])
    expect(failures).toEqual([])
  // Nobody was asked a second time, and no triple was left out.
  expect(server.asked.filter(({ body }) => body.messages.length > 1)).toEqual([])
  expect(JSON.stringify(summary)).not.toContain('malformedTriples')
})
