import { createRandom, shuffle } from '../src/random.ts'
import { align, type Fusion, fuse } from '../src/ranking/fuse.ts'
import { rankPairs } from '../src/ranking/order.ts'
import type { Ranking } from '../src/types.ts'
import { askPeer } from './peer.ts'
import { type BenchRow, benchRow, timed } from './synthetic.ts'

const DEPTHS = [100, 1000]
const QUERIES = 50
/** Fusions of one pair of lists in a grid: ten weights of two fusions. */
const GRID = 20
const RRF_K = 60

/**
 * Fusing a dense and a lexical list that share half their rows: milliseconds for 50 queries, one fusion and a grid of
 * twenty. Peer: ranx, one fusion at a time.
 */
export default {
  name: 'fusion',
  async run(): Promise<BenchRow[]> {
    return DEPTHS.flatMap((depth) => {
      const pairs = Array.from({ length: QUERIES }, (_, seed) => twoLists(depth, seed))
      const once = (fusion: Fusion, alphas: readonly number[]) => () => {
        for (const pair of pairs) {
          const aligned = align(pair)
          for (const alpha of alphas) fuse(aligned, [{ weight: alpha }, { weight: 1 - alpha }], fusion)
        }
      }
      const many = Array.from({ length: GRID / 2 }, (_, place) => (place + 0.5) / (GRID / 2))
      const rrf: Fusion = { fusion: 'rrf', rrfK: RRF_K }
      const weighted: Fusion = { fusion: 'weighted', norm: 'minmax' }
      const grid = () => {
        once(rrf, many)()
        once(weighted, many)()
      }
      const peer = askPeer<{ readonly rrf: number; readonly weighted: number }>('fusion', {
        'lists.json': JSON.stringify(
          pairs.map((pair) =>
            pair.map(({ rows, scores }) =>
              Object.fromEntries(Array.from(rows, (row, i) => [row, scores[i]])),
            ),
          ),
        ),
      })
      return [
        benchRow(`rrf, lists of ${depth}`, timed(9, once(rrf, [0.5])), 'ranx', peer?.rrf),
        benchRow(`weighted, lists of ${depth}`, timed(9, once(weighted, [0.5])), 'ranx', peer?.weighted),
        benchRow(`grid of ${GRID}, lists of ${depth}`, timed(5, grid)),
      ]
    })
  },
}

function twoLists(depth: number, seed: number): [Ranking, Ranking] {
  const random = createRandom(seed)
  const list = (from: number) => {
    const rows = shuffle(
      Array.from({ length: depth }, (_, place) => from + place),
      random,
    )
    return rankPairs(rows, rows.map(random.uniform), depth)
  }
  return [list(0), list(depth / 2)]
}
