import type { Ranking } from '../types.ts'
import { createRoom, type Room } from './room.ts'
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
  readonly desk: Desk
}

/** What a fusion leaves for the next one of the same rankings: it saves work and never changes a result. */
export interface Desk {
  /** By part: the places of its rows in `rows`, in the order that the last fusion gave them. */
  readonly orders: readonly Uint32Array[]
  /** By ranking, as long as `rows`: the row's score on the scale that was used last, 0 where it does not hold the row. */
  readonly scaled: readonly Float64Array[]
  /** Which scale that is. */
  scale: string
  /** Scratch, as long as `rows`. */
  readonly scores: Float64Array
  readonly merged: readonly [Uint32Array, Uint32Array]
  /** Where fused lists go. */
  readonly room: Room
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
  const alone = rankings.map((ranking) =>
    ranking.rows.reduce((sum, row) => sum + (holders[slots.slotOf(row)] === 1 ? 1 : 0), 0),
  )
  return { rankings, rows, places, desk: setUp(n, alone) }
}

/** A desk for `n` rows, of which each ranking holds so many alone. */
function setUp(n: number, alone: readonly number[]): Desk {
  let begin = 0
  const orders = [n - alone.reduce((sum, count) => sum + count, 0), ...alone].map((count) => {
    const order = new Uint32Array(count)
    for (let i = 0; i < count; i++) order[i] = begin++
    return order
  })
  const merged = [new Uint32Array(n), new Uint32Array(n)] as const
  const scaled = alone.map(() => new Float64Array(n))
  return { orders, scaled, scale: '', scores: new Float64Array(n), merged, room: createRoom() }
}
