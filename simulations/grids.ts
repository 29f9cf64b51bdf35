import { createRandom } from '../src/random.ts'

/** Kinds of simulated values: a row minus the baseline has the mean 0 in all of them. */
export const SHAPES = [
  'normal',
  '0/1',
  'recall',
  '2 % discordant',
  '5 % discordant',
  '10 % discordant',
  'exponential',
  '+.5 on 5 %, else -.026',
  '+.5 on 5 %, -.05 on half',
] as const
export type Shape = (typeof SHAPES)[number]

export interface Generator {
  uniform(): number
  normal(): number
  /** A baseline's values, and a function that draws another row of equal expectation. */
  grid(shape: Shape, queries: number): { baseline: Float64Array; row(): Float64Array }
}

export function createGenerator(seed: number): Generator {
  const { uniform, below } = createRandom(seed)
  const normal = () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform())
  /** Beta(2, 2): the median of three uniform numbers. */
  const beta = () => [uniform(), uniform(), uniform()].sort((a, b) => a - b)[1]
  const binomial = (n: number, p: number) => Array.from({ length: n }, uniform).filter((u) => u < p).length

  function grid(shape: Shape, queries: number) {
    const column = (value: (query: number) => number) =>
      Float64Array.from({ length: queries }, (_, q) => value(q))
    const chances = column(beta)
    const labels = column(() => 1 + below(4))
    const discordant = Number.parseInt(shape, 10) / 100
    const common = column(() => (uniform() < 0.5 ? 1 : 0))
    const draw: Record<string, (query: number) => number> = {
      normal,
      '0/1': (query) => (uniform() < chances[query] ? 1 : 0),
      recall: (query) => binomial(labels[query], chances[query]) / labels[query],
      exponential: () => -Math.log(1 - uniform()) - 1,
      '+.5 on 5 %, else -.026': () => (uniform() < 0.05 ? 0.5 : -0.025 / 0.95),
      '+.5 on 5 %, -.05 on half': () => {
        const u = uniform()
        return u < 0.05 ? 0.5 : u < 0.55 ? -0.05 : 0
      },
    }
    const differences = ['exponential', '+.5 on 5 %, else -.026', '+.5 on 5 %, -.05 on half'].includes(shape)
    const isDiscordant = shape.endsWith('discordant')
    const value = isDiscordant
      ? (query: number) => (uniform() < discordant ? 1 - common[query] : common[query])
      : draw[shape]
    return {
      baseline: differences ? new Float64Array(queries) : isDiscordant ? common : column(value),
      row: () => column(value),
    }
  }

  return { uniform, normal, grid }
}
