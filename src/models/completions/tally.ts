import { takenBy } from './cost.ts'
import type { StoredCompletion } from './request.ts'

/** Stored completions of one model, counted. */
export interface Tally {
  readonly provider: string
  readonly model: string
  readonly completions: number
  readonly refusals: number
  /** Requests that failed. */
  readonly failed: number
  /** Cut at `maxTokens`. */
  readonly cut: number
  /** Calls with estimated tokens, since the server gave no plausible count. */
  readonly estimated: number
  readonly inputTokens: number
  /** Tokens read from the provider's cache. */
  readonly cachedInputTokens: number
  readonly outputTokens: number
  /** Tokens of reasoning. */
  readonly reasoningTokens: number
}

/** One row a model, in the order of provider and name. */
export function tally(completions: Iterable<StoredCompletion>): Tally[] {
  const rows = new Map<string, { -readonly [K in keyof Tally]: Tally[K] }>()
  for (const one of completions) {
    const { request, completion } = one
    const took = takenBy(one)
    const [provider, model] = [String(request.model.provider), String(request.model.model)]
    const id = JSON.stringify([provider, model])
    const row = rows.get(id) ?? {
      provider,
      model,
      completions: 0,
      refusals: 0,
      failed: 0,
      cut: 0,
      estimated: 0,
      inputTokens: 0,
      cachedInputTokens: 0,
      outputTokens: 0,
      reasoningTokens: 0,
    }
    row.completions++
    if (completion.finish === 'refusal') row.refusals++
    if (completion.finish === 'failed') row.failed++
    if (completion.finish === 'length') row.cut++
    if (took.estimated) row.estimated++
    row.inputTokens += took.input
    row.cachedInputTokens += took.cachedInput ?? 0
    row.outputTokens += took.output
    row.reasoningTokens += took.reasoning ?? 0
    rows.set(id, row)
  }
  return [...rows.keys()].sort().map((id) => rows.get(id) as Tally)
}

/** True if a completion is of a model, by the provider's name of it. */
export function isOf({ request }: StoredCompletion, model: string | undefined): boolean {
  return model === undefined || request.model.model === model
}
