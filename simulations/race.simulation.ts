import { readResults } from '../src/results/read.ts'
import { createHeat } from '../src/statistics/race.ts'
import { createRandom, type Random } from '../src/statistics/random.ts'
import { roundEnds } from '../src/statistics/rounds.ts'

const GRIDS = 400
const QUERIES = 1000
const FIRST = 10
const LEVEL = 0.05
const TRIALS = 48

interface Kind {
  readonly name: string
  /** The values of one grid's trials, by query in random order. */
  readonly grid: (random: Random) => Float64Array[]
}

/** How the true means of recalls lie: points that each trial is behind the best of them. */
interface Recalls {
  readonly strategies: number
  readonly behind: (strategy: number, param: number) => number
  /** Trials of a strategy share what they find; else every trial finds on its own. */
  readonly related: boolean
  /** Labels of a query: 1 to 4, or 1 alone, which makes every value 0 or 1. */
  readonly binary?: true
}

/** A param's 12 values: the best in the middle, the ends 12 points behind. */
const along = (param: number) => 12 * ((param - 5) / 6) ** 2
const recalls = (name: string, of: Recalls): Kind => ({ name, grid: (random) => recallsOf(of, random) })
const gains = (share: number, gain: number, loss: number): Kind => ({
  name: `one trial gains ${100 * gain} points on ${100 * share} % of the queries and loses ${100 * loss} on the others`,
  grid: (random) => gainsOf({ share, gain, loss }, random),
})
const KINDS: readonly Kind[] = [
  recalls('4 strategies x 12: 0, 6, 12, 24 points apart, params up to 12', {
    ...{ strategies: 4, related: true, behind: (s, p) => [0, 6, 12, 24][s] + along(p) },
  }),
  recalls('the same, values 0 or 1', {
    ...{ strategies: 4, related: true, binary: true, behind: (s, p) => [0, 6, 12, 24][s] + along(p) },
  }),
  recalls('4 strategies x 12: 0, 2, 4, 8 points apart, params up to 12', {
    ...{ strategies: 4, related: true, behind: (s, p) => [0, 2, 4, 8][s] + along(p) },
  }),
  recalls('one strategy, its 48 trials 0 to 24 points behind', {
    ...{ strategies: 1, related: true, behind: (_, p) => (24 * p) / (TRIALS - 1) },
  }),
  recalls('one trial 5 points ahead of 47 equal ones, unrelated', {
    ...{ strategies: 1, related: false, behind: (_, p) => (p === 0 ? 0 : 5) },
  }),
  recalls('all within 2 points', {
    ...{ strategies: 4, related: true, behind: (s, p) => s / 2 + along(p) / 24 },
  }),
  recalls('all equal, unrelated', { ...{ strategies: 1, related: false, behind: () => 0 } }),
  gains(0.05, 0.5, 0.02),
  gains(0.03, 0.8, 0.02),
  gains(0.02, 0.9, 0.013),
  gains(0.01, 0.9, 0.005),
]

/**
 * Racing: 400 grids each of 48 trials over 1,000 queries, raced at level 0.05 in rounds from 10 queries. Values are recalls:
 * a label is found where quality, the label's ease (sd 1), the strategy's taste in queries (0.6), that of its param (0.35,
 * by the distance between values) and a trial's own noise (0.1; unrelated trials: 0.7 in place of all three) add up above 0.
 * If one trial gains and loses, the others vary by 1 point around the queries' own values. `RACE_OF="FOLDER FOLDER"` adds finished experiments with the same trials, for each measure, over queries drawn from all of theirs.
 *
 *     run          share of the (trial, query) pairs that were run; the baseline is the full grid
 *     same         share of the grids whose winner over all queries (of equal ones any) won the race
 *     equivalent   ... or was beaten by less than half a point over all queries
 *     next         points between the full grid's first and second, the median over the grids
 *     sd           of a paired difference to the winner, in points, the median over trials and grids
 */
export default {
  name: 'race',
  run: async () =>
    [...KINDS, ...(await realKinds(process.env.RACE_OF?.split(' ') ?? []))].map(({ name, grid }) => {
      const found = Array.from({ length: GRIDS }, (_, seed) => compare(grid(createRandom(seed + 1))))
      const mean = (of: (one: Found) => number) => found.reduce((sum, one) => sum + of(one), 0) / GRIDS
      return {
        name,
        run: mean(({ run }) => run),
        baseline: 1,
        same: mean(({ lost }) => (lost < 1e-9 ? 1 : 0)),
        equivalent: mean(({ lost }) => (lost < 0.005 ? 1 : 0)),
        next: 100 * median(found.map(({ next }) => next)),
        sd: 100 * median(found.map(({ sd }) => sd)),
      }
    }),
}

