import type { TiedRanking } from '../../metrics/ties.ts'

/**
 * Tied positions by label. A block of equal scores is followed beyond `depth`: another order would have put other units
 * within it.
 */
export type Ties = Pick<TiedRanking, 'ranks' | 'firstTied' | 'lastTied'>

/** Follows a collapsed ranking, and records the block of equal scores of each label. */
interface Blocks {
  start(labels: number): void
  /** Moves to the next unit. `continues`: its score equals the previous one. */
  meet(continues: boolean): void
  /** False if an earlier unit had the label. */
  note(label: number): boolean
  /** Null if no label shares its score. */
  ties(labels: number): Ties | null
}

/** Reuses its columns, so that rankings without ties cost only comparisons. */
export function createBlocks(): Blocks {
  let ranks = new Int32Array(64)
  let first = new Int32Array(64)
  let last = new Int32Array(64)
  /** Labels of the current block. */
  let open = new Int32Array(64)
  let waiting = 0
  let units = 0
  let begin = 0
  let tied = false

  function close(): void {
    if (waiting > 0 && units > begin) tied = true
    for (let index = 0; index < waiting; index++) last[open[index]] = units
    waiting = 0
  }

  return {
    start(labels) {
      if (ranks.length < labels)
        [ranks, first, last, open] = Array.from({ length: 4 }, () => new Int32Array(2 * labels))
      ranks.fill(0, 0, labels)
      waiting = units = begin = 0
      tied = false
    },
    meet(continues) {
      if (!continues) {
        close()
        begin = units + 1
      }
      units++
    },
    note(label) {
      if (ranks[label] > 0) return false
      ranks[label] = units
      first[label] = begin
      open[waiting++] = label
      return true
    },
    ties(labels) {
      close()
      if (!tied) return null
      const held = (column: Int32Array) => column.map((value, label) => (ranks[label] > 0 ? value : 0))
      return {
        ranks: ranks.slice(0, labels),
        firstTied: held(first.subarray(0, labels)),
        lastTied: held(last.subarray(0, labels)),
      }
    },
  }
}
