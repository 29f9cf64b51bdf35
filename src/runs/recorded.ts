import { distance } from 'fastest-levenshtein'
import { z } from 'zod'
import { type Diagnostic, fewOfEachKind, UserError } from '../errors.ts'
import { eachJsonLine, readPlainOrGzip } from '../store/input.ts'
import { isMap, jsonLocation, parseJson } from '../text/json.ts'
import { openSource } from './source.ts'

/** One question to another system: its retrieved texts, best first, its answer and the costs. */
export interface RecordedQuery {
  readonly query: string
  readonly answer?: string
  readonly contexts: readonly string[]
  readonly tokens?: { readonly input: number; readonly output: number }
  /** Calls of language models. */
  readonly calls?: number
  /** Dollars. */
  readonly cost?: number
  /** Seconds. */
  readonly latency?: number
  readonly model?: string
}

/** Names of fields, ours first, then those of ragas 0.1 and 0.2 and of GraphRAG-Bench. */
const NAMES = {
  query: ['query', 'question', 'user_input'],
  answer: ['answer', 'response', 'generated_answer'],
  contexts: ['contexts', 'context', 'retrieved_contexts'],
} as const

const amount = z.number().min(0)
const text = z.union([z.string(), z.looseObject({ text: z.string() }).transform(({ text }) => text)])

const FIELDS = {
  query: z.string().trim().min(1),
  answer: z.string().optional(),
  contexts: z.union([z.array(text), z.string().transform((one) => (one === '' ? [] : [one]))]).default([]),
  tokens: z.strictObject({ input: z.int().min(0).default(0), output: z.int().min(0).default(0) }).optional(),
  calls: z.int().min(0).optional(),
  cost: amount.optional(),
  latency: amount.optional(),
  model: z.string().optional(),
}

const record = z.object(FIELDS)

type Field = keyof typeof FIELDS

/** Names that mean a field in another unit or count, and are not read. Without signs and capitals. */
const NEAR: Partial<Readonly<Record<Field, RegExp>>> = {
  tokens: /^(?:total|input|output|prompt|completion)?tokens?(?:used|usage|count)?$|^usage$/,
  calls: /^(?:llm|model|num|n)?calls?(?:count)?$/,
  cost: /^(?:total)?costs?(?:in)?(?:usd|dollars?|cents?)?$/,
  latency:
    /^(?:latency|duration|elapsed|responsetime)(?:time)?(?:in)?(?:ms|s|secs?|seconds?|millis|milliseconds?)?$/,
  model: /^modelname$/,
}
/** Letters from which on a name with one wrong letter is taken for a known one. */
const LONG = 7

/** Allowed values of the fields, in words. */
const ALLOWED: Readonly<Record<string, string>> = {
  tokens: '{"input": WHOLE NUMBER, "output": WHOLE NUMBER}',
  calls: 'a whole number',
  cost: 'a number of dollars',
  latency: 'a number of seconds',
  model: 'a name',
  query: 'the text of a question',
  answer: 'a text',
  contexts: 'a list of texts, or of objects with `text`',
}

const WHAT = { answer: 'answers of another system', contexts: 'texts that another system retrieved' }

const FORM = {
  answer: 'is not {"query": "...", "answer": "...", "contexts": ["..."]}',
  contexts: 'is not {"query": "...", "contexts": ["..."]}',
}

/** True for JSON Lines or a JSON list whose first record has a query and a field of texts, which may be empty. */
export function isOfTexts(path: string): boolean {
  const { isJson, text } = openSource(path)
  if (!isJson) return false
  const start = text().trimStart()
  const { value } = { value: undefined, ...parseJson(start[0] === '[' ? start : start.split('\n', 1)[0]) }
  const first = Array.isArray(value) ? value[0] : value
  const has = (field: keyof typeof NAMES) => isMap(first) && Object.hasOwn(first, nameIn(first, field))
  // A run of ids has a map of scores there.
  return isMap(first) && has('query') && has('contexts') && !isMap(fieldOf(first, 'contexts'))
}

/**
 * Records of another system by query: JSON Lines, or a JSON list. `needs` is required in every record. Throws a UserError with the first
 * few errors of each kind.
 */
