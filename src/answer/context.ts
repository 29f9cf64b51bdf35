import { z } from 'zod'
import { headingPath } from '../text/headings.ts'
import { withoutMarks } from '../text/passage-marks.ts'
import { countTokens, cutTokens } from '../text/tokens.ts'
import type { Chunk, Evidence } from '../types.ts'

/** A piece of the context, as it is numbered in the prompt from 1. */
export interface Passage {
  /** Its title, headings, or the kind of evidence; may be empty. */
  readonly heading: string
  readonly text: string
  /** The chunk rows that it holds; none for evidence. */
  readonly rows: readonly number[]
}

/** Passages sent to an answerer, with their o200k tokens. */
export interface AnswerContext {
  readonly passages: readonly Passage[]
  /** o200k tokens of all headings and texts. */
  readonly tokens: number
}

/** Params of every answerer that reads a context. */
export const contextParams = {
  top: z
    .int()
    .min(1)
    .max(1000)
    .optional()
    .describe('number of sent chunks; default: `context.top` of the config'),
  context: z
    .enum(['chunks', 'documents'])
    .default('chunks')
    .describe('the chunks, or their whole documents, each once'),
  maxTokens: z
    .int()
    .min(1)
    .max(10_000_000)
    .default(6000)
    .describe('maximum tokens of the context; pieces stay whole'),
}

/** Param that describes the user to an answerer with a context. */
export const userParams = {
  userContext: z
    .string()
    .min(1)
    .max(10_000)
    .optional()
    .describe('description of the asker, placed before the context between marks: role, knowledge'),
}

export interface ContextParams extends z.output<z.ZodObject<typeof contextParams>> {
  readonly top: number
  /** Metadata field with a summary, which comes before the text. */
  readonly summary?: string
}

/** An answerer's params as the context needs them; `top` is the config's. */
export function contextParamsOf(params: Readonly<Record<string, unknown>>, top: number): ContextParams {
  return { ...(params as unknown as ContextParams), top: (params.top as number | undefined) ?? top }
}

/** The chunks of a corpus by row, and the rows of each document in the order of its text. */
export interface ContextCorpus {
  readonly chunks: readonly Chunk[]
  readonly rowsOf: (documentId: string) => readonly number[]
}

/**
 * Context of an answer: the first `top` chunks, or their documents, then evidence, each once, with its headings, up to
 * `maxTokens`. The first piece that does not fit ends it; only a first piece that is too long is cut.
 */
export function assembleContext(
  rows: ArrayLike<number>,
  evidence: readonly Evidence[],
  { chunks, rowsOf }: ContextCorpus,
  { top, context, maxTokens, summary }: ContextParams,
): AnswerContext {
  const first = Array.from(rows).slice(0, top)
  const passages: Passage[] =
    context === 'chunks'
      ? first.map((row) => ({
          heading: headingPath(chunks[row]),
          text: summarised(chunks[row], summary, chunks[row].text),
          rows: [row],
        }))
      : [...new Set(first.map((row) => chunks[row].documentId))].map((id) =>
          wholeDocument(rowsOf(id), chunks, summary),
        )
  for (const { kind, text } of evidence) passages.push({ heading: kind, text, rows: [] })
  const kept: Passage[] = []
  let tokens = 0
  for (const passage of passages) {
    const cost = countTokens(`${passage.heading}\n${passage.text}`)
    if (tokens + cost > maxTokens) {
      if (kept.length > 0) break
      const text = cutTokens(passage.text, maxTokens - countTokens(`${passage.heading}\n`))
      return { passages: [{ ...passage, text }], tokens: maxTokens }
    }
    kept.push(passage)
    tokens += cost
  }
  return { passages: kept, tokens }
}

/** A document's text, put together again from its chunks, which may overlap. */
function wholeDocument(rows: readonly number[], chunks: readonly Chunk[], summary?: string): Passage {
  let text = ''
  let end = 0
  for (const row of rows) {
    const chunk = chunks[row]
    if (chunk.end <= end) continue
    text += chunk.start < end ? chunk.text.slice(end - chunk.start) : `${text && '\n'}${chunk.text}`
    end = chunk.end
  }
  const [first] = rows
  if (first === undefined) return { heading: '', text, rows }
  return { heading: chunks[first].title, text: summarised(chunks[first], summary, text), rows }
}

/** A text behind the page and the summary in its chunk's metadata, if there is a field for summaries. */
function summarised({ metadata }: Chunk, field: string | undefined, text: string): string {
  if (field === undefined) return text
  const { [field]: summary, page } = metadata
  const head = typeof page === 'number' ? `Page ${page}` : 'Summary'
  if (typeof summary === 'string' && summary !== '') return `${head}: ${summary}\n\n${text}`
  return typeof page === 'number' ? `${head}\n\n${text}` : text
}

/** Context after the words about the user, if any, between marks that these words cannot close. */
export function userAndContext(userContext: string | undefined, context: string): string {
  if (userContext === undefined) return context
  return `<user-context>\n${withoutMarks(userContext)}\n</user-context>\n${context}`
}

/** The context as a prompt holds it: numbered passages between marks that end none of them early. */
export function contextText({ passages }: Pick<AnswerContext, 'passages'>): string {
  return textsAsContext(passages.map(passageText))
}

/** A passage as it is sent: its heading, where it has one, and its text. */
export function passageText({ heading, text }: Passage): string {
  return heading === '' ? text : `${heading}\n${text}`
}

export function textsAsContext(passages: readonly string[]): string {
  return passages
    .map((text, index) => `<passage number="${index + 1}">\n${withoutMarks(text)}\n</passage>`)
    .join('\n')
}
