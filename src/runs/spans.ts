import { addTo } from '../maps.ts'
import { isMap, parseJson } from '../text/json.ts'
import type { JsonLine, Trajectory, TrajectoryStep } from './types.ts'

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