export function readRecorded(file: string, needs: keyof typeof FORM): ReadonlyMap<string, RecordedQuery> {
  const content = readPlainOrGzip(file, WHAT[needs])
  const records = new Map<string, RecordedQuery>()
  const take = (value: unknown, wrong: (message: string) => void) => {
    const given = isMap(value) ? renamed(value) : {}
    const twice = isMap(value) ? inTwoFields(value, needs) : undefined
    if (twice !== undefined) return wrong(twice)
    if (given[needs] === undefined || given.query === undefined) return wrong(lacking(value, given, needs))
    const near = isMap(value) ? nearMiss(value, given) : undefined
    if (near !== undefined) return wrong(near)
    if (typeof given.contexts === 'string' && /^\s*\[\s*['"]/.test(given.contexts))
      return wrong('`contexts` is a list written as one text; write a JSON list of texts')
    const { data, error } = record.safeParse(given)
    const key = String(error?.issues[0]?.path[0] ?? '')
    if (error && key in ALLOWED) return wrong(`\`${key}\` is not ${ALLOWED[key]}`)
    if (!data) return wrong(FORM[needs])
    if (records.has(data.query)) return wrong('repeats a query above')
    records.set(data.query, data)
  }
  if (content.trimStart().startsWith('[')) eachItem(file, content, take)
  else eachJsonLine(file, content, take)
  if (records.size === 0)
    throw new UserError({ file, message: needs === 'answer' ? 'holds no answers' : 'holds no queries' })
  return records
}

function lacking(value: unknown, given: Readonly<Record<string, unknown>>, needs: keyof typeof FORM): string {
  if (!isMap(value)) return FORM[needs]
  const missing = [...new Set(['query', needs])].filter((field) => given[field] === undefined)
  const fields = missing.map((field) => `\`${field}\``).join(' and ')
  const found = Object.keys(value).filter((name) => (value[name] ?? null) !== null)
  const has = found.length === 0 ? 'has no field' : `has ${found.map((name) => `\`${name}\``).join(', ')}`
  return `${has} and lacks ${fields}; a record is ${FORM[needs].replace('is not ', '')}`
}

function inTwoFields(given: Readonly<Record<string, unknown>>, needs: keyof typeof FORM): string | undefined {
  for (const field of needs === 'answer'
    ? (['query', 'answer', 'contexts'] as const)
    : (['query', 'contexts'] as const)) {
    const names = NAMES[field].filter((name) => (given[name] ?? null) !== null)
    const plain = names.map((name) => given[name]).map((one) => (typeof one === 'string' ? one.trim() : one))
    const values = new Set(plain.map((one) => JSON.stringify(one)))
    if (values.size > 1)
      return `has ${names.map((name) => `\`${name}\``).join(' and ')}, which differ; keep the one that is the system's ${field}`
  }
  return undefined
}

/** Diagnostic of a field that is not read and whose name means one that is missing. */
function nearMiss(
  given: Readonly<Record<string, unknown>>,
  read: Readonly<Record<string, unknown>>,
): string | undefined {
  const missing = (Object.keys(FIELDS) as Field[]).filter((field) => read[field] === undefined)
  for (const name of Object.keys(given)) {
    if ((given[name] ?? null) === null) continue
    const plain = plainName(name)
    const field = missing.find(
      (one) =>
        [one, ...(one in NAMES ? NAMES[one as keyof typeof NAMES] : [])].some(
          (known) =>
            plain === plainName(known) || (known.length >= LONG && distance(plain, plainName(known)) === 1),
        ) || NEAR[one]?.test(plain),
    )
    if (field)
      return `has the field \`${name}\`, which is not read; \`${field}\` is ${ALLOWED[field]}: rename it, or remove it`
  }
  return undefined
}

const plainName = (name: string) => name.toLowerCase().replace(/[^a-z]/g, '')

function nameIn(given: Readonly<Record<string, unknown>>, field: keyof typeof NAMES): string {
  return NAMES[field].find((name) => Object.hasOwn(given, name)) ?? NAMES[field][0]
}

function fieldOf(given: Readonly<Record<string, unknown>>, field: keyof typeof NAMES): unknown {
  return given[nameIn(given, field)]
}

/** The fields of a record by our names; null is no value. */
function renamed(given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const entries = Object.keys(FIELDS).map((field) => [
    field,
    (field in NAMES ? fieldOf(given, field as keyof typeof NAMES) : given[field]) ?? undefined,
  ])
  return Object.fromEntries(entries)
}

function eachItem(
  file: string,
  content: string,
  take: (value: unknown, wrong: (message: string) => void) => void,
): void {
  const { value, diagnostic } = { value: undefined, ...parseJson(content) }
  if (diagnostic) {
    const { offset, message } = diagnostic
    throw new UserError({ file, ...(offset === undefined ? {} : jsonLocation(content, offset)), message })
  }
  const wrong: Diagnostic[] = []
  for (const [index, item] of (value as unknown[]).entries())
    take(item, (message) => wrong.push({ file: `${file}, item ${index + 1}`, message }))
  if (wrong.length > 0) throw new UserError(fewOfEachKind(wrong))
}
