import { distance } from 'fastest-levenshtein'
import { z } from 'zod'
import { type Diagnostic, fewOfEachKind, UserError } from '../errors.ts'
import { eachJsonLine, readPlainOrGzip } from '../store/input.ts'
import { isMap, jsonLocation, parseJson } from '../text/json.ts'
import { openSource } from './source.ts'

const text = z.union([z.string(), z.looseObject({ text: z.string() }).transform(({ text }) => text)])
const count = z.int().min(0)
const amount = z.number().min(0)

const schema = z.object({
  query: z.string().trim().min(1),
  answer: z.string().optional(),
  contexts: z
    .union([z.array(text), z.string().transform((value) => (value === '' ? [] : [value]))])
    .default([]),
  tokens: z.strictObject({ input: count.default(0), output: count.default(0) }).optional(),
  calls: count.optional(),
  cost: amount.optional(),
  latency: amount.optional(),
  model: z.string().optional(),
})

/**
 * One question to another system: its retrieved texts, best first, its answer, and the costs in calls of language models, dollars and
 * seconds.
 */
export type RecordedQuery = Readonly<z.output<typeof schema>>
type Field = keyof RecordedQuery
type Needed = 'answer' | 'contexts'
type Fields = Readonly<Record<string, unknown>>

interface FieldRule {
  /** Our name first, then those of ragas 0.1 and 0.2 and of GraphRAG-Bench. */
  readonly names: readonly string[]
  /** Allowed values in words. */
  readonly allowed: string
  /** Names that mean the field in another unit or count, and are not read. Without signs and capitals. */
  readonly near?: RegExp
}

const FIELDS: Readonly<Record<Field, FieldRule>> = {
  query: { names: ['query', 'question', 'user_input'], allowed: 'the text of a question' },
  answer: { names: ['answer', 'response', 'generated_answer'], allowed: 'a text' },
  contexts: {
    names: ['contexts', 'context', 'retrieved_contexts'],
    allowed: 'a list of texts, or of objects with `text`',
  },
  tokens: {
    names: ['tokens'],
    allowed: '{"input": WHOLE NUMBER, "output": WHOLE NUMBER}',
    near: /^(?:total|input|output|prompt|completion)?tokens?(?:used|usage|count)?$|^usage$/,
  },
  calls: { names: ['calls'], allowed: 'a whole number', near: /^(?:llm|model|num|n)?calls?(?:count)?$/ },
  cost: {
    names: ['cost'],
    allowed: 'a number of dollars',
    near: /^(?:total)?costs?(?:in)?(?:usd|dollars?|cents?)?$/,
  },
  latency: {
    names: ['latency'],
    allowed: 'a number of seconds',
    near: /^(?:latency|duration|elapsed|responsetime)(?:time)?(?:in)?(?:ms|s|secs?|seconds?|millis|milliseconds?)?$/,
  },
  model: { names: ['model'], allowed: 'a name', near: /^modelname$/ },
}
const NAMES = Object.keys(FIELDS) as Field[]
/** Letters from which on a name with one wrong letter is taken for a known one. */
const LONG = 7

const WHAT = { answer: 'answers of another system', contexts: 'texts that another system retrieved' }
const FORM = {
  answer: '{"query": "...", "answer": "...", "contexts": ["..."]}',
  contexts: '{"query": "...", "contexts": ["..."]}',
}

/** Names of a field that have a value; null is none. */
const namesIn = (record: Fields, field: Field) =>
  FIELDS[field].names.filter((name) => (record[name] ?? null) !== null)

/** True for JSON Lines or a JSON list whose first record has a query and a field of texts, which may be empty. */
export function isOfTexts(path: string): boolean {
  const { isJson, text } = openSource(path)
  if (!isJson) return false
  const start = text().trimStart()
  const { value } = parseJson(start[0] === '[' ? start : start.split('\n', 1)[0])
  const first = Array.isArray(value) ? value[0] : value
  if (!isMap(first) || namesIn(first, 'query').length === 0) return false
  // A run of ids has a map of scores there.
  return namesIn(first, 'contexts')
    .slice(0, 1)
    .some((name) => !isMap(first[name]))
}

