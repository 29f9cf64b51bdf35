import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { overlaps, relevantSpans } from '../dataset/collapse.ts'
import type { WithoutDocuments } from '../dataset/types.ts'
import { UserError } from '../errors.ts'
import { type OutputKind, requireOutputs } from '../store/output.ts'
import { makeFolder } from '../store/write.ts'
import type { Chunk } from '../types.ts'
import type { AnswerToQuestion } from './answer-one.ts'

export interface LoggedQuery {
  readonly trial: string
  readonly question: string
  readonly metadata?: Readonly<Record<string, unknown>>
  readonly chunks: readonly Chunk[]
  readonly retrieval: number
  readonly answer: AnswerToQuestion | null
}

const LOGS = ['evaluation', 'retrieval_metrics', 'generation_metrics'] as const

const LOG: OutputKind = {
  name: 'a log of ask',
  isOwn: (beginning) => /^\{"timestamp":"[^"]*","query_hash":"[0-9a-f]{16}",/.test(beginning),
}

/** Throws a UserError if a file has the name of a log but is none. */
export function requireLogs(folder: string): void {
  const names = LOGS.flatMap((name) => [
    `${name}.jsonl`,
    ...Array.from({ length: KEPT }, (_, older) => `${name}.jsonl.${older + 1}`),
  ])
  requireOutputs(names.map((name) => ({ path: join(folder, name), kind: LOG })))
}

/** Bytes of a log, and number of older files. */
const LARGEST = 10_000_000
const KEPT = 4

/**
 * Appends to `evaluation.jsonl`, `retrieval_metrics.jsonl` and `generation_metrics.jsonl`, times in seconds. A full file
 * becomes `NAME.1`, and so on. Gold is known only for questions of the dataset. Throws a UserError if the folder cannot
 * be written.
 */
export function logQuery(
  folder: string,
  { trial, question, metadata = {}, chunks, retrieval, answer }: LoggedQuery,
  dataset: WithoutDocuments,
  now: Date,
  largest = LARGEST,
): void {
  const query_hash = createHash('sha256').update(question).digest('hex').slice(0, 16)
  const timestamp = now.toISOString()
  const gold = goldAmong(chunks, question, dataset)
  const hit_rate = gold === null ? null : Number(gold.some(Boolean))
  const retrieval_time = retrieval / 1000
  const generation_time = answer && answer.milliseconds / 1000
  const lines = {
    evaluation: {
      timestamp,
      query_hash,
      query: question,
      trial,
      retrieval_time,
      hit_rate,
      generation_time,
      answer_length: answer?.text.length ?? null,
      ...(Object.keys(metadata).length > 0 && { params: metadata }),
    },
    retrieval_metrics: {
      timestamp,
      query_hash,
      trial,
      retrieval_time,
      hit_rate,
      context_precision: gold?.length ? contextPrecision(gold) : null,
      documents_retrieved: new Set(chunks.map(({ documentId }) => documentId)).size,
    },
    ...(answer && {
      generation_metrics: {
        timestamp,
        query_hash,
        trial,
        generation_time,
        model_used: answer.models.join(', ') || null,
        response_length: answer.text.length,
        refused: answer.refused,
        citations: answer.cited.length,
        input_tokens: answer.inputTokens,
        output_tokens: answer.outputTokens,
        kept: answer.kept,
      },
    }),
  }
  requireLogs(folder)
  try {
    makeFolder(folder)
    for (const [name, line] of Object.entries(lines))
      append(join(folder, `${name}.jsonl`), `${JSON.stringify(line)}\n`, largest)
  } catch (error) {
    throw new UserError(`cannot be written: ${(error as Error).message}`, folder)
  }
}

/** `context_precision` over the displayed units: mean precision at the ranks that hold gold. */
function contextPrecision(gold: readonly boolean[]): number {
  const precisions = gold
    .flatMap((isGold, at) => (isGold ? [1 + at] : []))
    .map((rank, before) => (before + 1) / rank)
  return precisions.reduce((sum, precision) => sum + precision, 0) / Math.max(1, precisions.length)
}

function goldAmong(
  chunks: readonly Chunk[],
  question: string,
  { queries, qrels, spans, judgedUnit }: WithoutDocuments,
): boolean[] | null {
  const id = queries.find(({ text }) => text === question)?.id
  if (id === undefined) return null
  if (judgedUnit === 'span') {
    const relevant = spans.has(id) ? relevantSpans(spans.get(id)) : undefined
    return relevant ? chunks.map((chunk) => relevant.some((span) => overlaps(chunk, span))) : null
  }
  const grades = qrels.get(id)
  const units = new Set(chunks.map((chunk) => (judgedUnit === 'chunk' ? chunk.id : chunk.documentId)))
  return grades ? [...units].map((unit) => (grades.get(unit) ?? 0) > 0) : null
}

function append(file: string, line: string, largest: number): void {
  if (existsSync(file) && statSync(file).size + Buffer.byteLength(line) > largest) {
    rmSync(`${file}.${KEPT}`, { force: true })
    for (let older = KEPT - 1; older > 0; older--)
      if (existsSync(`${file}.${older}`)) renameSync(`${file}.${older}`, `${file}.${older + 1}`)
    renameSync(file, `${file}.1`)
  }
  appendFileSync(file, line)
}
