import { join } from 'node:path'
import { citationsOf, suggestionOf } from '../../answer/citations.ts'
import { ANSWER_MEASURES, type JudgedAnswer } from '../../answer/measures.ts'
import type { Answering } from '../../config/experiment.ts'
import { createWordCodes } from '../../maps.ts'
import type { ParquetColumn } from '../../tables/column.ts'
import { writeTable } from '../../tables/parquet.ts'

/** One query's answer in a row. */
export interface GivenAnswer extends JudgedAnswer {
  /** With citations. */
  readonly written: string
  /** Chunk of each passage; '' for evidence and for a document of several chunks. */
  readonly chunks: readonly string[]
  /** Tokens of the context. */
  readonly sent: number
  readonly modelCalls: number
  readonly inputTokens: number
  readonly outputTokens: number
  /** NaN if a model has no known price. */
  readonly dollars: number
  /** As another system recorded. */
  readonly seconds?: number
  /** True if a server did not count tokens. */
  readonly estimated: boolean
  /** Completions cut at `maxTokens`. */
  readonly cut: number
  readonly failure: string | null
}

/** One answerer's answers over one trial, by query. */
export interface AnswerRow {
  readonly answering: Answering
  /** Index; null for closed-book answers. */
  readonly trial: number | null
  readonly answers: readonly GivenAnswer[]
  /** Keyed by measure or judge; by query, NaN if it does not count. */
  readonly values: Map<string, Float64Array>
  /** Keyed by judge; by query, '' without one. */
  readonly reasons: Map<string, readonly string[]>
}

/** Row with the measures that need no model. */
export function measured(row: Pick<AnswerRow, 'answering' | 'trial' | 'answers'>): AnswerRow {
  const { answering, trial, answers } = row
  const values = ANSWER_MEASURES.map(
    ({ name, value }) => [name, Float64Array.from(answers, (answer) => value(answer))] as const,
  )
  return { answering, trial, answers, values: new Map(values), reasons: new Map() }
}

export interface Judged {
  readonly name: string
  readonly counters: Readonly<Record<string, number>>
  /** Answers without a verdict. `row`: null for a labelled answer. */
  readonly failures: readonly {
    readonly row: AnswerRow | null
    readonly query: number
    readonly message: string
  }[]
  /** Null without labelled answers. */
  readonly labelled: readonly { readonly value: number; readonly label: number }[] | null
}

/** Writes `citations.parquet`, one row per cited passage, and `reasons.parquet`, one row per verdict with reasons. */
export function writeReasons(folder: string, rows: readonly AnswerRow[]): void {
  const cited = rows.flatMap((row) =>
    row.answers.flatMap(({ written, passages, chunks }, query) => {
      const { cited, wrong } = citationsOf(written, passages.length)
      return [...cited, ...wrong].map((number) => {
        const chunk = chunks[number - 1] ?? ''
        return { row, query, number, chunk, text: chunk === '' ? (passages[number - 1] ?? '') : '' }
      })
    }),
  )
  const judges = [...(rows[0]?.reasons.keys() ?? [])]
  const given = judges.flatMap((judge) =>
    rows.flatMap((row) =>
      (row.reasons.get(judge) ?? []).flatMap((text, query) =>
        text === '' ? [] : [{ row, query, judge, text }],
      ),
    ),
  )
  writeTable(join(folder, 'citations.parquet'), [
    ...ofAnswers(cited),
    { name: 'number', type: 'int32', values: Int32Array.from(cited, ({ number }) => number) },
    { name: 'chunk', type: 'string', values: cited.map(({ chunk }) => chunk) },
    { name: 'text', type: 'string', values: cited.map(({ text }) => text) },
  ])
  writeTable(join(folder, 'reasons.parquet'), [
    ...ofAnswers(given),
    { name: 'judge', type: 'string', values: given.map(({ judge }) => judge) },
    { name: 'text', type: 'string', values: given.map(({ text }) => text) },
  ])
}

function ofAnswers(rows: readonly { readonly row: AnswerRow; readonly query: number }[]): ParquetColumn[] {
  return [
    { name: 'trial', type: 'int32', values: Int32Array.from(rows, ({ row }) => row.trial ?? -1) },
    { name: 'answerer', type: 'string', values: rows.map(({ row }) => row.answering.name) },
    { name: 'query', type: 'int32', values: Int32Array.from(rows, ({ query }) => query) },
  ]
}

/**
 * Writes `answers.parquet`: one row per (answerer, trial, query). `trial` is -1 for closed-book answers; one column per
 * measure and judge, NaN if a query does not count.
 */
export function writeAnswers(folder: string, rows: readonly AnswerRow[]): void {
  const all = rows.flatMap(({ answering, trial, answers }) =>
    answers.map((answer, query) => ({ answering, trial: trial ?? -1, query, answer })),
  )
  const names = createWordCodes()
  const numbers = (of: (row: (typeof all)[number]) => number) => Int32Array.from(all, of)
  const texts = (of: (answer: GivenAnswer) => string) => all.map(({ answer }) => of(answer))
  writeTable(join(folder, 'answers.parquet'), [
    { name: 'trial', type: 'int32', values: numbers(({ trial }) => trial) },
    {
      name: 'answerer',
      type: 'words',
      codes: numbers(({ answering }) => names.codeOf(answering.name)),
      words: names.words,
    },
    { name: 'query', type: 'int32', values: numbers(({ query }) => query) },
    { name: 'answer', type: 'string', values: texts(({ written }) => written) },
    { name: 'refused', type: 'boolean', values: all.map(({ answer }) => answer.refused) },
    { name: 'suggestion', type: 'string', values: texts(({ written }) => suggestionOf(written) ?? '') },
    { name: 'cited', type: 'string', values: texts(({ cited }) => cited.join(' ')) },
    { name: 'passages', type: 'int32', values: numbers(({ answer }) => answer.passages.length) },
    { name: 'sent', type: 'int32', values: numbers(({ answer }) => answer.sent) },
    { name: 'model_calls', type: 'int32', values: numbers(({ answer }) => answer.modelCalls) },
    { name: 'input_tokens', type: 'int32', values: numbers(({ answer }) => answer.inputTokens) },
    { name: 'output_tokens', type: 'int32', values: numbers(({ answer }) => answer.outputTokens) },
    { name: 'cost_usd', type: 'number', values: Float64Array.from(all, ({ answer }) => answer.dollars) },
    ...(all.some(({ answer }) => answer.seconds !== undefined)
      ? [
          {
            name: 'latency_s',
            type: 'number' as const,
            values: Float64Array.from(all, ({ answer }) => answer.seconds ?? Number.NaN),
          },
        ]
      : []),
    { name: 'tokens_estimated', type: 'boolean', values: all.map(({ answer }) => answer.estimated) },
    { name: 'cut', type: 'int32', values: numbers(({ answer }) => answer.cut) },
    { name: 'failure', type: 'string', values: texts(({ failure }) => failure ?? '') },
    ...[...(rows[0]?.values.keys() ?? [])].map((name) => ({
      name,
      type: 'number' as const,
      values: Float64Array.from(rows.flatMap(({ values }) => [...(values.get(name) ?? [])])),
    })),
  ])
}
