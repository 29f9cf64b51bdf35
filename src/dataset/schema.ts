import { z } from 'zod'
import { diagnosticsOf, UserError } from '../errors.ts'
import { isBlank, wellFormed } from '../text/characters.ts'
import { idError } from '../text/ids.ts'
import { isMap } from '../text/json.ts'
import { fieldComplaint } from '../text/schema-words.ts'
import type { Document, Json } from '../types.ts'
import type { DocumentRecord } from './format.ts'
import type { DataLocation, DatasetSink } from './sink.ts'

/** True for the words that pandas and spreadsheets write for missing values and failed formulas. */
export function isNan(text: string): boolean {
  return (
    text.length < 40 &&
    /^\s*(?:nan|NaN|<NA>|NaT|#N\/A|#REF!|#VALUE!|#DIV\/0!|#NAME\?|#NUM!|#NULL!)\s*$/.test(text)
  )
}

/** An id: a text, or a whole number, read as its digits. */
export const anId = z
  .custom<unknown>((value) => idError(value) === undefined, { error: ({ input }) => idError(input) ?? '' })
  .transform((value) => wellFormed(String(value)))

const wellText = z.string().transform(wellFormed)
const title = wellText.nullish().transform((value) => value ?? '')
const content = z
  .string()
  .refine((text) => !isNan(text), {
    error: ({ input }) =>
      `is \`${input}\`, which programs write for a missing value; leave it empty, or leave the record out`,
  })
  .transform(wellFormed)
const metadata = z
  .custom<Record<string, Json>>(
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
    { error: 'must be a map' },
  )
  .default({})

const documentSchema = z.object({ id: anId, title, text: content, metadata })
export const contextSchema = z.object({ title, text: content, metadata })

const questionSchema = z.object({
  id: anId,
  text: content.refine((text) => !isBlank(text), 'is empty; write the question, or remove it'),
  metadata,
  category: z
    .string()
    .min(1)
    .nullish()
    .transform((value) => value ?? null),
  answers: z.array(wellText).default([]),
  answerable: z.boolean().default(true),
  evidence: z.array(wellText).min(1).optional(),
})
export const querySchema = questionSchema.transform(({ evidence, ...query }) =>
  evidence ? { ...query, evidence } : query,
)

/**
 * Value that a schema gives. Throws a UserError with a message for each wrong field. `names`: names of fields in the file; `keys`:
 * allowed keys, for messages.
 */
export function parsed<T>(
  schema: z.ZodType<T>,
  value: unknown,
  names: Readonly<Record<string, string | undefined>> = {},
  keys: readonly string[] = [],
): T {
  const { data, error } = schema.safeParse(value)
  if (!error) return data
  const nameOf = (key: unknown) => names[String(key)] ?? key
  const named =
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [nameOf(key), inner]))
      : value
  throw new UserError(
    error.issues.map((issue) => {
      const [first, ...path] = issue.path
      const at = (first === undefined ? [] : [nameOf(first), ...path]) as typeof issue.path
      return { message: fieldComplaint({ ...issue, path: at }, named, keys) }
    }),
  )
}

/** Document of a record. Plain records need no schema, which would take a third of the time of loading. */
export function documentFrom(
  record: DocumentRecord,
  names?: Readonly<Record<string, string | undefined>>,
): Document {
  const { id, title, text, metadata } = record
  const isPlain = typeof id === 'string' && typeof title === 'string' && typeof text === 'string'
  if (!isPlain || !isMap(metadata) || idError(id) !== undefined || isNan(text))
    return parsed(documentSchema, record, names)
  return {
    id: wellFormed(id),
    title: wellFormed(title),
    text: wellFormed(text),
    metadata: metadata as Record<string, Json>,
  }
}

/** Calls `run`. A UserError of it becomes a diagnostic at the record's place. */
export function attempt(
  location: DataLocation,
  sink: Pick<DatasetSink, 'diagnostic'>,
  run: () => void,
): void {
  try {
    run()
  } catch (error) {
    for (const { file, message } of diagnosticsOf(error))
      sink.diagnostic(file === undefined ? { ...location, message } : { file, message })
  }
}
