import { z } from 'zod'
import { hashOf } from '../../store/hash.ts'
import { fieldComplaint } from '../../text/schema-words.ts'
import type { Json } from '../../types.ts'
import type { Completion, Message } from './chat-model.ts'

/** A completion of no use: its query fails and is counted, and others go on. */
export class BadCompletion extends Error {
  /** Counters of the calls that led to it. */
  counts?: Readonly<Record<string, number>>
}

/** No completion is stored, and none is requested: an estimate ends here. */
export class Unasked extends BadCompletion {}

/** Text of a completion. Throws a BadCompletion if the model refused, or wrote nothing but reasoning. */
export function requireText({
  text,
  finish,
  reasoning,
  failure,
}: Pick<Completion, 'text' | 'finish' | 'reasoning' | 'failure'>): string {
  if (finish === 'failed') throw new BadCompletion(`the request failed: ${failure}`)
  if (finish === 'refusal') throw new BadCompletion('the model refused to answer')
  if (reasoning !== undefined && text.trim() === '')
    throw new BadCompletion(
      finish === 'length'
        ? 'the model was cut in its reasoning, before an answer; raise `maxTokens` or lower `reasoningEffort`'
        : 'the model wrote reasoning and no answer',
    )
  return text
}

const LONGEST_REASON = 500

/**
 * Completion as JSON of a schema. Invalid JSON is asked for once more, with the reason; then a BadCompletion is
 * thrown. `ask` gets the messages after the first ones.
 */
export async function askJson<T>(
  ask: (further: readonly Message[]) => Promise<Completion>,
  schema: z.ZodType<T>,
): Promise<T> {
  const first = await ask([])
  const read = readJson(requireText(first), schema)
  if ('value' in read) return read.value
  const repaired = await ask([
    { role: 'assistant', content: first.text },
    {
      role: 'user',
      content: `That is not the JSON asked for: ${read.problem}\nAnswer again, with that JSON and nothing else.`,
    },
  ])
  const again = readJson(requireText(repaired), schema)
  if ('value' in again) return again.value
  const cut = repaired.finish === 'length' ? ' (cut at `maxTokens`)' : ''
  throw new BadCompletion(`the model gave no JSON of the form asked for, twice${cut}: ${again.problem}`)
}

/**
 * List that a server with a grammar ends after `most` items, as a small model repeats itself until it is cut.
 */
export function listOf<T extends z.ZodType>(item: T, most: number): z.ZodArray<T> {
  return z.array(item).meta({ maxItems: most })
}

export function jsonSchemaOf(schema: z.ZodType): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema)
  return rest as Json
}

/** JSON as models write it: bare, in a fence, or with words around it. */
export function readJson<T>(
  text: string,
  schema: z.ZodType<T>,
): { readonly value: T } | { readonly problem: string } {
  const fenced = text.split('```', 3)[1]?.replace(/^json/, '')
  const embraced = text.slice(text.search(/[[{]/), Math.max(text.lastIndexOf(']'), text.lastIndexOf('}')) + 1)
  let problem = 'there is no JSON in it'
  for (const candidate of [text, fenced, embraced]) {
    if (candidate === undefined) continue
    let value: unknown
    try {
      value = JSON.parse(candidate)
    } catch {
      continue
    }
    const checked = schema.safeParse(value)
    if (checked.success) return { value: checked.data }
    problem = checked.error.issues
      .map((issue) => fieldComplaint(issue, value))
      .join('; ')
      .slice(0, LONGEST_REASON)
  }
  return { problem }
}

/** SHA-256 of schemas as servers get them: part of the key of an artifact that a model writes. */
export function schemaHash(...schemas: readonly z.ZodType[]): string {
  return hashOf(schemas.map(jsonSchemaOf))
}
