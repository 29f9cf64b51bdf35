import { z } from 'zod'
import { headingPath } from '../text/headings.ts'
import { withoutMarks } from '../text/passage-marks.ts'
import { countTokens, cutTokens } from '../text/tokens.ts'
import type { Chunk, Evidence } from '../types.ts'

/** Piece of the context, numbered in the prompt from 1. */
export interface Passage {
  /** Title, headings, or the kind of evidence; may be empty. */
  readonly heading: string
  readonly text: string
  /** Rows of its chunks; none for evidence. */
  readonly rows: readonly number[]
}

export interface AnswerContext {
  readonly passages: readonly Passage[]
  /** o200k tokens of all headings and texts. */
  readonly tokens: number
}

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
  /** Metadata field with a summary, which precedes the text. */
  readonly summary?: string
}

export function contextParamsOf(params: Readonly<Record<string, unknown>>, top: number): ContextParams {
  return { ...(params as unknown as ContextParams), top: (params.top as number | undefined) ?? top }
}

/** Chunks by row, and the rows of each document in the order of its text. */
export interface ContextCorpus {
  readonly chunks: readonly Chunk[]
  readonly rowsOf: (documentId: string) => readonly number[]
}

/**
 * The first `top` chunks, or their documents, then evidence, each once, up to `maxTokens`. The first piece that
 * does not fit ends the context; only a first piece is cut.
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
  const included: Passage[] = []
  let tokens = 0
  for (const passage of passages) {
    const cost = countTokens(`${passage.heading}\n${passage.text}`)
    if (tokens + cost > maxTokens) {
      if (included.length > 0) break
      const text = cutTokens(passage.text, maxTokens - countTokens(`${passage.heading}\n`))
      return { passages: [{ ...passage, text }], tokens: maxTokens }
    }
    included.push(passage)
    tokens += cost
  }
  return { passages: included, tokens }
}

/** Text of a document from its chunks, which may overlap. */
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

/** Text after the page and the summary in its chunk's metadata. */
function summarised({ metadata }: Chunk, field: string | undefined, text: string): string {
  if (field === undefined) return text
  const { [field]: summary, page } = metadata
  const head = typeof page === 'number' ? `Page ${page}` : 'Summary'
  if (typeof summary === 'string' && summary !== '') return `${head}: ${summary}\n\n${text}`
  return typeof page === 'number' ? `${head}\n\n${text}` : text
}

/** Context after the words about the user, between marks that these cannot close. */
export function userAndContext(userContext: string | undefined, context: string): string {
  if (userContext === undefined) return context
  return `<user-context>\n${withoutMarks(userContext)}\n</user-context>\n${context}`
}

/** Numbered passages between marks that they cannot close. */
export function contextText({ passages }: Pick<AnswerContext, 'passages'>): string {
  return textsAsContext(passages.map(passageText))
}

export function passageText({ heading, text }: Passage): string {
  return heading === '' ? text : `${heading}\n${text}`
}

export function textsAsContext(passages: readonly string[]): string {
  return passages
    .map((text, index) => `<passage number="${index + 1}">\n${withoutMarks(text)}\n</passage>`)
    .join('\n')
}
