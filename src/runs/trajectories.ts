import { z } from 'zod'
import { fewOfEachKind, UserError } from '../errors.ts'
import { addTo } from '../maps.ts'
import { readPlainOrGzip } from '../store/input.ts'
import { eachJsonLine } from '../store/json-lines.ts'
import { idError } from '../text/ids.ts'
import { isMap, parseJson } from '../text/json.ts'
import { fieldComplaint } from '../text/schema-words.ts'
import type { JsonLine, Trajectory, TrajectoryStep } from './types.ts'

interface TrajectoryFormat {
  readonly name: string
  readonly summary: string
  detect(value: Record<string, unknown>): boolean
  /** Trajectories of a file's lines, in order. `wrong` records an error of a line. */
  read(lines: readonly JsonLine[], wrong: (message: string, line: number) => void): readonly Trajectory[]
}

const id = z.unknown().superRefine((value, context) => {
  const message = idError(value)
  if (message !== undefined) context.addIssue({ code: 'custom', message: `is no id: it ${message}` })
})
const text = z.union([z.string(), z.looseObject({ text: z.string() }).transform(({ text }) => text)])
const FORM = '{"query_id": ID, "steps": [{"tool": NAME, "input": TEXT, "ids": [ID]}]}'

const step = z
  .strictObject({
    tool: z.string().min(1),
    input: z
      .unknown()
      .default('')
      .transform((value) => (typeof value === 'string' ? value : JSON.stringify(value ?? ''))),
    ids: z.array(id.transform(String)).optional(),
    contexts: z.array(text).optional(),
    tokens: z.int().min(0).optional(),
    ms: z.number().min(0).optional(),
  })
  .refine(
    ({ ids, contexts }) => (ids === undefined) !== (contexts === undefined),
    'needs `ids` or `contexts`, one of them; `"ids": []` is a call that found nothing',
  )

const record = z.strictObject({
  query_id: id.transform(String),
  steps: z.array(step),
  answer: z.string().nullish(),
})

const FORMATS: readonly TrajectoryFormat[] = [
  {
    name: 'steps',
    summary: `JSON Lines, one question a line: ${FORM}`,
    detect: (value) => 'steps' in value || 'query_id' in value,
    read: (lines, wrong) =>
      lines.flatMap(({ value, line }) => {
        const { data, error } = record.safeParse(value)
        if (data) return [{ query: data.query_id, steps: data.steps as TrajectoryStep[], line }]
        for (const issue of error.issues.slice(0, 3)) wrong(fieldComplaint(issue, value, KEYS), line)
        return []
      }),
  },
  {
    name: 'spans',
    summary: 'OTLP/JSON: retrieval spans of OpenTelemetry GenAI or OpenInference, one trace a question',
    detect: (value) => 'resourceSpans' in value,
    read: readSpans,
  },
]

const KEYS = ['query_id', 'steps', 'answer', 'tool', 'input', 'ids', 'contexts', 'tokens', 'ms']

/** Trajectories of a file, by question. Throws a UserError with the first errors of each kind. */
export function readTrajectories(file: string): ReadonlyMap<string, Trajectory> {
  const lines: JsonLine[] = []
  let format: TrajectoryFormat | undefined
  const trajectories = new Map<string, Trajectory>()
  const content = readPlainOrGzip(file, 'trajectories')
  eachJsonLine(file, content, (value, wrong, line) => {
    const is = isMap(value) ? FORMATS.find((row) => row.detect(value)) : undefined
    format ??= is
    if (!is || is !== format || !isMap(value))
      wrong(`is no trajectory; a line is ${FORM}, or an export of OTLP/JSON ({"resourceSpans": [...]})`)
    else lines.push({ value, line })
  })
  if (!format) throw new UserError({ file, message: 'holds no trajectories' })
  const diagnostics: { file: string; line: number; message: string }[] = []
  for (const trajectory of format.read(lines, (message, line) => diagnostics.push({ file, line, message }))) {
    const { query, line } = trajectory
    const earlier = trajectories.get(query)
    if (earlier)
      diagnostics.push({ file, line, message: `repeats the query \`${query}\` of line ${earlier.line}` })
    else trajectories.set(query, trajectory)
  }
  if (diagnostics.length > 0) throw new UserError(fewOfEachKind(diagnostics))
  return trajectories
}

/**
 * Traces of OTLP/JSON, one question each. A step is a span with retrieved documents, in order of its start:
 *
 *     OpenTelemetry GenAI  gen_ai.operation.name: retrieval; gen_ai.retrieval.documents: [{id, content}], gen_ai.retrieval.query.text
 *     OpenInference        openinference.span.kind: RETRIEVER; retrieval.documents.N.document.id and .content, input.value
 *
 * The question is the attribute `query_id` of any span of the trace.
 */
