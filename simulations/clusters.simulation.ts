import { createRandom } from '../src/random.ts'
import { compareTrials } from '../src/statistics/compare.ts'
import { makeFolds } from '../src/statistics/folds.ts'
import { SHARE } from '../src/statistics/range.ts'
import { tune, tunedValues } from '../src/statistics/tuned.ts'

const GRIDS = 1000
const QUERIES = 100
const SIZE = 5

/**
 * A grid without a true difference, over queries in clusters of five: half the variance of a value is the cluster's (and the
 * trial's), half the query's. Values are 0, .5 and 1.
 */
export function clusteredGrid(trials: number, seed: number) {
  const { uniform } = createRandom(seed + 1)
  const normal = () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform())
  const clusters = Int32Array.from({ length: QUERIES }, (_, query) => Math.floor(query / SIZE))
  const matrix = Array.from({ length: trials }, () => {
    const shared = Array.from({ length: QUERIES / SIZE }, normal)
    return Float64Array.from(clusters, (cluster) => {
      const latent = Math.SQRT1_2 * (shared[cluster] + normal())
      return latent < -0.4 ? 0 : latent < 0.4 ? 0.5 : 1
    })
  })
  return { matrix, clusters }
}

/** Rates of false verdicts and of coverage over grids of one baseline and a family. */
function errors(family: number, folds: boolean, by: 'queries' | 'clusters', grids: number) {
  let [found, covered] = [0, 0]
  for (let seed = 0; seed < grids; seed++) {
    const perRow = folds ? 4 : 1
    const { matrix: all, clusters } = clusteredGrid((family + 1) * perRow, seed)
    const names = Array.from({ length: family + 1 }, (_, row) => `s${row}`)
    const own = by === 'clusters' ? clusters : undefined
    const ids = Array.from(clusters, (_, query) => `q${query}`)
    const parts = makeFolds({ ids, categories: ids.map(() => null), clusters: own, folds: 5, seed })
    const trialsOf = (row: number) => all.slice(row * perRow, (row + 1) * perRow)
    const rows = folds
      ? tune({
          ...{ trials: all.map((_, trial) => `t${String(trial).padStart(3, '0')}`), matrix: all, parts },
          strategies: all.map((_, trial) => names[Math.floor(trial / perRow)]),
          ...{ kind: 'folds', better: 'higher' },
        }).map((row) => tunedValues(row, all))
      : all
    const compared = compareTrials({
      ...{ names, matrix: rows, clusters: own, level: 0.05, correction: 'max-t', draws: 1000, seed },
      ...{ better: 'higher', range: SHARE },
      family: names.slice(1).map((name) => ({ name, baseline: 's0' })),
      ...(folds && {
        tuned: { folds: parts, trials: new Map(names.map((name, row) => [name, trialsOf(row)])) },
      }),
    })
    if (compared.some(({ verdict }) => verdict === 'better' || verdict === 'worse')) found++
    if (compared.every(({ low, high }) => low <= 0 && high >= 0)) covered++
  }
  return { false: found / grids, coverage: covered / grids }
}

/**
 * Error rates of the comparison if groups of five queries share noise: 1,000 grids a case without a true difference. `false`:
 * share of grids with any verdict of better or worse (goal: .05). `coverage`: share in which all intervals contain 0
 * (goal: .95).
 */
export default {
  name: 'clusters',
  run() {
    return [1, 3, 8].flatMap((family) =>
      [false, true].flatMap((folds) =>
        (['queries', 'clusters'] as const).map((by) => ({
          case: `family of ${family}${folds ? ', 5 folds' : ''}, by ${by}`,
          ...errors(family, folds, by, GRIDS),
        })),
      ),
    )
  },
}
