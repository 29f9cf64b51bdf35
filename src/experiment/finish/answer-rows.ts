import { join } from 'node:path'
import { citationsOf, suggestionOf } from '../../answer/citations.ts'
import { ANSWER_MEASURES, type JudgedAnswer } from '../../answer/measures.ts'
import type { NamedChoice } from '../../config/experiment.ts'
import { columnsOf, number } from '../../tables/column.ts'
import { writeTable } from '../../tables/parquet.ts'

/** One query's answer in a row. */
export interface GivenAnswer extends JudgedAnswer {
  readonly written: string
  readonly chunks: readonly string[]
  readonly sent: number
  readonly modelCalls: number
  readonly inputTokens: number
  readonly outputTokens: number
  /** NaN if a model has no known price. */
  readonly dollars: number
  readonly seconds?: number
  /** True if a server did not count tokens. */
  readonly estimated: boolean
  /** Completions cut at `maxTokens`. */
  readonly cut: number
  readonly failure: string | null
}

/** One answerer's answers over one trial, by query. */
export interface AnswerRow {
  readonly answering: NamedChoice
  readonly trial: number | null
  readonly answers: readonly GivenAnswer[]
  /** Keyed by measure or judge; by query, NaN if it does not count. */
  readonly values: Map<string, Float64Array>
  readonly reasons: Map<string, readonly string[]>
}

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
  readonly labelled: readonly { readonly value: number; readonly label: number }[] | null
}

const ABOUT = { trial: 'int32', answerer: 'string', query: 'int32' } as const

function aboutOf({ trial, answering }: AnswerRow, query: number) {
  return { trial: trial ?? -1, answerer: answering.name, query }
}

/** Writes `citations.parquet`, one row per cited passage, and `reasons.parquet`, one row per verdict with reasons. */
export function writeReasons(folder: string, rows: readonly AnswerRow[]): void {
  const cited = rows.flatMap((row) =>
    row.answers.flatMap(({ written, passages, chunks }, query) => {
      const { cited, wrong } = citationsOf(written, passages.length)
      return [...cited, ...wrong].map((number) => {
        const chunk = chunks[number - 1] ?? ''
        const text = chunk === '' ? (passages[number - 1] ?? '') : ''
        return { ...aboutOf(row, query), number, chunk, text }
      })
    }),
  )
  const judges = [...(rows[0]?.reasons.keys() ?? [])]
  const reasonRows = judges.flatMap((judge) =>
    rows.flatMap((row) =>
      (row.reasons.get(judge) ?? []).flatMap((text, query) =>
        text === '' ? [] : [{ ...aboutOf(row, query), judge, text }],
      ),
    ),
  )
  writeTable(
    join(folder, 'citations.parquet'),
    columnsOf(cited, { ...ABOUT, number: 'int32', chunk: 'string', text: 'string' }),
  )
  writeTable(
    join(folder, 'reasons.parquet'),
    columnsOf(reasonRows, { ...ABOUT, judge: 'string', text: 'string' }),
  )
}

/**
 * Writes `answers.parquet`: one row per (answerer, trial, query). `trial` is -1 for closed-book answers; one column per
 * measure and judge, NaN if a query does not count.
 */
export function writeAnswers(folder: string, rows: readonly AnswerRow[]): void {
  const all = rows.flatMap((row) =>
    row.answers.map((answer, query) => ({
      ...aboutOf(row, query),
      answer: answer.written,
      refused: answer.refused,
      suggestion: suggestionOf(answer.written) ?? '',
      cited: answer.cited.join(' '),
      passages: answer.passages.length,
      sent: answer.sent,
      model_calls: answer.modelCalls,
      input_tokens: answer.inputTokens,
      output_tokens: answer.outputTokens,
      cost_usd: answer.dollars,
      latency_s: answer.seconds ?? Number.NaN,
      tokens_estimated: answer.estimated,
      cut: answer.cut,
      failure: answer.failure ?? '',
    })),
  )
  const isTimed = all.some(({ latency_s }) => !Number.isNaN(latency_s))
  const columns = columnsOf(all, {
    trial: 'int32',
    answerer: 'words',
    query: 'int32',
    answer: 'string',
    refused: 'boolean',
    suggestion: 'string',
    cited: 'string',
    passages: 'int32',
    sent: 'int32',
    model_calls: 'int32',
    input_tokens: 'int32',
    output_tokens: 'int32',
    cost_usd: 'number',
    ...(isTimed && { latency_s: 'number' as const }),
    tokens_estimated: 'boolean',
    cut: 'int32',
    failure: 'string',
  })
  const measures = [...(rows[0]?.values.keys() ?? [])].map((name) => {
    const values = rows.flatMap((row) => [...(row.values.get(name) ?? [])])
    return number(name, Float64Array.from(values))
  })
  writeTable(join(folder, 'answers.parquet'), [...columns, ...measures])
}
