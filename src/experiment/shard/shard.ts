import type { GradedRanking } from '../../metrics/define.ts'
import { createScorer } from '../../metrics/evaluate.ts'
import { reorderTies } from '../../metrics/ties.ts'
import { EMPTY_RANKING } from '../../ranking/order.ts'
import { createMemo, type Memo, type QueryFacts } from '../../retrieve/evaluate.ts'
import { breakdownOf, openWalks } from '../../retrieve/explain.ts'
import { type Expression, expressionsOf } from '../../retrieve/step.ts'
import type { Evidence, Ranking } from '../../types.ts'
import { type CompiledTrial, rootsOf, withSeeds } from '../plan/compile.ts'
import { isExplained } from './earlier-rows.ts'
import { createFunnel } from './funnel.ts'
import type { Located, Locator, ShardLabels, Ties } from './locate.ts'
import { readRows } from './parts.ts'
import type { TextColumns } from './ranked-texts.ts'
import { describeCalls } from './reads.ts'
import {
  byName,
  createFirstRanks,
  createNumbers,
  failureOf,
  firstMarks,
  holdFirstRanks,
  LABEL_NUMBERS,
  MERGED_LISTS,
  RANKING_LISTS,
  ROW_NUMBERS,
  rankingFailure,
  type ShardResult,
} from './result.ts'
import type { Session } from './session.ts'

/** Runs the trials on one shard; rows of earlier parts are copied. */
export async function runShard(
  session: Session,
  shard: number,
  clock: () => number,
  pause?: () => Promise<void>,
): Promise<ShardResult> {
  const { plan, store } = session
  const { result, offsets } = emptyResult(session, shard)
  const { begin, end } = result
  const n = end - begin
  const trials = withSeeds(session.trials)
  const asked = session.queries.slice(begin, end)
  const score = createScoring(session, result)
  const measures = session.measures.map(({ name }) => name)
  for (const { part, rows } of session.earlier?.(shard) ?? [])
    for (const [trial, row] of await readRows(part, measures, rows)) result.copied.set(trial, row)
  const missing = [...trials.keys()].filter((trial) => !result.copied.has(trial))
  const memo = createMemo(store, asked, clock, pause)
  const funnels = session.corpora.map(({ locator, indexed }) => createFunnel(memo, locator, indexed))
  const unread = lastReads(missing.map((trial) => trials[trial]))
  for (const [index, trial] of missing.entries()) {
    await runTrial(trial)
    memo.forget(unread[index])
  }
  addCounts(result.computed, memo.computed)
  addCounts(result.milliseconds, memo.milliseconds)
  return result

  async function openExplaining(memo: Memo, ranking: Expression<unknown>) {
    const walks = await openWalks(store, memo, ranking)
    return (row: number, index: number) => {
      const { ranks, counts, rows } = result.first
      const first = rows.subarray(row * ranks, row * ranks + counts[row])
      result.breakdowns[row] = breakdownOf(memo, ranking, index, first)
      result.walks[row] = walks(index, first)
    }
  }

  async function runTrial(trial: number): Promise<void> {
    const { ranking, evidence, sendsAll, recipe, stages } = trials[trial]
    const cells = await memo.cells(ranking)
    const beside = evidence ? await memo.cells(evidence) : undefined
    const { labels, locator, texts, chunks } = session.corpora[recipe]
    const roots = rootsOf([trials[trial]])
    const explain = isExplained(session, trial) ? await openExplaining(memo, ranking) : null
    const follow = funnels[recipe](ranking, stages)
    // A strategy that sends its whole ranking is scored to its end.
    const depth = sendsAll ? chunks : plan.experiment.depth
    for (let index = 0; index < n; index++) {
      const row = trial * n + index
      const failure = failureOf(trials[trial], cells[index], beside?.[index], chunks)
      const found = cells[index]?.value as Ranking
      if (!failure || !rankingFailure(trials[trial], cells[index], chunks))
        holdFirstRanks(result.first, row, found)
      const gold = labels[begin + index]
      let located: Located | null = null
      if (failure) result.failures[row] = failure
      else {
        located = locator.locate(found, gold, depth)
        const besides = (beside?.[index]?.value ?? []) as readonly Evidence[]
        result.retrieved[row] = located.retrieved
        result.tokens[row] = sendsAll
          ? locator.tokensOf(found)
          : located.firstTokens[plan.experiment.context.top - 1]
        result.evidenceTokens[row] = besides.reduce((sum, { tokens }) => sum + tokens, 0)
        const facts = memo.facts(roots, index)
        const walked = located.reads && describeCalls(found, located.reads, gold)
        const counters = { ...facts.counters, ...goldLists(facts.finds, locator, gold), ...walked?.counters }
        if (Object.keys(counters).length > 0) result.counters[row] = counters
        const notes = { ...facts.notes, ...walked?.notes }
        if (Object.keys(notes).length > 0) result.notes[row] = notes
        const marks = walked?.marks ?? facts.marks
        if (marks.size > 0) result.marks[row] = firstMarks(result.first, row, marks)
        explain?.(row, index)
        result.arms[row] = facts.arm
        if (facts.fallbacks.length > 0) result.fallbacks[row] = facts.fallbacks
      }
      if (asked[index].answerable && gold.units.length > 0) {
        const rows = locator.rowsByRank(failure ? EMPTY_RANKING : found, plan.experiment.depth)
        score(row, gold, located, texts?.(asked[index], rows))
      }
      const firstLabel = trial * offsets[n] + offsets[index]
      if (located) {
        result.ranks.set(located.ranks, firstLabel)
        result.scores.set(located.scores, firstLabel)
      }
      const lost = follow(index, gold, located)
      result.stages.set(lost.stages, firstLabel)
      result.channels.set(lost.channels, firstLabel)
    }
  }
}

