import { fitLsa } from '../src/models/lsa/model.ts'
import { openMultiply } from '../src/models/lsa/multiply.ts'
import { openTimes } from '../src/models/lsa/sparse.ts'
import { globalWeights, weightedTerms } from '../src/models/lsa/weights.ts'
import { countTerms } from '../src/text/term-counts.ts'
import { askPeer, bytesOf } from './peer.ts'
import { type BenchRow, benchRow, syntheticTexts, timed } from './synthetic.ts'

const COLUMNS = 416

/** Fitting 400 dims, and its two matrix products. Peer: scikit-learn's randomized SVD with two power iterations. */
export default {
  name: 'lsa',
  sizes: [2500, 25_000],
  run(size: number): BenchRow[] {
    const counts = countTerms(syntheticTexts(size), (text) => text.split(' '))
    const begin = performance.now()
    fitLsa(counts, { dims: 400, seed: 0 }, () => {})
    const fit = performance.now() - begin
    const sparse = weightedTerms(counts, globalWeights(counts))
    const peer = askPeer<number>('lsa', {
      'offsets.u32': bytesOf(sparse.offsets),
      'indices.u32': bytesOf(sparse.indices),
      'values.f64': bytesOf(Float64Array.from(sparse.values)),
      'shape.json': JSON.stringify({ columns: counts.terms.length, dims: 400 }),
    })
    const x = { rows: size, columns: COLUMNS, values: new Float64Array(size * COLUMNS).fill(0.01) }
    const times = openTimes(sparse, COLUMNS)
    const { gram } = openMultiply(COLUMNS)
    return [
      benchRow(`${size} texts, fit`, fit, 'scikit-learn', peer),
      benchRow(
        `${size} texts, sparse product`,
        timed(1, () => times(x)),
      ),
      benchRow(
        `${size} texts, dense product`,
        timed(1, () => gram(x)),
      ),
    ]
  },
}