interface Found {
  readonly run: number
  /** How far the race's winner is behind the full grid's, over all queries. */
  readonly lost: number
  readonly next: number
  readonly sd: number
}

function compare(values: readonly Float64Array[]): Found {
  const heat = createHeat({ trials: values.length, queries: QUERIES, better: 'higher', level: LEVEL })
  let cells = 0
  let seen = 0
  for (const end of roundEnds(QUERIES, FIRST)) {
    cells += heat.racing().length * (end - seen)
    seen = end
    if (end < QUERIES) heat.read(values, end)
  }
  const means = values.map((own) => own.reduce((sum, value) => sum + value, 0) / QUERIES)
  const sorted = means.toSorted((a, b) => b - a)
  const winner = means.indexOf(sorted[0])
  const sds = values.flatMap((own, trial) => (trial === winner ? [] : [sdOf(own, values[winner])]))
  return {
    run: cells / (values.length * QUERIES),
    lost: sorted[0] - Math.max(...heat.racing().map((trial) => means[trial])),
    next: sorted[0] - sorted[1],
    sd: median(sds),
  }
}

function recallsOf({ strategies, behind, related, binary }: Recalls, random: Random): Float64Array[] {
  const params = TRIALS / strategies
  const spread = related ? Math.sqrt(1 + 0.6 ** 2 + 0.35 ** 2) : Math.sqrt(1 + 0.7 ** 2)
  // Around the middle a point of recall is so much of quality.
  const point = 0.01 * spread * Math.sqrt(2 * Math.PI)
  const values = Array.from({ length: TRIALS }, () => new Float64Array(QUERIES))
  for (let query = 0; query < QUERIES; query++) {
    const labels = binary ? 1 : 1 + Math.floor(4 * random.uniform() ** 2)
    for (let label = 0; label < labels; label++) {
      const ease = normal(random)
      for (let strategy = 0; strategy < strategies; strategy++) {
        const [taste, drift] = [0.6 * normal(random), 0.35 * normal(random)]
        for (let param = 0; param < params; param++) {
          const own = related
            ? taste + drift * ((2 * param) / (params - 1) - 1) + 0.1 * normal(random)
            : 0.7 * normal(random)
          if (ease + own + (0.15 * spread - behind(strategy, param) * point) > 0)
            values[strategy * params + param][query] += 1 / labels
        }
      }
    }
  }
  return values
}

function gainsOf(
  { share, gain, loss }: { readonly share: number; readonly gain: number; readonly loss: number },
  random: Random,
): Float64Array[] {
  const values = Array.from({ length: TRIALS }, () => new Float64Array(QUERIES))
  for (let query = 0; query < QUERIES; query++) {
    const base = 0.05 * random.uniform()
    const gained = random.uniform() < share
    for (const [trial, own] of values.entries())
      own[query] = trial === 0 ? base + (gained ? gain : 0) : base + loss + 0.02 * (random.uniform() - 0.5)
  }
  return values
}

/** A kind for each measure of the experiments in these folders: the trials' values on all of their queries. */
async function realKinds(folders: readonly string[]): Promise<Kind[]> {
  const results = await Promise.all(folders.map((folder) => readResults(folder)))
  return (results[0]?.summary.measures ?? []).map((measure) => {
    const columns = results.map(({ summary, scores }) => {
      const values = scores.get(measure) as Float64Array
      const size = values.length / summary.trials.length
      return summary.trials.map((_, trial) => values.subarray(trial * size, (trial + 1) * size))
    })
    const rows = (columns[0] ?? []).map((_, trial) => columns.flatMap((own) => [...own[trial]]))
    const grid = ({ below }: Random) => {
      const drawn = Array.from({ length: QUERIES }, () => below(rows[0].length))
      return rows.map((row) => Float64Array.from(drawn, (query) => row[query]))
    }
    return { name: `${measure} of ${rows.length} trials over ${rows[0].length} real queries`, grid }
  })
}

/** Box and Muller. */
function normal({ uniform }: Random): number {
  return Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform())
}

function sdOf(a: Float64Array, b: Float64Array): number {
  let sum = 0
  let squares = 0
  for (let query = 0; query < a.length; query++) {
    sum += a[query] - b[query]
    squares += (a[query] - b[query]) ** 2
  }
  return Math.sqrt(squares / a.length - (sum / a.length) ** 2)
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1]
}
