import type { Results } from '../../results/read.ts'
import { type Block, integerBlock } from './encode.ts'
import { detailMeasures, scoreMatrix } from './scores.ts'

/** Per-query results, one column per trial. */
export interface Matrices {
  readonly trials: readonly number[]
  /** (label x trial): ranks, and 1 + the place of a stage's name; 0 for none. */
  readonly ranks: Block
  readonly stages: Block
  /** Two blocks a measure: `scores0` and `values0` are the first one's. */
  readonly scores: Readonly<Record<string, Block>>
  readonly measures: readonly string[]
}

export function packMatrices(
  { summary, queries, scores, labels, gold }: Results,
  trials: readonly number[],
): Matrices {
  const ranks = new Uint16Array(labels.rows * trials.length)
  const stages = new Uint8Array(labels.rows * trials.length)
  trials.forEach((trial, index) => {
    for (let label = 0; label < labels.rows; label++) {
      const row = trial * labels.rows + label
      const cell = label * trials.length + index
      ranks[cell] = Math.max(0, gold.rank[row])
      stages[cell] = gold.stage.codes[row] + 1
    }
  })
  const measures = detailMeasures(summary)
  const blocks: Record<string, Block> = {}
  measures.forEach((measure, index) => {
    const { codes, values } = scoreMatrix(scores.get(measure)!, queries.id.length, trials)
    blocks[`scores${index}`] = codes
    blocks[`values${index}`] = values
  })
  return { trials, ranks: integerBlock(ranks), stages: integerBlock(stages), scores: blocks, measures }
}
