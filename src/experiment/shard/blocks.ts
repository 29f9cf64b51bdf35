import type { TiedRanking } from '../../metrics/ties.ts'

/**
 * Tied positions by label. A block of equal scores that `depth` cuts is followed to its end: another order would have put other
 * units within depth, so a label of the block has tied positions although its rank is 0.
 */
export type Ties = Pick<TiedRanking, 'ranks' | 'firstTied' | 'lastTied'>

/** Follows a collapsed ranking unit by unit, best first, and records the block of equal scores of each label. */
interface Blocks {
  start(labels: number): void
  /** Moves to the next unit, whose labels follow by `note`. `continues`: its score equals the previous score. */
  meet(continues: boolean): void
  /** Records a label of the current unit. False if an earlier unit already had the label. */
  note(label: number): boolean
  /** Ends the ranking. Null if no label shares its score with another unit. */
  ties(labels: number): Ties | null
}

/** Reuses its columns, so that a ranking without ties costs only comparisons. */
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
