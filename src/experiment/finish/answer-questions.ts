import { answerers } from '../../answer/answerers/index.ts'
import { citationsOf, isOnlyCitations, isRefusal, withoutCitations } from '../../answer/citations.ts'
import { type AnswerContext, assembleContext, passageText } from '../../answer/context.ts'
import { contextParamsOf } from '../../answer/define.ts'
import { chatModel } from '../../corpus/chat-model.ts'
import { UserError } from '../../errors.ts'
import type { CachedModel } from '../../models/completions/cached-model.ts'
import { type GivenCompletion, withChat } from '../../models/completions/chat.ts'
import { resolve } from '../../registry.ts'
import { createMemo } from '../../retrieve/evaluate.ts'
import { messageOf } from '../../retrieve/run-step.ts'
import { wasStopped } from '../../stopping.ts'
import type { Evidence, Progress, Ranking } from '../../types.ts'
import { contextCorpus } from '../context-corpus.ts'
import type { OpenExperiment } from '../plan/open.ts'
import { OverBudget, type Spending } from '../plan/spending.ts'
import { requireKeys, watchModels } from '../plan/watched-models.ts'
import type { Session } from '../shard/session.ts'
import type { AnswerRow, GivenAnswer } from './answer-row.ts'
import { keepRecording } from './keep-recording.ts'

export interface AnsweringOptions {
  readonly signal: AbortSignal
  readonly progress: Progress
  readonly clock: () => number
  readonly spending: Spending
}

/** Queries whose rankings are in memory at once. */
const BLOCK = 64

/**
 * Answers every query over each finalist's ranking, with each answerer of the config, in this thread; adds the
 * completions to `answers.jsonl`. Null if it was interrupted. Throws a UserError if the budget is used up, or a key
 * or a recorded completion is missing; completions stay stored.
 */
