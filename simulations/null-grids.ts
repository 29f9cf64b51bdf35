import { createRandom } from '../src/random.ts'

/** What the values of a simulated grid look like. */
export const VALUES = ['normal', 'ties', 'skew', 'near-binary'] as const
export type Values = (typeof VALUES)[number]

export interface Grid {
  readonly names: readonly string[]
  readonly strategies: readonly string[]
  readonly matrix: readonly Float64Array[]
}

/**
 * A grid without any true difference, over `queries` queries; `sizes` are the trials of each strategy, and the first
 * trial of the first is the baseline. A value is
 *
 *     sqrt(.6) query + sqrt(.2) (query, strategy) + sqrt(.2) (query, trial)      each standard normal
 *
 * so that trials correlate with .8 inside a strategy and with .6 between; `ties` cuts it to 0, .5 and 1 (as recall@5 with
 * two labels), `skew` takes exp(1.2 x), of which most is near 0, and `near-binary` has a query's own 0 or 1 but for 5 % of
 * its trials.
 */
export function nullGrid(sizes: readonly number[], values: Values, queries: number, seed: number): Grid {
  const random = createRandom(seed + 1)
  const normal = () =>
    Math.sqrt(-2 * Math.log(1 - random.uniform())) * Math.cos(2 * Math.PI * random.uniform())
  const column = () => Float64Array.from({ length: queries }, normal)
  const query = column()
  const grid = sizes.flatMap((trials, strategy) => {
    const shared = column()
    return Array.from({ length: trials }, (_, trial) => {
      const latent = query.map(
        (own, index) => Math.sqrt(0.6) * own + Math.sqrt(0.2) * (shared[index] + normal()),
      )
      return { name: `s${strategy}-${trial}`, strategy: `s${strategy}`, values: latent }
    })
  })
  const seenAs = (latent: number, index: number): number => {
    if (values === 'normal') return 0.5 + 0.15 * latent
    if (values === 'ties') return latent < -0.4 ? 0 : latent < 0.4 ? 0.5 : 1
    if (values === 'skew') return Math.exp(1.2 * latent) / 20
    const common = query[index] > 0 ? 1 : 0
    return random.uniform() < 0.05 ? 1 - common : common
  }
  return {
    names: grid.map(({ name }) => name),
    strategies: grid.map(({ strategy }) => strategy),
    matrix: grid.map((one) => one.values.map(seenAs)),
  }
}

/** 4 x 6, 67 in 4 strategies, a baseline and 200 of one, 15 strategies. */
export const SHAPES: Readonly<Record<string, readonly number[]>> = {
  '4 x 6': [6, 6, 6, 6],
  '67 in 4': [17, 17, 17, 16],
  '200 of one': [1, 200],
  '15 strategies': new Array(15).fill(2),
}
