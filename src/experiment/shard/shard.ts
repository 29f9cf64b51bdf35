import type { GradedRanking } from '../../metrics/define.ts'
import { createScorer } from '../../metrics/evaluate.ts'
import { reorderTies } from '../../metrics/variants.ts'
import { EMPTY_RANKING } from '../../ranking/order.ts'
import { createMemo, type QueryFacts } from '../../retrieve/evaluate.ts'
import { breakdownOf, openWalks } from '../../retrieve/explain.ts'
import { type Expression, expressionsOf } from '../../retrieve/step.ts'
import type { Evidence, Ranking } from '../../types.ts'
import { type CompiledTrial, rootsOf, withSeeds } from '../plan/compile.ts'
import { isExplained } from './earlier-rows.ts'
import { createFunnel } from './funnel.ts'
import type { Located, Locator, ShardLabels, Ties } from './locate.ts'
import { cellsOf, readRows } from './parts.ts'
import type { TextColumns } from './ranked-texts.ts'
import { describeCalls } from './reads.ts'
import {
  createRows,
  failureOf,
  firstMarks,
  firstRows,
  holdFirstRanks,
  type PartRow,
  rankingFailure,
  type ShardResult,
  type TrialRows,
} from './result.ts'
import type { Session } from './session.ts'

/** Runs the trials on one shard; rows of earlier parts are copied. */
export async function runShard(
  session: Session,
  shard: number,
  clock: () => number,
  pause?: () => Promise<void>,
): Promise<ShardResult> {
  const { plan, store, corpora } = session
  const { begin, end } = session.shards[shard]
  const trials = withSeeds(session.trials)
  const queries = session.queries.slice(begin, end)
  const measures = session.measures.map(({ name }) => name)
  const labelCount = corpora[0].labels.slice(begin, end).reduce((sum, { units }) => sum + units.length, 0)
  const rows: PartRow[] = []
  for (const { part, rows: earlier } of session.earlier?.(shard) ?? [])
    for (const [trial, row] of await readRows(part, measures, earlier)) rows[trial] = row
  const missing = [...trials.keys()].filter((trial) => !rows[trial])
  const memo = createMemo(store, queries, clock, pause)
  const funnels = corpora.map(({ locator, indexed }) => createFunnel(memo, locator, indexed))
  const score = createScoring(session)
  const unread = lastReads(missing.map((trial) => trials[trial]))
  for (const [index, trial] of missing.entries()) {
    rows[trial] = cellsOf(measures, await runTrial(trial))
    memo.forget(unread[index])
  }
  const { computed, milliseconds } = memo
  return { shard, begin, end, trials: rows, computed, milliseconds }

  async function runTrial(trial: number): Promise<TrialRows> {
    const result = createRows(measures.length, queries.length, labelCount, plan.experiment.depth)
    const { ranking, evidence, sendsAll, recipe, stages } = trials[trial]
    const cells = await memo.cells(ranking)
    const evidenceCells = evidence ? await memo.cells(evidence) : undefined
    const { labels, locator, texts, chunks } = corpora[recipe]
    const roots = rootsOf([trials[trial]])
    const walks = isExplained(session, trial) ? await openWalks(store, memo, ranking) : null
    const follow = funnels[recipe](ranking, stages)
    // A strategy that sends its whole ranking is scored to its end.
    const depth = sendsAll ? chunks : plan.experiment.depth
    let label = 0
    for (const [query, { answerable }] of queries.entries()) {
      const failure = failureOf(trials[trial], cells[query], evidenceCells?.[query], chunks)
      const firstRanking = cells[query]?.value as Ranking
      if (!failure || !rankingFailure(trials[trial], cells[query], chunks))
        holdFirstRanks(result.first, query, firstRanking)
      const gold = labels[begin + query]
      let located: Located | null = null
      if (failure) result.failures[query] = failure
      else {
        located = locator.locate(firstRanking, gold, depth)
        const besides = (evidenceCells?.[query]?.value ?? []) as readonly Evidence[]
        result.retrieved[query] = located.retrieved
        result.tokens[query] = sendsAll
          ? locator.tokensOf(firstRanking)
          : located.firstTokens[plan.experiment.context.top - 1]
        result.evidenceTokens[query] = besides.reduce((sum, { tokens }) => sum + tokens, 0)
        const facts = memo.facts(roots, query)
        const walked = located.reads && describeCalls(firstRanking, located.reads, gold)
        const counters = { ...facts.counters, ...goldLists(facts.finds, locator, gold), ...walked?.counters }
        if (Object.keys(counters).length > 0) result.counters[query] = counters
        const notes = { ...facts.notes, ...walked?.notes }
        if (Object.keys(notes).length > 0) result.notes[query] = notes
        const marks = walked?.marks ?? facts.marks
        if (marks.size > 0) result.marks[query] = firstMarks(result.first, query, marks)
        if (walks) {
          const first = firstRows(result.first, query)
          result.breakdowns[query] = breakdownOf(memo, ranking, query, first)
          result.walks[query] = walks(query, first)
        }
        result.arms[query] = facts.arm
        if (facts.fallbacks.length > 0) result.fallbacks[query] = facts.fallbacks
      }
      if (answerable && gold.units.length > 0) {
        const ranked = failure ? EMPTY_RANKING : firstRanking
        const columns = texts?.(queries[query], locator.rowsByRank(ranked, plan.experiment.depth))
        score(result, query, gold, located, columns)
      }
      if (located) {
        result.ranks.set(located.ranks, label)
        result.scores.set(located.scores, label)
      }
      const lost = follow(query, gold, located)
      result.stages.set(lost.stages, label)
      result.channels.set(lost.channels, label)
      label += gold.units.length
    }
    return result
  }
}

