import type { Dense } from '../src/models/lsa/dense.ts'
import { fitLsa } from '../src/models/lsa/model.ts'
import { openMultiply } from '../src/models/lsa/multiply.ts'
import { openTimes, type Sparse } from '../src/models/lsa/sparse.ts'
import { globalWeights, weightedTerms } from '../src/models/lsa/weights.ts'
import { countTerms } from '../src/text/term-counts.ts'
import { askPeer, bytesOf } from './peer.ts'
import { type BenchRow, benchRow, syntheticTexts, timed } from './synthetic.ts'

const COLUMNS = 416

/** Fitting 400 dims, and the two products that it consists of. Baseline: scikit-learn's randomized
 * SVD, two power iterations, and the products as plain loops. */
export default {
  name: 'lsa',
  sizes: [2500, 25_000],
  run(size: number): BenchRow[] {
    const counts = countTerms(syntheticTexts(size), (text) => text.split(' '))
    const begin = performance.now()
    fitLsa(counts, { dims: 400, seed: 0 }, () => {})
    const fit = performance.now() - begin
    const sparse = weightedTerms(counts, globalWeights(counts))
    const peer = askPeer<number>('lsa.py', {
      'offsets.u32': bytesOf(sparse.offsets),
      'indices.u32': bytesOf(sparse.indices),
      'values.f64': bytesOf(Float64Array.from(sparse.values)),
      'shape.json': JSON.stringify({ columns: counts.terms.length, dims: 400 }),
    })
    const x = { rows: size, columns: COLUMNS, values: new Float64Array(size * COLUMNS).fill(0.01) }
    const times = openTimes(sparse, COLUMNS)
    const { gram } = openMultiply(COLUMNS)
    return [
      benchRow(`${size} texts, fit`, fit, peer === undefined ? '' : 'scikit-learn', peer ?? null),
      benchRow(
        `${size} texts, sparse product`,
        timed(1, () => times(x)),
        'plain loops',
        timed(1, () => plainTimes(sparse, x)),
      ),
      benchRow(
        `${size} texts, dense product`,
        timed(1, () => gram(x)),
        'plain loops',
        timed(1, () => plainGram(x)),
      ),
    ]
  },
}

function plainTimes({ rows, offsets, indices, values }: Sparse, x: Dense): Float64Array {
  const product = new Float64Array(rows * x.columns)
  for (let row = 0; row < rows; row++)
    for (let at = offsets[row]; at < offsets[row + 1]; at++)
      for (let i = 0; i < x.columns; i++)
        product[row * x.columns + i] += values[at] * x.values[indices[at] * x.columns + i]
  return product
}

function plainGram({ rows, columns, values }: Dense): Float64Array {
  const square = new Float64Array(columns * columns)
  for (let row = 0; row < rows; row++)
    for (let i = 0; i < columns; i++)
      for (let j = i; j < columns; j++)
        square[i * columns + j] += values[row * columns + i] * values[row * columns + j]
  return square
}