/** Result without values, and the first label of each query, plus the total. */
function emptyResult({ plan, measures, shards, trials, corpora }: Session, shard: number) {
  const { begin, end } = shards[shard]
  const offsets = new Int32Array(end - begin + 1)
  for (let query = begin; query < end; query++)
    offsets[query - begin + 1] = offsets[query - begin] + corpora[0].labels[query].units.length
  const count = withSeeds(trials).length
  const rows = count * (end - begin)
  const lists = byName([...MERGED_LISTS, ...RANKING_LISTS], () => new Array<never>(rows).fill(null as never))
  const result: ShardResult = {
    shard,
    begin,
    end,
    trials: count,
    values: new Float64Array(rows * measures.length).fill(Number.NaN),
    ...createNumbers(ROW_NUMBERS, rows),
    ...createNumbers(LABEL_NUMBERS, count * offsets[end - begin]),
    ...lists,
    first: createFirstRanks(rows, plan.experiment.depth),
    copied: new Map(),
    computed: new Map(),
    milliseconds: new Map(),
  }
  return { result, offsets }
}

/** Measures of a row, and the primary measure's bounds under ties. */
function createScoring({ plan, measures }: Session, result: ShardResult) {
  const scorer = createScorer(measures)
  const primary = measures.findIndex(({ name }) => name === plan.experiment.compare.by)
  const primaryScorer = createScorer([measures[primary]])

  function scoreTies(row: number, judged: GradedRanking, ties: Ties | null): void {
    const value = result.values[row * measures.length + primary]
    result.worst[row] = result.best[row] = value
    // Token budgets read the list as retrieved; their worst order is unknown.
    if (!ties || measures[primary].needs !== 'labels') return
    const [low, high] = (['worst', 'best'] as const).map((order) => {
      const { ranks } = reorderTies({ ...judged, ...ties }, order)
      const cut = ranks.map((rank) => (rank > judged.retrieved ? 0 : rank))
      return primaryScorer.score({ ...judged, ranks: cut as Int32Array })[0]
    })
    result.worst[row] = Math.min(low, high, value)
    result.best[row] = Math.max(low, high, value)
  }

  return (row: number, gold: ShardLabels, located: Located | null, texts?: TextColumns): void => {
    const judged: GradedRanking = {
      grades: gold.grades,
      ranks: located?.ranks ?? new Int32Array(gold.units.length),
      tokens: located?.tokens ?? new Float64Array(gold.units.length).fill(Number.POSITIVE_INFINITY),
      groups: gold.groups,
      retrieved: located?.retrieved ?? 0,
      firstTokens: located?.firstTokens,
      evidenceTokens: result.evidenceTokens[row],
      reads: located?.reads,
      ...texts,
    }
    scorer.score(judged, result.values, row * measures.length)
    scoreTies(row, judged, located?.ties ?? null)
  }
}

/** Row lists that contain relevant gold, by name. */
function goldLists(finds: QueryFacts['finds'], locator: Locator, gold: ShardLabels): Record<string, number> {
  const scores = new Float64Array(0)
  const holdsGold = (rows: Uint32Array) =>
    locator.holds({ rows, scores }, gold).some((held, label) => held === 1 && gold.grades[label] >= 1)
  const counts = Object.entries(finds).map(([name, lists]) => [name, lists.filter(holdsGold).length])
  return Object.fromEntries(counts)
}

function addCounts(into: Map<string, number>, from: ReadonlyMap<string, number>): void {
  for (const [name, amount] of from) into.set(name, (into.get(name) ?? 0) + amount)
}

/** Expressions, by trial, that no later trial reads. Equal computations (`own`) share cells and go together. */
function lastReads(
  trials: readonly Pick<CompiledTrial, 'ranking' | 'evidence'>[],
): readonly (readonly Expression<unknown>[])[] {
  const byOwn = new Map<string, { last: number; readonly expressions: Map<string, Expression<unknown>> }>()
  trials.forEach(({ ranking, evidence }, trial) => {
    for (const expression of expressionsOf(evidence ? [ranking, evidence] : [ranking])) {
      const known = byOwn.get(expression.own) ?? { last: trial, expressions: new Map() }
      known.last = trial
      known.expressions.set(expression.key, expression)
      byOwn.set(expression.own, known)
    }
  })
  const reads: Expression<unknown>[][] = trials.map(() => [])
  for (const { last, expressions } of byOwn.values()) reads[last].push(...expressions.values())
  return reads
}
