import { createRandom, type Random } from '../src/random.ts'
import { catchableDrop, dropTest } from '../src/statistics/drop.ts'
import { tTest } from '../src/statistics/intervals.ts'
import { percent } from './rates.ts'

const RUNS = 400
const MAX = 0.01
const LEVEL = 0.05

/** A drop of one query, with the mean `drop`. */
type Draw = (random: Random, drop: number) => number
const KINDS: Readonly<Record<string, Draw>> = {
  'half steps, a fifth of the queries each way': ({ uniform }, drop) => {
    const u = uniform()
    return u < 0.2 + 2 * drop ? 0.5 : u < 0.4 + 2 * drop ? -0.5 : 0
  },
  'whole flips, a twentieth each way': ({ uniform }, drop) => {
    const u = uniform()
    return u < 0.05 + drop ? 1 : u < 0.1 + drop ? -1 : 0
  },
  'whole losses alone': ({ uniform }, drop) => (uniform() < drop ? 1 : 0),
  'losses of .1, whole gains on a fiftieth': ({ uniform }, drop) => {
    const u = uniform()
    return u < 0.02 ? -1 : u < 0.02 + 10 * (drop + 0.02) ? 0.1 : 0
  },
  'bell-shaped, deviation .18': ({ uniform }, drop) => {
    let sum = 0
    for (let part = 0; part < 6; part++) sum += uniform()
    return Math.max(-1, Math.min(1, (sum - 3) * 0.25 + drop))
  },
}

/**
 * `touchstone gate --max-drop 0.01` on 400 simulated changes of `n` queries. `no drop` and `at the bound`: gates that fail
 * although the true drop is 0 or exactly the allowed one (goal: at most 5 %). `says`: the drop in points that the gate promises
 * to find four times in five (0 if there is none). `found`: gates that fail at this drop. `t-test`: one-sided t-tests that fail
 * at the allowed drop.
 */
export default {
  name: 'gate',
  sizes: [50, 100, 300],
  run(n: number) {
    return Object.entries(KINDS).map(([name, draw], kind) => {
      const random = createRandom(1000 * kind + n)
      const sample = (drop: number) => Float64Array.from({ length: n }, () => draw(random, drop))
      const share = (fails: (run: number) => boolean) =>
        percent(Array.from({ length: RUNS }, (_, run) => fails(run)).filter(Boolean).length / RUNS)
      const fails = (drop: number) =>
        share((run) => dropTest(sample(drop), MAX, { draws: 1000, seed: run }) <= LEVEL)
      const promised = Array.from({ length: 25 }, () => catchableDrop(sample(0.1), MAX, LEVEL) ?? 1)
      const median = promised.sort((a, b) => a - b)[12]
      const says = median < 1 ? median : 0
      return {
        differences: name,
        n,
        'no drop %': fails(0),
        'at the bound %': fails(MAX),
        says: percent(says),
        'found %': says > 0 ? fails(says) : null,
        't-test %': share(() => tTest(sample(MAX), { level: 2 * LEVEL }).low > MAX),
      }
    })
  },
}
