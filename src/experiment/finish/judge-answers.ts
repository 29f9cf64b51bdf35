import { judges } from '../../answer/judges/index.ts'
import { readLabels } from '../../answer/judges/labels.ts'
import type { JudgeScore } from '../../answer/judges/lines.ts'
import type { Judgeable } from '../../answer/measures.ts'
import type { Judging } from '../../config/experiment.ts'
import { embedder } from '../../corpus/dense/embeddings.ts'
import { type GivenCompletion, together } from '../../models/completions/chat.ts'
import type { EmbedderChoice } from '../../models/embedder-choice.ts'
import { resolve } from '../../registry.ts'
import type { OpenExperiment } from '../plan/open.ts'
import type { Session } from '../shard/session.ts'
import type { AnswerRow } from './answer-row.ts'
import { type AnsweringOptions, type AskedModels, askForQuery, askModels } from './ask-models.ts'

/** Scores of one judge for every answer. */
export interface JudgeScores {
  readonly judging: Judging
  /** Scores by query; NaN if the answer does not count, or there is no score. */
  readonly values: ReadonlyMap<AnswerRow, Float64Array>
  /** Reasons by query, where a language model gave any. */
  readonly reasons: ReadonlyMap<AnswerRow, readonly string[]>
  /** Answers without a verdict, and why; `row`: null among the labelled ones. */
  readonly failures: readonly {
    readonly row: AnswerRow | null
    readonly query: number
    readonly message: string
  }[]
  readonly taken: readonly GivenCompletion[]
  /** Scores of labelled answers with their labels; null without labelled answers. */
  readonly labelled: readonly { readonly value: number; readonly label: number }[] | null
}

/** Answers that are judged at once. */
const BLOCK = 64

/** Judges every answer with each judge of the config. Null if it was interrupted. Throws as `askModels` does. */
export async function judgeAnswers(
  session: Session,
  open: OpenExperiment,
  rows: readonly AnswerRow[],
  options: AnsweringOptions,
): Promise<readonly JudgeScores[] | null> {
  const { judging } = open.experiment
  const total = judging.length * rows.length * session.queries.length
  let done = 0
  const progress = (count: number) => {
    done += count
    options.progress('judging answers', done, total)
  }
  async function judgeAll(models: AskedModels): Promise<JudgeScores[]> {
    const scores: JudgeScores[] = []
    for (const one of judging) {
      const judge = await openJudge(session, models, one, options)
      for (const row of rows) await judge.judgeRow(row, progress)
      scores.push(await judge.scores())
    }
    return scores
  }
  return askModels(session, open, options, judgeAll, () => `${total - done} of ${total} verdicts on answers`)
}

/** A judge that collects its scores, row after row. */
async function openJudge(
  { trials, queries, store }: Session,
  { open, watch }: AskedModels,
  judging: Judging,
  { progress }: AnsweringOptions,
) {
  const { definition, params } = resolve(judges, judging.choice)
  const { recipe } = trials[0].ranking
  const model = typeof params.model === 'string' ? await open(params.model) : undefined
  const vectors =
    definition.embeds &&
    embedder(recipe, (params.embedder as unknown as EmbedderChoice | undefined) ?? recipe.embedder, 'query')
  if (vectors) await store.prepare(vectors, progress)
  const embed = vectors && (await store.open(vectors)).embed
  const taken: GivenCompletion[] = []
  const values = new Map<AnswerRow, Float64Array>()
  const reasons = new Map<AnswerRow, string[]>()
  const failures: JudgeScores['failures'][number][] = []

  /** A score, NaN with the failure if there is none. */
  async function judgeOne(answer: Judgeable): Promise<{ value: number; reason?: string; failure?: string }> {
    const outcome = await askForQuery<JudgeScore>(watch, [model], (chat) =>
      definition.judge(answer, params, { chat, embed }),
    )
    taken.push(...outcome.completions)
    if ('failure' in outcome) return { value: Number.NaN, failure: outcome.failure }
    if (typeof outcome.value === 'number') return { value: outcome.value }
    return outcome.value
  }

  async function judgeRow(row: AnswerRow, tell: (count: number) => void) {
    const column = new Float64Array(queries.length).fill(Number.NaN)
    const given = new Array<string>(queries.length).fill('')
    for (let from = 0; from < queries.length; from += BLOCK) {
      const block = row.answers.slice(from, from + BLOCK)
      const scores = await together(block, (answer, at) =>
        judgeOne({ ...answer, question: queries[from + at].text, failed: answer.failure !== null }),
      ).finally(watch.throwIfEnded)
      scores.forEach(({ value, reason = '', failure }, at) => {
        column[from + at] = value
        given[from + at] = reason
        if (failure !== undefined) failures.push({ row, query: from + at, message: failure })
      })
      tell(block.length)
    }
    values.set(row, column)
    reasons.set(row, given)
  }

  /** Scores of all rows, after those of labelled answers. */
  async function scores(): Promise<JudgeScores> {
    const examples = typeof params.labels === 'string' ? readLabels(params.labels) : null
    const labelled =
      examples &&
      (await together(examples, async ({ answer, label }) => ({
        ...(await judgeOne(answer)),
        label,
      })).finally(watch.throwIfEnded))
    labelled?.forEach(({ failure }, at) => {
      if (failure !== undefined) failures.push({ row: null, query: at, message: failure })
    })
    return { judging, values, reasons, failures, taken, labelled }
  }

  return { judgeRow, scores }
}
