import { z } from 'zod'
import { type Diagnostic, fewOfEachKind, UserError } from '../errors.ts'
import { addTo } from '../maps.ts'
import { eachJsonLine, readPlainOrGzip } from '../store/input.ts'
import { idError } from '../text/ids.ts'
import { isMap, parseJson } from '../text/json.ts'
import { fieldComplaint } from '../text/schema-words.ts'

const id = z
  .unknown()
  .superRefine((value, context) => {
    const message = idError(value)
    if (message !== undefined) context.addIssue({ code: 'custom', message: `is no id: it ${message}` })
  })
  .transform(String)
const text = z.union([z.string(), z.looseObject({ text: z.string() }).transform(({ text }) => text)])

/** One call of a search tool: its query, and the ids or texts that it returned, in order. */
const step = z
  .strictObject({
    tool: z.string().min(1),
    input: z
      .unknown()
      .default('')
      .transform((value) => (typeof value === 'string' ? value : JSON.stringify(value ?? ''))),
    ids: z.array(id).optional(),
    contexts: z.array(text).optional(),
    tokens: z.int().min(0).optional(),
    ms: z.number().min(0).optional(),
  })
  .refine(
    ({ ids, contexts }) => (ids === undefined) !== (contexts === undefined),
    'needs `ids` or `contexts`, one of them (in a span: `gen_ai.retrieval.documents`, a list); an empty list is a call that found nothing',
  )
const record = z.strictObject({ query_id: id, steps: z.array(step), answer: z.unknown().optional() })
const KEYS = [...Object.keys(record.shape), ...Object.keys(step.shape)]

interface JsonLine {
  readonly value: Readonly<Record<string, unknown>>
  readonly line: number
}

/** Formats by a key of their lines, with the records that the lines hold. */
const FORMATS: readonly {
  readonly key: string
  records(lines: readonly JsonLine[], file: string): readonly JsonLine[]
}[] = [
  { key: 'steps', records: (lines) => lines },
  { key: 'resourceSpans', records: spanRecords },
]
const FORM =
  'is no trajectory; a line is {"query_id": ID, "steps": [{"tool": NAME, "input": TEXT, "ids": [ID]}]}, or an export of OTLP/JSON ({"resourceSpans": [...]})'

export interface Trajectory {
  readonly steps: readonly z.output<typeof step>[]
  readonly line: number
}

/** Trajectories of a file, by the id of their question. Throws a UserError with the first errors of each kind. */
export function readTrajectories(file: string): ReadonlyMap<string, Trajectory> {
  const lines: JsonLine[] = []
  eachJsonLine(file, readPlainOrGzip(file, 'trajectories'), (value, wrong, line) => {
    if (isMap(value)) lines.push({ value, line })
    else wrong(FORM)
  })
  if (lines.length === 0) throw new UserError('holds no trajectories', file)
  const format = FORMATS.find(({ key }) => lines.some(({ value }) => key in value))
  if (!format) throw new UserError({ file, line: lines[0].line, message: FORM })
  const diagnostics: Diagnostic[] = []
  const trajectories = new Map<string, Trajectory>()
  for (const { value, line } of format.records(lines, file)) {
    const { data, error } = record.safeParse(value)
    const messages = error?.issues.slice(0, 3).map((issue) => fieldComplaint(issue, value, KEYS)) ?? []
    const earlier = data && trajectories.get(data.query_id)
    if (earlier) messages.push(`repeats the query \`${data.query_id}\` of line ${earlier.line}`)
    diagnostics.push(...messages.map((message) => ({ file, line, message })))
    if (data) trajectories.set(data.query_id, { steps: data.steps, line })
  }
  if (diagnostics.length > 0) throw new UserError(fewOfEachKind(diagnostics))
  return trajectories
}

/** Span of OTLP/JSON, its attributes by key. */
interface Span extends Readonly<Record<string, unknown>> {
  readonly attributes: Readonly<Record<string, unknown>>
  readonly line: number
}

const DOCUMENTS = 'gen_ai.retrieval.documents'

/**
 * Records of the traces of OTLP/JSON, one question each. A step is a retrieval span of OpenTelemetry GenAI, in order of its start:
 *
 *     gen_ai.retrieval.documents: [{id, content}], or its JSON    gen_ai.retrieval.query.text    gen_ai.data_source.id
 *
 * The question is the attribute `query_id` of any span of the trace. Throws a UserError if no trace has such a span, as in exports
 * of OpenInference.
 */
function spanRecords(lines: readonly JsonLine[], file: string): JsonLine[] {
  const traces = new Map<unknown, Span[]>()
  for (const { value, line } of lines)
    for (const span of spansIn(value))
      addTo(traces, span.traceId, { ...span, attributes: valuesOf(span.attributes), line })
  const isRetrieval = ({ attributes }: Span) =>
    attributes['gen_ai.operation.name'] === 'retrieval' || DOCUMENTS in attributes
  if (![...traces.values()].flat().some(isRetrieval))
    throw new UserError(`no span has the attribute \`${DOCUMENTS}\` of OpenTelemetry GenAI`, file)
  return [...traces.values()].map((spans) => {
    const querySpan = spans.find(({ attributes }) => attributes.query_id !== undefined)
    const retrievals = spans.filter(isRetrieval)
    const steps = retrievals
      .sort((a, b) => Number(a.startTimeUnixNano) - Number(b.startTimeUnixNano))
      .map(stepOf)
    return { value: { query_id: querySpan?.attributes.query_id, steps }, line: spans[0].line }
  })
}

function stepOf({ name, startTimeUnixNano, endTimeUnixNano, attributes }: Span) {
  const attribute = attributes[DOCUMENTS]
  const { value } =
    typeof attribute === 'string' ? { value: undefined, ...parseJson(attribute) } : { value: attribute }
  const documents = Array.isArray(value) ? value.map((item) => (isMap(item) ? item : {})) : undefined
  const hasIds = documents?.every(({ id }) => (id ?? null) !== null)
  return {
    tool: attributes['gen_ai.data_source.id'] ?? name,
    input: attributes['gen_ai.retrieval.query.text'],
    ids: hasIds ? documents?.map(({ id }) => id) : undefined,
    contexts: hasIds ? undefined : documents?.map(({ content }) => content),
    ms: Math.max(0, (Number(endTimeUnixNano) - Number(startTimeUnixNano)) / 1e6) || undefined,
  }
}

function spansIn({ resourceSpans }: JsonLine['value']): readonly Readonly<Record<string, unknown>>[] {
  const scopes = listOf(resourceSpans).flatMap(({ scopeSpans }) => listOf(scopeSpans))
  return scopes.flatMap(({ spans }) => listOf(spans))
}

function listOf(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.filter(isMap) : []
}

function valuesOf(attributes: unknown): Record<string, unknown> {
  return Object.fromEntries(listOf(attributes).map(({ key, value }) => [key, plainValue(value)]))
}

/** Text, whole number, list or map of an `AnyValue` of OTLP/JSON. */
function plainValue(value: unknown): unknown {
  if (!isMap(value)) return undefined
  if (isMap(value.arrayValue)) return listOf(value.arrayValue.values).map(plainValue)
  if (isMap(value.kvlistValue)) return valuesOf(value.kvlistValue.values)
  return value.stringValue ?? value.intValue
}
