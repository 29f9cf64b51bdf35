import { z } from 'zod'
import { fewOfEachKind, UserError } from '../errors.ts'
import { readPlainOrGzip } from '../store/input.ts'
import { eachJsonLine } from '../store/json-lines.ts'
import { idError } from '../text/ids.ts'
import { isMap } from '../text/json.ts'
import { fieldComplaint } from '../text/schema-words.ts'
import { readSpans } from './spans.ts'
import type { JsonLine, Trajectory, TrajectoryStep } from './types.ts'

interface TrajectoryFormat {
  readonly name: string
  readonly summary: string
  /** True if a line's object is of this format. */
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