/** Measures of a row, and the primary measure's bounds under ties. */
function createScoring({ plan, measures }: Session) {
  const scorer = createScorer(measures)
  const primary = measures.findIndex(({ name }) => name === plan.experiment.compare.by)
  const primaryScorer = createScorer([measures[primary]])

  /** Bounds of `value` over all orders of equal scores. */
  function boundsOf(judged: GradedRanking, ties: Ties | null, value: number): [number, number] {
    // Token budgets read the list as retrieved; their worst order is unknown.
    if (!ties || measures[primary].needs !== 'labels') return [value, value]
    const [low, high] = (['worst', 'best'] as const).map((order) => {
      const { ranks } = reorderTies({ ...judged, ...ties }, order)
      const cut = ranks.map((rank) => (rank > judged.retrieved ? 0 : rank))
      return primaryScorer.score({ ...judged, ranks: cut as Int32Array })[0]
    })
    return [Math.min(low, high, value), Math.max(low, high, value)]
  }

  return (
    result: TrialRows,
    query: number,
    gold: ShardLabels,
    located: Located | null,
    texts: TextColumns | undefined,
  ): void => {
    const judged: GradedRanking = {
      grades: gold.grades,
      ranks: located?.ranks ?? new Int32Array(gold.units.length),
      tokens: located?.tokens ?? new Float64Array(gold.units.length).fill(Number.POSITIVE_INFINITY),
      groups: gold.groups,
      retrieved: located?.retrieved ?? 0,
      firstTokens: located?.firstTokens,
      evidenceTokens: result.evidenceTokens[query],
      reads: located?.reads,
      ...texts,
    }
    const scores = scorer.score(judged)
    for (const [measure, column] of result.values.entries()) column[query] = scores[measure]
    const [worst, best] = boundsOf(judged, located?.ties ?? null, scores[primary])
    result.worst[query] = worst
    result.best[query] = best
  }
}

/** Row lists that contain relevant gold, by name. */
function goldLists(finds: QueryFacts['finds'], locator: Locator, gold: ShardLabels): Record<string, number> {
  const counts = Object.entries(finds).map(([name, lists]) => [
    name,
    lists.filter((rows) => locator.holdsGold(rows, gold)).length,
  ])
  return Object.fromEntries(counts)
}

/** Expressions, by trial, that no later trial reads. Equal computations (`own`) share cells and go together. */
function lastReads(
  trials: readonly Pick<CompiledTrial, 'ranking' | 'evidence'>[],
): readonly (readonly Expression<unknown>[])[] {
  const byOwn = new Map<string, { last: number; readonly expressions: Map<string, Expression<unknown>> }>()
  trials.forEach(({ ranking, evidence }, trial) => {
    for (const expression of expressionsOf(evidence ? [ranking, evidence] : [ranking])) {
      const entry = byOwn.get(expression.own) ?? { last: trial, expressions: new Map() }
      entry.last = trial
      entry.expressions.set(expression.key, expression)
      byOwn.set(expression.own, entry)
    }
  })
  const reads: Expression<unknown>[][] = trials.map(() => [])
  for (const { last, expressions } of byOwn.values()) reads[last].push(...expressions.values())
  return reads
}
