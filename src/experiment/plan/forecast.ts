import { Unasked } from '../../models/chat/json.ts'
import type { CachedModel, CallEstimate, CompletionRequest } from '../../models/completions/cached-model.ts'
import { takenBy } from '../../models/completions/cost.ts'
import { observe } from '../../models/completions/observe.ts'
import type { StoredCompletion } from '../../models/completions/request.ts'
import type { Spending } from './spending.ts'

/** Upper bounds of what one model's requests take. */
export interface ModelEstimate {
  readonly model: string
  /** Stored completions that are read again, and what they took. */
  readonly kept: { readonly answers: number; readonly tokens: number; readonly dollars: number | null }
  /** Requests that are certain. */
  readonly calls: number
  /** Further requests, in case a model refuses or gives no JSON. */
  readonly spareCalls: number
  /** Tokens read in all of these requests, estimated: no server has counted them yet. */
  readonly inputTokens: number
  /** Tokens written, by `maxTokens`; null if nothing limits a completion. */
  readonly outputTokens: number | null
  /** Null if a price or a limit is missing. */
  readonly dollars: number | null
}

type Row = { -readonly [K in keyof ModelEstimate]: ModelEstimate[K] }

/** Failure of a query that waits for a completion. */
export const UNASKED = 'has no completion yet'
/** Tokens of the message that asks for JSON again. */
const REPAIR = 300

/** Models that give stored completions and send nothing; requests that would be sent are estimated. */
export interface Forecast {
  wrap(model: CachedModel): CachedModel
  /** One row per model, by name. */
  models(): ModelEstimate[]
}

/** `spending`: counts the stored completions. */
export function openForecast(spending?: Spending): Forecast {
  const rows = new Map<string, Row>()
  const seen = new Set<string>()

  function rowOf({ name }: CachedModel): Row {
    const row = rows.get(name) ?? {
      model: name,
      kept: { answers: 0, tokens: 0, dollars: 0 },
      calls: 0,
      spareCalls: 0,
      inputTokens: 0,
      outputTokens: 0,
      dollars: 0,
    }
    rows.set(name, row)
    return row
  }

  function noteStored(model: CachedModel, completion: StoredCompletion): void {
    spending?.note(completion, model.cost(completion))
    if (seen.has(completion.key)) return
    seen.add(completion.key)
    const row = rowOf(model)
    const { answers, tokens, dollars } = row.kept
    const { input, output } = takenBy(completion)
    row.kept = {
      answers: answers + 1,
      tokens: tokens + input + output,
      dollars: plus(dollars, model.cost(completion)),
    }
  }

  function noteMissing(model: CachedModel, request: CompletionRequest): void {
    for (const { by, calls } of possibleCalls(model, request)) {
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

  function before(model: CachedModel, request: CompletionRequest): StoredCompletion {
    const stored = model.stored(request)
    if (!stored) {
      noteMissing(model, request)
      throw new Unasked(UNASKED)
    }
    noteStored(model, stored)
    return stored
  }

  const wrap = (model: CachedModel) => observe(model, { before })
  return { wrap, models: () => [...rows.keys()].sort().map((name) => rows.get(name) as ModelEstimate) }
}

/** Calls that a request may need: its own, one more if JSON is asked for, and those of the fallbacks. */
export function possibleCalls(
  model: CachedModel,
  request: CompletionRequest,
): { readonly by: CachedModel; readonly calls: readonly [CallEstimate, ...CallEstimate[]] }[] {
  const first = model.estimate(request)
  const repair = () => {
    const content = 'x '.repeat(REPAIR + (first.output ?? 0))
    return model.estimate({ ...request, messages: [...request.messages, { role: 'user', content }] })
  }
  return [
    { by: model, calls: request.schema === undefined ? [first] : [first, repair()] },
    ...(model.fallback ? possibleCalls(model.fallback, request) : []),
  ]
}

/** The sum; null if one of the two is unknown. */
export function plus(sum: number | null, more: number | null): number | null {
  return sum === null || more === null ? null : sum + more
}
