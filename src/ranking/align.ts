import type { Ranking } from '../types.ts'
import { createRoom, type Room } from './room.ts'
import { createSlots } from './slots.ts'

/** Several rankings over one set of rows: all that their fusions share, whatever the weights. */
export interface Aligned {
  readonly rankings: readonly Ranking[]
  /** The union, in the order of being met. */
  readonly rows: Uint32Array
  /** By ranking, as long as `rows`: the row's place in it from 0, or -1 where it does not hold the row. */
  readonly places: readonly Int32Array[]
  readonly desk: Desk
}

/** What a fusion leaves for the next one of the same rankings: it saves work and never changes a result. */
export interface Desk {
  /** The places of `rows`, in the order that the last fusion gave them. */
  readonly order: Uint32Array
  /** Whether anybody read a fused list beyond its head: then the next ones are sorted whole at once. */
  readsWhole: boolean
  /** By ranking, as long as `rows`: the row's score on the scale that was used last, 0 where it does not hold the row. */
  readonly scaled: readonly Float64Array[]
  /** Which scale that is. */
  scale: string
  /** Scratch, as long as `rows`. */
  readonly scores: Float64Array
  readonly spare: Uint32Array
  /** Where fused lists go. */
  readonly room: Room
}

export function align(rankings: readonly Ranking[]): Aligned {
  const capacity = rankings.reduce((total, { rows }) => total + rows.length, 0)
  const slots = createSlots(capacity)
  const met = new Uint32Array(capacity)
  const columns = rankings.map(({ rows }) => {
    const own = new Uint32Array(rows.length)
    for (let place = 0; place < rows.length; place++) {
      own[place] = slots.slotOf(rows[place])
      met[own[place]] = rows[place]
    }
    return own
  })
  const n = slots.count()
  const places = columns.map((own) => {
    const placeOf = new Int32Array(n).fill(-1)
    for (let place = 0; place < own.length; place++) placeOf[own[place]] = place
    return placeOf
  })
  const order = new Uint32Array(n)
  for (let i = 0; i < n; i++) order[i] = i
  const desk = {
    order,
    readsWhole: false,
    scaled: rankings.map(() => new Float64Array(n)),
    scale: '',
    scores: new Float64Array(n),
    spare: new Uint32Array(n),
    room: createRoom(),
  }
  return { rankings, rows: met.slice(0, n), places, desk }
}
