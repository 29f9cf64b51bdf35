import type { AnsweringModel, Asking } from '../models/answers/answering.ts'
import { usageOf } from '../models/answers/cost.ts'
import type { Answered } from '../models/answers/question.ts'
import { BadAnswer } from '../models/chat/json.ts'
import { type Expression, expressionsOf, isSource } from '../retrieve/step.ts'
import type { Ledger } from './ledger.ts'
import type { OpenExperiment } from './open.ts'
import { askingsOf, walkAskings } from './walk-askings.ts'

/** What asking one model will take at most. */
export interface ForeseenModel {
  readonly model: string
  /** Answers that are there, and what they took. */
  readonly kept: { readonly answers: number; readonly tokens: number; readonly dollars: number | null }
  /** Questions that are certain to be asked. */
  readonly calls: number
  /** Calls beside them, where a model refuses or gives no JSON and all is asked again. */
  readonly spareCalls: number
  /** Of all of these. Estimated: no server has counted them yet. */
  readonly inputTokens: number
  /** By `maxTokens`; null where nothing limits an answer. */
  readonly outputTokens: number | null
  /** Null where a price or a limit is missing. */
  readonly dollars: number | null
}

export interface ForeseenAskings {
  readonly models: readonly ForeseenModel[]
  /** Steps of which more is asked than can be told now: what they read is answered or prepared first. */
  readonly open: readonly {
    readonly step: string
    readonly queries: number
    readonly after: 'answers' | 'prepare'
  }[]
}

type Row = { -readonly [K in keyof ForeseenModel]: ForeseenModel[K] }

/** Stands for an answer that nobody gave yet: the query goes no further. */
const UNASKED = 'is not answered yet'
/** Tokens of the words that ask for JSON once more. */
const REPAIR = 300

interface Options {
  readonly clock: () => number
  /** Counts the answers that are there. */
  readonly ledger?: Ledger
  /** Whether only what is prepared may be read, and nothing be embedded. */
  readonly preparedOnly: boolean
}

/**
 * What a run would still ask, without asking it: the steps that ask are run on the answers that are kept. A step counts
 * as asking once where its question is not answered; what it would ask by the answer, and what reads it, is not known yet.
 */
export async function foreseeAskings(
  open: OpenExperiment,
  { clock, ledger, preparedOnly }: Options,
): Promise<ForeseenAskings> {
  const rows = new Map<string, Row>()
  const seen = new Set<string>()
  const unknown = new Map<string, { step: string; after: 'answers' | 'prepare'; queries: Set<number> }>()

  function rowOf({ name }: AnsweringModel): Row {
    const row = rows.get(name) ?? {
      ...{ model: name, kept: { answers: 0, tokens: 0, dollars: 0 }, calls: 0, spareCalls: 0 },
      ...{ inputTokens: 0, outputTokens: 0, dollars: 0 },
    }
    rows.set(name, row)
    return row
  }

  function noteKept(model: AnsweringModel, answered: Answered): void {
    ledger?.note(answered, model.cost(answered))
    if (seen.has(answered.key)) return
    seen.add(answered.key)
    const row = rowOf(model)
    const { answers, tokens, dollars } = row.kept
    const { input, output } = usageOf(answered)
    row.kept = {
      answers: answers + 1,
      tokens: tokens + input + output,
      dollars: plus(dollars, model.cost(answered)),
    }
  }

  /** A call, once more for JSON that may be none, and the same of who is asked where this one refuses. */
  function noteUnasked(model: AnsweringModel, asking: Asking): void {
    for (let asked: AnsweringModel | undefined = model; asked; asked = asked.fallback) {
      const { key, input, output, dollars } = asked.foresee(asking)
      if (seen.has(key)) continue
      seen.add(key)
      const row = rowOf(asked)
      if (asked === model) row.calls++
      else row.spareCalls++
      row.inputTokens += input
      row.outputTokens = plus(row.outputTokens, output)
      row.dollars = plus(row.dollars, dollars)
      if (asking.schema === undefined) continue
      const content = 'x '.repeat(REPAIR + (output ?? 0))
      const again = asked.foresee({ ...asking, messages: [...asking.messages, { role: 'user', content }] })
      row.spareCalls++
      row.inputTokens += again.input
      row.outputTokens = plus(row.outputTokens, again.output)
      row.dollars = plus(row.dollars, again.dollars)
    }
  }

  const wrap = (model: AnsweringModel): AnsweringModel => ({
    ...model,
    fallback: model.fallback && wrap(model.fallback),
    async ask(asking) {
      const known = model.kept(asking)
      if (!known) {
        noteUnasked(model, asking)
        throw new BadAnswer(UNASKED)
      }
      noteKept(model, known)
      return known
    },
  })

  function noteOpen(
    { key, step }: Expression<unknown>,
    indexes: Iterable<number>,
    after: 'answers' | 'prepare',
  ) {
    const row = unknown.get(key) ?? { step: step.name, after, queries: new Set() }
    unknown.set(key, row)
    for (const index of indexes) row.queries.add(index)
  }

  const unprepared = (expression: Expression<unknown>) =>
    expressionsOf([expression]).some(
      ({ artifacts, step, recipe, params, inputs }) =>
        open.store.missing(Object.values(artifacts)).length > 0 ||
        (step.embeds?.(recipe, params) !== undefined && !isSource(inputs[0])),
    )
  const skips = preparedOnly ? unprepared : () => false
  const { asked, memo } = await walkAskings(open, {
    ...{ wrap, clock, skips },
    undecided(inputs, indexes) {
      if (indexes.length === 0) return
      for (const expression of expressionsOf(inputs))
        if (expression.step.asks) noteOpen(expression, indexes, 'answers')
    },
  })
  for (const expression of askingsOf(open).asking) {
    const indexes = [...(asked.get(expression.key) ?? [])]
    if (skips(expression)) noteOpen(expression, indexes, 'prepare')
    else
      for (const index of indexes)
        if (expression.inputs.some((input) => memo.cell(input, index)?.failure?.message === UNASKED))
          noteOpen(expression, [index], 'answers')
  }
  return {
    models: [...rows.keys()].sort().map((name) => rows.get(name) as ForeseenModel),
    open: [...unknown.values()]
      .filter(({ queries }) => queries.size > 0)
      .map(({ step, after, queries }) => ({ step, after, queries: queries.size })),
  }
}

function plus(sum: number | null, more: number | null): number | null {
  return sum === null || more === null ? null : sum + more
}
