import type { Judgeable, JudgeScore, Preference } from '../../answer/judges/define.ts'
import { judges } from '../../answer/judges/index.ts'
import { readLabels } from '../../answer/judges/labels.ts'
import type { Judging } from '../../config/experiment.ts'
import { chatModel } from '../../corpus/chat-model.ts'
import { embedder } from '../../corpus/dense/embeddings.ts'
import { UserError } from '../../errors.ts'
import type { CachedModel } from '../../models/completions/cached-model.ts'
import { type GivenCompletion, together, withChat } from '../../models/completions/chat.ts'
import type { EmbedderChoice } from '../../models/embedder-choice.ts'
import { resolve } from '../../registry.ts'
import { messageOf } from '../../retrieve/run-step.ts'
import { wasStopped } from '../../stopping.ts'
import { trialIndex } from '../plan/compile.ts'
import type { OpenExperiment } from '../plan/open.ts'
import { OverBudget } from '../plan/spending.ts'
import { requireKeys, watchModels } from '../plan/watched-models.ts'
import type { Session } from '../shard/session.ts'
import type { AnsweringOptions } from './answer-questions.ts'
import type { AnswerRow } from './answer-row.ts'
import { keepRecording } from './keep-recording.ts'

/** Scores of one judge for every answer. */
export interface JudgeScores {
  readonly judging: Judging
  /** Scores by query; NaN if the answer does not count, or there is no score. */
  readonly values: ReadonlyMap<AnswerRow, Float64Array>
  /** Preferences between two answers, in any order. */
  readonly preferences: readonly Preference[]
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

/**
 * Has every judge of the config judge every answer, in this thread; adds what models said to `answers.jsonl`. Null where
 * it was interrupted. Throws as `answerQuestions` does.
 */
export async function judgeAnswers(
  session: Session,
  open: OpenExperiment,
  rows: readonly AnswerRow[],
  { signal, progress, spending }: AnsweringOptions,
): Promise<readonly JudgeScores[] | null> {
  const { trials, queries, store, folder } = session
  const { judging, compare, modelLocations } = open.experiment
  const models = new Map<string, CachedModel>()
  const watch = watchModels({
    ...{ signal, progress, spending },
    begin: async () => requireKeys([...models.values()], modelLocations),
  })
  const baseline = trialIndex(trials, compare.baseline)
  const total = judging.length * rows.length * queries.length
  let done = 0

  async function judgeAll(one: Judging): Promise<JudgeScores> {
    const { definition, params } = resolve(judges, one.choice)
    const { recipe } = trials[0].ranking
    let model: CachedModel | undefined
    if (typeof params.model === 'string') {
      const opened = await store.open(chatModel(recipe, params.model))
      models.set(params.model, opened)
      model = watch.watched(opened)
    }
    const vectors =
      definition.embeds &&
      embedder(recipe, (params.embedder as unknown as EmbedderChoice | undefined) ?? recipe.embedder, 'query')
    if (vectors) await store.prepare(vectors, progress)
    const embed = vectors && (await store.open(vectors)).embed
    const taken: GivenCompletion[] = []
    const preferences: Preference[] = []

    /** A verdict's value, or why there is none. */
    async function judgeOne(answer: Judgeable): Promise<{ value: number; failure?: string }> {
      try {
        const ask = (chat?: Parameters<typeof definition.judge>[2]['chat']) =>
          definition.judge(answer, params, { chat, embed })
        const verdict = model ? (await withChat<JudgeScore>(model, ask, taken)).value : await ask()
        if (typeof verdict === 'number') return { value: verdict }
        preferences.push(verdict)
        return { value: verdict.value }
      } catch (error) {
        watch.throwIfEnded()
        if (error instanceof UserError) throw error
        return { value: Number.NaN, failure: messageOf(error) }
      }
    }

    const values = new Map<AnswerRow, Float64Array>()
    const failures: JudgeScores['failures'][number][] = []
    for (const row of rows) {
      const column = new Float64Array(queries.length).fill(Number.NaN)
      const against = baselineOf(row, rows, baseline)
      for (let from = 0; from < queries.length; from += BLOCK) {
        const block = row.answers.slice(from, from + BLOCK)
        const verdicts = await together(block, (answer, at) =>
          judgeOne({
            ...answer,
            question: queries[from + at].text,
            failed: answer.failure !== null,
            against: against && against !== row ? against.answers[from + at].text : null,
          }),
        )
        watch.throwIfEnded()
        verdicts.forEach(({ value, failure }, at) => {
          column[from + at] = value
          if (failure !== undefined) failures.push({ row, query: from + at, message: failure })
        })
        done += block.length
        progress('judging answers', done, total)
      }
      values.set(row, column)
    }

    const examples = typeof params.labels === 'string' ? readLabels(params.labels) : null
    const labelled =
      examples &&
      (await together(examples, async ({ answer, label }) => ({ ...(await judgeOne(answer)), label })))
    labelled?.forEach(({ failure }, at) => {
      if (failure !== undefined) failures.push({ row: null, query: at, message: failure })
    })
    return { judging: one, values, preferences, failures, taken, labelled }
  }

  try {
    const judged: JudgeScores[] = []
    for (const one of judging) judged.push(await judgeAll(one))
    watch.keepFailures()
    keepRecording(folder, watch.completions.values())
    return judged
  } catch (error) {
    if (wasStopped(signal)) return null
    if (!(error instanceof OverBudget)) throw error
    throw new OverBudget(
      `${error.message}; left undone: ${total - done} of ${total} verdicts on answers. Completions are stored: run the same command with a higher \`budget\` to continue`,
    )
  }
}

/** Row of the same answerer over the baseline trial; for a closed-book answerer, the first answerer's row. */
function baselineOf(
  { answering, trial }: AnswerRow,
  rows: readonly AnswerRow[],
  baseline: number,
): AnswerRow | undefined {
  return rows.find((row) => row.trial === baseline && (trial === null || row.answering === answering))
}
