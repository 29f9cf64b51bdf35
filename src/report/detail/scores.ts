import type { Summary } from '../../results/summary.ts'
import { type Block, integerBlock, jsonBlock } from './encode.ts'

/** Trials up to which every query's score is there in every measure; of more, in the primary one. */
const FEW_TRIALS = 64

/** Measures of which the page carries every query's score. */
export function detailMeasures({ measures, primary, trials }: Summary): readonly string[] {
  return trials.length <= FEW_TRIALS ? measures : [primary]
}

/** A (query x trial) matrix of scores: few different values, so codes of a list of values; code 0 is "not judged". */
export function scoreMatrix(
  scores: Float64Array,
  queries: number,
  trials: readonly number[],
): { codes: Block; values: Block } {
  const codes = new Uint32Array(queries * trials.length)
  const known = new Map<number, number>()
  const values: number[] = []
  for (let query = 0; query < queries; query++)
    trials.forEach((trial, index) => {
      const value = scores[trial * queries + query]
      if (Number.isNaN(value)) return
      // Six digits keep the number of different values, and so the bytes, small.
      const rounded = Math.round(value * 1e6) / 1e6
      let code = known.get(rounded)
      if (code === undefined) {
        code = values.push(rounded)
        known.set(rounded, code)
      }
      codes[query * trials.length + index] = code
    })
  return { codes: integerBlock(codes), values: jsonBlock(values) }
}
