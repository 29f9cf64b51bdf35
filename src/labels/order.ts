import { pairOf } from './log.ts'
import type { Pool, PooledQuery } from './pool.ts'

/**
 * Active order, after the minimal test collections of Carterette, Allan and Sitaraman (SIGIR 2006), for a gain that is
 * linear in the labels:
 *
 *     gain(t, q) = 1/G * sum over relevant passages p of g(rank of p in t),   G = sum over ranks 1..k of g
 *
 * with g = 1 for measures of the first k as a set, 1/rank for MRR, 1/log2(1 + rank) else; so the difference of two trials lies
 * between exact bounds whatever the missing labels say. The label of p can move the difference of a and b by
 * |g(rank in a) - g(rank in b)| / G / queries, its weight; a passage of weight 0 in all open pairs cannot change a verdict.
 */

/** g of a measure by its name, for ranks from 1; 0 for rank 0, which is none. */
export function gainOf(measure: string, k: number): (rank: number) => number {
  const base = measure.split(/[@(]/)[0]
  const cutAt = (value: (rank: number) => number) => (rank: number) =>
    rank > 0 && rank <= k ? value(rank) : 0
  if (/^(recall|precision|hit|success|f1|capped_recall|r_precision|all_recall)/.test(base))
    return cutAt(() => 1)
  if (/rr$/.test(base)) return cutAt((rank) => 1 / rank)
  return cutAt((rank) => 1 / Math.log2(1 + rank))
}

/**
 * Decision between the trials of a pool. `pairs` are the leader `a` and each other trial `b`, with the mean difference of gains, a less b,
 * if unlabelled passages are not relevant; its bounds `low` and `high`; and the labels `needed` to settle its sign at the latest.
 * `weights` has each unlabelled pair of question and passage that can change a verdict, by `pairOf`.
 */
export type Decision = ReturnType<typeof decisionOf>

/** `relevant`: labels so far, by `pairOf`. */
export function decisionOf(pool: Pool, relevant: ReadonlyMap<string, boolean>) {
  const gain = gainOf(pool.measure, pool.k)
  let whole = 0
  for (let rank = 1; rank <= pool.k; rank++) whole += gain(rank)
  const scale = 1 / whole / Math.max(1, pool.queries.length)
  const gains = pool.trials.map(() => 0)
  const open: { readonly key: string; readonly gains: readonly number[] }[] = []
  let [labelled, total] = [0, 0]
  for (const { id, passages } of pool.queries)
    for (const passage of passages) {
      total++
      const key = pairOf(id, passage.id)
      const label = relevant.get(key)
      const passageGains = passage.ranks.map((rank) => scale * gain(rank))
      if (label !== undefined) labelled++
      else if (passageGains.some((gain) => gain > 0)) open.push({ key, gains: passageGains })
      if (label) for (const [trial, gain] of passageGains.entries()) gains[trial] += gain
    }
  const leader = gains.indexOf(Math.max(...gains))
  const pairs = pool.trials.flatMap((_, other) => (other === leader ? [] : [pairState(leader, other)]))
  const undecided = pairs.filter(({ low }) => low <= 0)
  const weights = new Map<string, number>()
  for (const { key, gains: passageGains } of open) {
    const weight = Math.max(0, ...undecided.map(({ a, b }) => Math.abs(passageGains[a] - passageGains[b])))
    if (weight > 0) weights.set(key, weight)
  }
  const needed = Math.max(0, ...pairs.map((pair) => pair.needed))
  const begun = pool.queries.filter(({ id, passages }) =>
    passages.some((passage) => relevant.has(pairOf(id, passage.id))),
  )
  const questions = { begun: begun.length, total: pool.queries.length }
  return { leader, pairs, needed, weights, labelled, total, questions }

  function pairState(a: number, b: number) {
    const moves = open
      .map(({ gains: passageGains }) => passageGains[a] - passageGains[b])
      .filter((move) => move !== 0)
    const difference = gains[a] - gains[b]
    const sum = (sign: number) =>
      moves.reduce((all, move) => (Math.sign(move) === sign ? all + move : all), 0)
    // Only labels in favour of b can turn the sign.
    const against = moves.filter((move) => move < 0).map(Math.abs)
    against.sort((x, y) => y - x)
    let left = against.reduce((all, move) => all + move, 0)
    let needed = 0
    while (needed < against.length && left >= difference) left -= against[needed++]
    return { a, b, difference, low: difference + sum(-1), high: difference + sum(1), needed }
  }
}

export function questionOrder({ queries }: Pool, { weights }: Decision): readonly PooledQuery[] {
  const weightOf = new Map(
    queries.map((query) => [
      query.id,
      query.passages.reduce((sum, { id }) => sum + (weights.get(pairOf(query.id, id)) ?? 0), 0),
    ]),
  )
  return [...queries].sort((a, b) => (weightOf.get(b.id) ?? 0) - (weightOf.get(a.id) ?? 0))
}
