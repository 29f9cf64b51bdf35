import type { Ranking } from '../types.ts'
import { createSlots } from './slots.ts'

/** Several rankings over one set of rows: all that their fusions share, whatever the weights. */
export interface Aligned {
  readonly rankings: readonly Ranking[]
  /**
   * The union: first what several rankings hold, then what each holds alone, in its order. So a fused list comes in
   * long runs, which are cheap to sort.
   */
  readonly rows: Uint32Array
  /** By ranking, as long as `rows`: the row's place in it from 0, or -1 where it does not hold the row. */
  readonly places: readonly Int32Array[]
}

export function align(rankings: readonly Ranking[]): Aligned {
  const capacity = rankings.reduce((total, { rows }) => total + rows.length, 0)
  const slots = createSlots(capacity)
  const met = new Uint32Array(capacity)
  const holders = new Uint32Array(capacity)
  for (const { rows } of rankings)
    for (let place = 0; place < rows.length; place++) {
      const slot = slots.slotOf(rows[place])
      met[slot] = rows[place]
      holders[slot]++
    }
  const n = slots.count()
  const rows = new Uint32Array(n)
  const column = new Uint32Array(n)
  let count = 0
  for (const alone of [false, true])
    for (let slot = 0; slot < n; slot++) {
      if ((holders[slot] === 1) !== alone) continue
      rows[count] = met[slot]
      column[slot] = count++
    }
  const places = rankings.map((ranking) => {
    const own = new Int32Array(n).fill(-1)
    for (let place = 0; place < ranking.rows.length; place++)
      own[column[slots.slotOf(ranking.rows[place])]] = place
    return own
  })
  return { rankings, rows, places }
}
