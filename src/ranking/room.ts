import type { Ranking } from '../types.ts'

/** Gives out memory for rankings that are filled at once and mostly forgotten soon. */
export interface Room {
  /** An unfilled ranking of `n` entries. */
  take(n: number): Ranking
}

/** Rankings that share one piece of memory: it lives as long as any of them. */
const MOST = 16

/** To allocate two arrays costs several times as much as to fill them; so pieces are taken for more and more lists at once. */
export function createRoom(): Room {
  let lists = 1
  let memory = new ArrayBuffer(0)
  let used = 0
  return {
    take(n) {
      const bytes = 8 * Math.ceil(1.5 * n)
      if (used + bytes > memory.byteLength) {
        memory = new ArrayBuffer(lists * bytes)
        lists = Math.min(MOST, 2 * lists)
        used = 0
      }
      const taken = {
        rows: new Uint32Array(memory, used + 8 * n, n),
        scores: new Float64Array(memory, used, n),
      }
      used += bytes
      return taken
    },
  }
}
