import type { TiedRanking } from '../../metrics/ties.ts'

/**
 * By label, among units of equal score. The block that `depth` cuts is followed to its end: another order would have
 * put other units of it within depth, so a label of it has places here though its rank is 0.
 */
export type Ties = Pick<TiedRanking, 'ranks' | 'firstTied' | 'lastTied'>

/** Follows a collapsed ranking unit by unit, best first, and notes for each label in which block of equal scores it stands. */
interface Blocks {
  start(labels: number): void
  /** The next unit; its labels follow by `note`. `continues`: it has the score of the one before. */
  meet(continues: boolean): void
  /** Notes a label of the unit just met. False where the label has stood at an earlier unit already. */
  note(label: number): boolean
  /** Ends the ranking. Null where no label shares its score with another unit. */
  ties(labels: number): Ties | null
}

/** Keeps its columns between rankings, so that a ranking without ties costs nothing but the comparisons. */
export function createBlocks(): Blocks {
  let ranks = new Int32Array(64)
  let first = new Int32Array(64)
  let last = new Int32Array(64)
  /** Labels of the block that is open. */
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