export async function answerQuestions(
  session: Session,
  open: OpenExperiment,
  finalists: readonly number[],
  { signal, progress, clock, spending }: AnsweringOptions,
): Promise<AnswerRow[] | null> {
  const { trials, queries, store, folder } = session
  const { answering, context, modelLocations } = open.experiment
  const models = new Map<string, CachedModel>()
  const watch = watchModels({
    ...{ signal, progress, spending },
    begin: async () => requireKeys([...models.values()], modelLocations),
  })
  const ways = await Promise.all(
    answering.map(async (way) => {
      const { definition, params } = resolve(answerers, way.choice)
      const { model } = params
      if (typeof model !== 'string') return { way, definition, params }
      const opened = await store.open(chatModel(trials[0].ranking.recipe, model))
      models.set(model, opened)
      return { way, definition, params, model: watch.watched(opened) }
    }),
  )

  const contextsOf = ({ definition }: (typeof ways)[number]) => (definition.closedBook ? 1 : finalists.length)
  const toAsk = ways.reduce((sum, way) => sum + (way.model ? contextsOf(way) * queries.length : 0), 0)
  let settled = 0

  async function answerOne(
    { definition, params, model }: (typeof ways)[number],
    query: number,
    sent: AnswerContext,
    gold: readonly boolean[] | null,
  ): Promise<GivenAnswer> {
    const { text, answers: references, answerable } = queries[query]
    const known = {
      ...{ references, answerable, gold, sent: sent.tokens },
      passages: sent.passages.map(passageText),
    }
    const taken: GivenCompletion[] = []
    try {
      const ask = (chat?: Parameters<typeof definition.answer>[3]) =>
        definition.answer(text, sent, params, chat)
      const written = model ? (await withChat(model, ask, taken)).value : await ask()
      if (model) settled++
      const { cited, wrong } = citationsOf(written, sent.passages.length)
      const took = tookAll(taken)
      if (isOnlyCitations(written))
        return {
          ...{ ...known, ...NONE, ...took, written },
          failure: 'the answer cites passages and says nothing',
        }
      return {
        ...{ ...known, written, text: withoutCitations(written), refused: isRefusal(written) },
        ...{ cited, wrong: wrong.length, ...took, failure: null },
      }
    } catch (error) {
      watch.throwIfEnded()
      if (error instanceof UserError) throw error
      if (model) settled++
      return { ...known, ...NONE, ...tookAll(taken), failure: messageOf(error) }
    }
  }

  async function answerTrial(place: number, tell: (done: number) => void): Promise<AnswerRow[]> {
    const trial = trials[place]
    const corpus = await contextCorpus(session.store, trial)
    const { labels, locator } = session.corpora[trial.recipe]
    const reading = ways.filter(({ definition }) => !definition.closedBook)
    const rows = reading.map(() => [] as GivenAnswer[])
    for (let from = 0; from < queries.length; from += BLOCK) {
      const block = queries.slice(from, from + BLOCK)
      const memo = createMemo(store, block, clock)
      const rankings = await memo.cells(trial.ranking)
      const beside = trial.evidence ? await memo.cells(trial.evidence) : []
      // Together: as many at once as the models take.
      const outcomes = await Promise.allSettled(
        reading.flatMap((way, index) =>
          block.map(async (_, at) => {
            const query = from + at
            const failure = rankings[at]?.failure ?? beside[at]?.failure
            const ranking = rankings[at]?.value as Ranking | undefined
            const evidence = (beside[at]?.value ?? []) as readonly Evidence[]
            const sent = failure
              ? { passages: [], tokens: 0 }
              : assembleContext(
                  ranking?.rows ?? [],
                  evidence,
                  corpus,
                  contextParamsOf(way.params, context.top),
                )
            if (failure && way.model) settled++
            const own = labels[query]
            const relevant = own.grades.some((grade) => grade > 0)
            const gold = relevant
              ? sent.passages.map(({ rows: held }) => {
                  const there = locator.holds(
                    { rows: Uint32Array.from(held), scores: new Float64Array(held.length) },
                    own,
                  )
                  return own.grades.some((grade, label) => grade > 0 && there[label] === 1)
                })
              : null
            const answer = failure
              ? { ...unanswered(queries[query]), gold, failure: `${failure.step}: ${failure.message}` }
              : await answerOne(way, query, sent, gold)
            rows[index][query] = answer
          }),
        ),
      )
      watch.throwIfEnded()
      for (const one of outcomes) if (one.status === 'rejected') throw one.reason
      tell(block.length)
    }
    return reading.map(({ way }, index) => ({ answering: way, trial: place, answers: rows[index] }))
  }

  async function closedBook(): Promise<AnswerRow[]> {
    const rows: AnswerRow[] = []
    for (const way of ways.filter(({ definition }) => definition.closedBook)) {
      const nothing = { passages: [], tokens: 0 }
      const outcomes = await Promise.allSettled(
        queries.map((_, query) => answerOne(way, query, nothing, null)),
      )
      watch.throwIfEnded()
      rows.push({
        ...{ answering: way.way, trial: null },
        answers: outcomes.map((one) => {
          if (one.status === 'rejected') throw one.reason
          return one.value
        }),
      })
    }
    return rows
  }

  try {
    const total = finalists.length * queries.length
    let done = 0
    const tell = (count: number) => {
      done += count
      progress('answers', done, total)
    }
    const rows: AnswerRow[] = await closedBook()
    for (const place of finalists) rows.push(...(await answerTrial(place, tell)))
    watch.keepFailures()
    keepRecording(folder, watch.completions.values())
    return rows
  } catch (error) {
    if (wasStopped(signal)) return null
    if (!(error instanceof OverBudget)) throw error
    throw new OverBudget(
      `${error.message}; left undone: ${toAsk - settled} of ${toAsk} answers to questions. Completions are stored: run the same command with a higher \`budget\` to continue`,
    )
  }
}

const NONE = {
  ...{ written: '', text: '', refused: false, cited: [], wrong: 0 },
  ...tookAll([]),
}

/** Totals over all calls for one answer, whether or not they succeeded. */
function tookAll(taken: readonly GivenCompletion[]) {
  const sum = (of: (given: GivenCompletion) => number) => taken.reduce((total, given) => total + of(given), 0)
  return {
    modelCalls: taken.length,
    ...{ inputTokens: sum(({ took }) => took.input), outputTokens: sum(({ took }) => took.output) },
    ...{ estimated: taken.some(({ took }) => took.estimated), cut: sum(({ cut }) => Number(cut)) },
  }
}

function unanswered({ answers, answerable }: Session['queries'][number]) {
  return { ...NONE, references: answers, answerable, passages: [], sent: 0 }
}
