import { buildCsr } from '../src/corpus/graph/csr.ts'
import { createRandom } from '../src/random.ts'
import { askPeer, bytesOf } from './peer.ts'
import { benchRow, timed } from './synthetic.ts'

const NODES = 500_000
const EDGES = 4_000_000

/** Layout of a graph of 500,000 nodes and 4 million edges in rows (CSR), in milliseconds. Peer: scipy. */
export default {
  name: 'csr',
  run() {
    const random = createRandom(2)
    const sources = Uint32Array.from({ length: EDGES }, () => random.below(NODES))
    const targets = Uint32Array.from({ length: EDGES }, () => random.below(NODES))
    const peer = askPeer<number>('csr', { 'sources.u32': bytesOf(sources), 'targets.u32': bytesOf(targets) })
    return [
      benchRow(
        'CSR of 500,000 nodes, 4,000,000 edges',
        timed(1, () => buildCsr(NODES, { sources, targets })),
        'scipy',
        peer,
      ),
    ]
  },
}