/**
 * Records of another system by query: JSON Lines, or a JSON list. `needs` is required in every record. Throws a UserError with the first
 * few errors of each kind.
 */
export function readRecorded(file: string, needs: Needed): ReadonlyMap<string, RecordedQuery> {
  const content = readPlainOrGzip(file, WHAT[needs])
  const records = new Map<string, RecordedQuery>()
  const take = (value: unknown, wrong: (message: string) => void) => {
    if (!isMap(value)) return wrong(`is not ${FORM[needs]}`)
    const problem = problemOf(value, needs)
    if (problem !== undefined) return wrong(problem)
    const values = NAMES.map((field) => [field, namesIn(value, field).map((name) => value[name])[0]])
    const { data, error } = schema.safeParse(Object.fromEntries(values))
    const [field] = (error?.issues[0]?.path ?? []) as Field[]
    if (!data) wrong(`\`${field}\` is not ${FIELDS[field].allowed}`)
    else if (records.has(data.query)) wrong('repeats a query above')
    else records.set(data.query, data)
  }
  if (content.trimStart().startsWith('[')) eachItem(file, content, take)
  else eachJsonLine(file, content, take)
  if (records.size === 0)
    throw new UserError(needs === 'answer' ? 'holds no answers' : 'holds no queries', file)
  return records
}

/** Problem of the names of a record: two for one field, none for a needed one, or one that is nearly a missing field's. */
function problemOf(record: Fields, needs: Needed): string | undefined {
  for (const field of new Set(['query', needs, 'contexts'] as const)) {
    const names = namesIn(record, field)
    const plain = names
      .map((name) => record[name])
      .map((value) => (typeof value === 'string' ? value.trim() : value))
    if (new Set(plain.map((value) => JSON.stringify(value))).size > 1)
      return `has ${quoted(names).join(' and ')}, which differ; keep the one that is the system's ${field}`
  }
  const fields = Object.keys(record).filter((name) => (record[name] ?? null) !== null)
  const missing = NAMES.filter((field) => namesIn(record, field).length === 0)
  const lacking = missing.filter((field) => field === 'query' || field === needs)
  if (lacking.length > 0)
    return `has ${quoted(fields).join(', ') || 'no field'} and lacks ${quoted(lacking).join(' and ')}; a record is ${FORM[needs]}`
  for (const name of fields) {
    const field = missing.find((field) => isNear(plainName(name), FIELDS[field]))
    if (field)
      return `has the field \`${name}\`, which is not read; \`${field}\` is ${FIELDS[field].allowed}: rename it, or remove it`
  }
  const [contexts] = namesIn(record, 'contexts').map((name) => record[name])
  return typeof contexts === 'string' && /^\s*\[\s*['"]/.test(contexts)
    ? '`contexts` is a list written as one text; write a JSON list of texts'
    : undefined
}

const quoted = (names: readonly string[]) => names.map((name) => `\`${name}\``)
const plainName = (name: string) => name.toLowerCase().replace(/[^a-z]/g, '')

function isNear(name: string, { names, near }: FieldRule): boolean {
  const isKnown = names
    .map(plainName)
    .some((field) => name === field || (field.length >= LONG && distance(name, field) === 1))
  return isKnown || near?.test(name) === true
}

function eachItem(
  file: string,
  content: string,
  take: (value: unknown, wrong: (message: string) => void) => void,
): void {
  const { value, diagnostic } = parseJson(content)
  if (diagnostic) {
    const { offset, message } = diagnostic
    throw new UserError({ file, ...(offset === undefined ? {} : jsonLocation(content, offset)), message })
  }
  const wrong: Diagnostic[] = []
  for (const [index, item] of (value as unknown[]).entries())
    take(item, (message) => wrong.push({ file: `${file}, item ${index + 1}`, message }))
  if (wrong.length > 0) throw new UserError(fewOfEachKind(wrong))
}
