import type { JudgeScore } from '../../answer/judges/lines.ts'
import type { Judgeable } from '../../answer/measures.ts'
import type { judgeStep } from '../../answer/steps.ts'
import type { ChatOutcome } from '../../models/completions/chat.ts'
import { runStep } from '../../retrieve/run-step.ts'
import { countCompletions } from '../../retrieve/steps/asking.ts'
import type { Store } from '../../store/store.ts'
import type { JudgedQuery, Progress } from '../../types.ts'
import type { AnswerRow, Judged } from './answer-row.ts'

const BLOCK = 64

interface JudgeOptions {
  readonly store: Store
  readonly queries: readonly JudgedQuery[]
  readonly progress: Progress
  /** May throw. */
  readonly after: () => void
}

/** Adds a judge's values and reasons to rows. `count` receives the number of new verdicts. */
export async function judgeRows(
  { name, step, labels, artifacts }: { readonly name: string } & ReturnType<typeof judgeStep>,
  rows: readonly AnswerRow[],
  { store, queries, progress, after }: JudgeOptions,
  count: (verdicts: number) => void,
): Promise<Judged> {
  const { model, vectors } = artifacts
  if (vectors) await store.prepare(vectors, progress)
  const opened = {
    ...(model && { model: await store.open(model) }),
    ...(vectors && { vectors: await store.open(vectors) }),
  }
  const counters: Record<string, number> = {}
  const failures: Judged['failures'][number][] = []

  async function judge(answers: readonly Judgeable[], row: AnswerRow | null, from: number) {
    const block = answers.map((answer) => [answer])
    const ids = answers.map(({ question }) => question)
    const outcomes = await runStep(step, { params: null, artifacts: opened }, block, ids).finally(after)
    return outcomes.map((outcome, at) => {
      const scored = 'value' in outcome ? (outcome.value as ChatOutcome<JudgeScore>) : null
      const counts = scored ? countCompletions(scored.completions) : 'failure' in outcome && outcome.counts
      for (const [counter, amount] of Object.entries(counts || {}))
        counters[counter] = (counters[counter] ?? 0) + amount
      if ('failure' in outcome) failures.push({ row, query: from + at, message: outcome.failure.message })
      const value = scored?.value ?? Number.NaN
      return typeof value === 'number' ? { value, reason: '' } : value
    })
  }

  for (const row of rows) {
    const column = new Float64Array(queries.length)
    const reasons: string[] = []
    for (let from = 0; from < queries.length; from += BLOCK) {
      const answers = row.answers
        .slice(from, from + BLOCK)
        .map((answer, at) => ({
          ...answer,
          question: queries[from + at].text,
          failed: answer.failure !== null,
        }))
      const verdicts = await judge(answers, row, from)
      verdicts.forEach(({ value }, at) => {
        column[from + at] = value
      })
      reasons.push(...verdicts.map(({ reason }) => reason))
      count(verdicts.length)
    }
    row.values.set(name, column)
    row.reasons.set(name, reasons)
  }
  const values =
    labels &&
    (await judge(
      labels.map(({ answer }) => answer),
      null,
      0,
    ))
  const labelled = values && labels.map(({ label }, at) => ({ value: values[at].value, label }))
  return { name, counters, failures, labelled }
}