export function readSpans(
  lines: readonly JsonLine[],
  wrong: (message: string, line: number) => void,
): Trajectory[] {
  const traces = new Map<string, Span[]>()
  for (const { value, line } of lines)
    for (const span of spansOf(value, line)) addTo(traces, span.trace, span)
  return [...traces].flatMap(([trace, spans]): Trajectory[] => {
    const { line } = spans[0]
    const query = spans.find(({ attributes }) => attributes.query_id !== undefined)?.attributes.query_id
    if (query === undefined) {
      wrong(`no span of the trace ${trace} has the attribute \`query_id\`, the id of its question`, line)
      return []
    }
    const retrievals = spans.filter(isRetrieval).sort((a, b) => Number(a.start - b.start))
    const steps = retrievals.flatMap((span): TrajectoryStep[] => {
      const documents = documentsOf(span)
      if (typeof documents === 'object') return [{ ...headOf(span), ...documents }]
      wrong(`the span \`${span.name}\` ${documents}`, span.line)
      return []
    })
    return [{ query: String(query), steps, line }]
  })
}

interface Span {
  readonly trace: string
  readonly name: string
  /** Nanoseconds. */
  readonly start: bigint
  readonly end: bigint
  readonly attributes: Readonly<Record<string, unknown>>
  readonly line: number
}

const listOf = (value: unknown): readonly Record<string, unknown>[] =>
  Array.isArray(value) ? value.filter(isMap) : []

function spansOf(value: Record<string, unknown>, line: number): Span[] {
  return listOf(value.resourceSpans).flatMap(({ scopeSpans }) =>
    listOf(scopeSpans).flatMap(({ spans }) =>
      listOf(spans).map(({ traceId, name, startTimeUnixNano, endTimeUnixNano, attributes }) => ({
        trace: String(traceId),
        name: String(name),
        start: nanoseconds(startTimeUnixNano),
        end: nanoseconds(endTimeUnixNano),
        attributes: mapOf(attributes),
        line,
      })),
    ),
  )
}

function nanoseconds(value: unknown): bigint {
  return /^\d+$/.test(String(value)) ? BigInt(String(value)) : 0n
}

function mapOf(pairs: unknown): Record<string, unknown> {
  return Object.fromEntries(listOf(pairs).map(({ key, value }) => [String(key), plain(value)]))
}

/** Plain value of OTLP's `AnyValue`. */
function plain(value: unknown): unknown {
  if (!isMap(value)) return undefined
  const { arrayValue, kvlistValue } = value
  if (isMap(arrayValue)) return listOf(arrayValue.values).map(plain)
  if (isMap(kvlistValue)) return mapOf(kvlistValue.values)
  return value.stringValue ?? value.intValue ?? value.doubleValue ?? value.boolValue
}

function isRetrieval({ attributes }: Span): boolean {
  return (
    attributes['gen_ai.operation.name'] === 'retrieval' ||
    attributes['gen_ai.retrieval.documents'] !== undefined ||
    attributes['openinference.span.kind'] === 'RETRIEVER'
  )
}

function headOf({ name, start, end, attributes }: Span) {
  return {
    tool: String(attributes['gen_ai.data_source.id'] ?? name),
    input: String(attributes['gen_ai.retrieval.query.text'] ?? attributes['input.value'] ?? ''),
    ms: Math.max(0, Number(end - start) / 1e6),
  }
}

/** Ids of a span's documents, or their texts if some have no id; a text says what the span lacks. */
function documentsOf({ attributes }: Span): Pick<TrajectoryStep, 'ids' | 'contexts'> | string {
  const recorded = attributes['gen_ai.retrieval.documents']
  const listed = typeof recorded === 'string' ? { value: undefined, ...parseJson(recorded) }.value : recorded
  const isOpenInference = attributes['openinference.span.kind'] === 'RETRIEVER'
  if (!Array.isArray(listed) && !isOpenInference)
    return 'has no `gen_ai.retrieval.documents`: turn on the capture of content; `[]` is a call that found nothing'
  const documents = Array.isArray(listed)
    ? listed.map((document) => (isMap(document) ? document : {}))
    : numbered(attributes)
  const ids = documents.flatMap(({ id }) =>
    typeof id === 'string' || typeof id === 'number' ? [String(id)] : [],
  )
  if (ids.length === documents.length) return { ids }
  const contexts = documents.flatMap(({ content }) => (typeof content === 'string' ? [content] : []))
  if (contexts.length === documents.length) return { contexts }
  const lacking = (values: readonly string[]) => `${documents.length - values.length} of ${documents.length}`
  return `has documents without \`id\` (${lacking(ids)}) and without \`content\` (${lacking(contexts)}); record either for all of them`
}

/** Documents of `retrieval.documents.0.document.id`, `.content` and so on, in order of their numbers. */
function numbered(attributes: Span['attributes']): Record<string, unknown>[] {
  const documents: Record<string, unknown>[] = []
  for (const [key, value] of Object.entries(attributes)) {
    const [, place, field] = /^retrieval\.documents\.(\d{1,5})\.document\.(\w+)$/.exec(key) ?? []
    if (place !== undefined) documents[Number(place)] = { ...documents[Number(place)], [field]: value }
  }
  return documents.filter(isMap)
}
