/**
 * Racing (Maron and Moore, 1994) by betting (Waudby-Smith and Ramdas, JRSS B 86, 2024, 4.3): each trial t has a wealth, 1 at
 * the start, that is bet query after query on "t is not the best over all N queries". The opponent is the trial L that leads
 * over the queries before. With d = L - t on the next query, and s the sum of the i differences seen between the two,
 *
 *     wealth <- wealth * (1 + bet (d - m)),    m = -s / (N - i),    0 <= bet <= 1 / (2 (1 + m))
 *
 * If t is the best, the sum of d over all N is at most 0, so the queries left have a mean of at most m, and in random order the
 * next d has it too: no bet gains on average, for every leader and every bet, as long as both are read off the queries
 * before. So the wealth of the best trial reaches 1 / level with a chance of at most `level` (Ville's inequality), for all
 * looks and opponents together, and for every distribution of differences between -1 and 1: rare large gains next to many
 * small losses included. A trial stops when its wealth gets there. Once m < -1, t cannot be the best any more.
 *
 * The bet is that of the fastest growth near the means seen (aGRAPA, the same paper's appendix B), with e = mean - m:
 *
 *     bet = e / (variance + e^2),    mean = s / (i + 1),    variance = (1/4 + sum (d - s/i)^2) / (i + 1)
 */
export interface HeatOf {
  readonly trials: number
  /** All queries of the heat. */
  readonly queries: number
  readonly better: 'higher' | 'lower'
  /** The chance at most that the trial which is best over all queries stops; at 0 none does. */
  readonly level: number
}

/** A race as far as it has come. */
export interface Heat {
  /** Trials that still race. */
  racing(): readonly number[]
  /**
   * Reads on to the query `end`; `values` by trial, in running order, NaN where a query does not count; of a
   * trial that has stopped none are read. The trials that stop
   * there, and the first of those that lead over the queries seen, which never stops.
   */
  read(values: readonly ArrayLike<number>[], end: number): { leader: number; out: readonly number[] }
}

export function createHeat({ trials, queries, better, level }: HeatOf): Heat {
  const sign = better === 'higher' ? 1 : -1
  const sums = new Float64Array(trials)
  const wealth = new Float64Array(trials).fill(1)
  /** Differences to the leader, summed by trial. */
  const ahead = new Float64Array(trials)
  const squares = new Float64Array(trials)
  const ruledOut = new Set<number>()
  let racing: readonly number[] = Array.from({ length: trials }, (_, trial) => trial)
  let seen = 0
  let leader = 0

  /** The first of those that lead over the queries seen; the differences are to it from here on. */
  function lead(difference: Difference): void {
    const first = racing.reduce((best, trial) => (sums[trial] > sums[best] ? trial : best))
    if (first === leader) return
    leader = first
    ahead.fill(0)
    squares.fill(0)
    for (const trial of racing)
      for (let query = 0; query < seen; query++) add(difference(trial, query), trial)
  }

  function add(d: number, trial: number): void {
    ahead[trial] += d
    squares[trial] += d * d
  }

  function read(values: readonly ArrayLike<number>[], end: number) {
    const difference: Difference = (trial, query) => {
      const d = sign * (values[leader][query] - values[trial][query])
      // A query that does not count changes no sum.
      return Number.isNaN(d) ? 0 : Math.min(1, Math.max(-1, d))
    }
    for (; seen < end; seen++) {
      lead(difference)
      for (const trial of racing) {
        const d = difference(trial, seen)
        const m = -ahead[trial] / (queries - seen)
        // Below -1 by more than rounding, the trial cannot be the best.
        if (m < -1 - 1e-9) wealth[trial] = Number.POSITIVE_INFINITY
        else wealth[trial] *= 1 + betOf(ahead[trial], squares[trial], seen, m) * (d - m)
        if (wealth[trial] * level >= 1) ruledOut.add(trial)
      }
      for (const trial of racing) {
        add(difference(trial, seen), trial)
        const value = sign * values[trial][seen]
        if (!Number.isNaN(value)) sums[trial] += value
      }
    }
    lead(difference)
    const out = racing.filter((trial) => trial !== leader && ruledOut.has(trial))
    racing = racing.filter((trial) => !out.includes(trial))
    return { leader, out }
  }

  return { racing: () => racing, read }
}

type Difference = (trial: number, query: number) => number

/** The bet on the next of `seen` differences; 0 where it would not pay. */
function betOf(sum: number, squares: number, seen: number, m: number): number {
  const edge = sum / (seen + 1) - m
  if (edge <= 0) return 0
  const variance = (0.25 + squares - (seen > 0 ? sum ** 2 / seen : 0)) / (seen + 1)
  // No query takes more than half of the wealth.
  return Math.min(edge / (variance + edge ** 2), 0.5 / Math.max(1e-9, 1 + m))
}
