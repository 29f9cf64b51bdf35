import { Unasked } from '../../models/chat/json.ts'
import type { CachedModel, CallEstimate, CompletionRequest } from '../../models/completions/cached-model.ts'
import { takenBy } from '../../models/completions/cost.ts'
import type { StoredCompletion } from '../../models/completions/request.ts'
import type { Spending } from './spending.ts'

/** What asking one model will take at most. */
export interface ModelEstimate {
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

type Row = { -readonly [K in keyof ModelEstimate]: ModelEstimate[K] }

/** Why a query goes no further that waits for an answer. */
export const UNASKED = 'is not answered yet'
/** Tokens of the words that ask for JSON once more. */
const REPAIR = 300

/** Models that answer what is kept and ask nothing, and what they would have asked. */
export interface Forecast {
  wrap(model: CachedModel): CachedModel
  /** One a model, by name. */
  models(): ModelEstimate[]
}

/** `ledger`: where answers that are kept are counted. */
export function openForecast(spending?: Spending): Forecast {
  const rows = new Map<string, Row>()
  const seen = new Set<string>()

  function rowOf({ name }: CachedModel): Row {
    const row = rows.get(name) ?? {
      ...{ model: name, kept: { answers: 0, tokens: 0, dollars: 0 }, calls: 0, spareCalls: 0 },
      ...{ inputTokens: 0, outputTokens: 0, dollars: 0 },
    }
    rows.set(name, row)
    return row
  }

  function noteKept(model: CachedModel, answered: StoredCompletion): void {
    spending?.note(answered, model.cost(answered))
    if (seen.has(answered.key)) return
    seen.add(answered.key)
    const row = rowOf(model)
    const { answers, tokens, dollars } = row.kept
    const { input, output } = takenBy(answered)
    row.kept = {
      answers: answers + 1,
      tokens: tokens + input + output,
      dollars: plus(dollars, model.cost(answered)),
    }
  }

  function noteUnasked(model: CachedModel, asking: CompletionRequest): void {
    for (const { by, calls } of possibleCalls(model, asking)) {
      const [{ key, input }] = calls
      // A reranker is not sent an empty list.
      if (seen.has(key) || input === 0) continue
      seen.add(key)
      const row = rowOf(by)
      const sure = by === model ? 1 : 0
      row.calls += sure
      row.spareCalls += calls.length - sure
      for (const call of calls) {
        row.inputTokens += call.input
        row.outputTokens = plus(row.outputTokens, call.output)
        row.dollars = plus(row.dollars, call.dollars)
      }
    }
  }

  const wrap = (model: CachedModel): CachedModel => ({
    ...model,
    fallback: model.fallback && wrap(model.fallback),
    async ask(asking) {
      const known = model.stored(asking)
      if (!known) {
        noteUnasked(model, asking)
        throw new Unasked(UNASKED)
      }
      noteKept(model, known)
      return known
    },
  })

  return { wrap, models: () => [...rows.keys()].sort().map((name) => rows.get(name) as ModelEstimate) }
}

/** A question's call, once more for JSON that may be none, and the same of who is asked where a model refuses. */
export function possibleCalls(
  model: CachedModel,
  asking: CompletionRequest,
): { readonly by: CachedModel; readonly calls: readonly [CallEstimate, ...CallEstimate[]] }[] {
  const own = model.estimate(asking)
  const again = () => {
    const content = 'x '.repeat(REPAIR + (own.output ?? 0))
    return model.estimate({ ...asking, messages: [...asking.messages, { role: 'user', content }] })
  }
  return [
    { by: model, calls: asking.schema === undefined ? [own] : [own, again()] },
    ...(model.fallback ? possibleCalls(model.fallback, asking) : []),
  ]
}

/** Null where one of them is unknown. */
export function plus(sum: number | null, more: number | null): number | null {
  return sum === null || more === null ? null : sum + more
}
