import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRandom } from '../src/random.ts'
import { askPeer } from './peer.ts'
import { type Usage, usageOf } from './usage.ts'

/** Documents of a query's ranking, and of them all. */
const DEPTH = 1000
const DOCUMENTS = 500_000
const GOLD = 10
const MEASURES = ['map', 'recip_rank', 'ndcg_cut.10', 'recall.100', 'P.10']

/**
 * `score` from TREC files, rankings of 1,000 documents: CPU seconds of all threads and peak memory of a process, from files to
 * five means. Peer: pytrec_eval, which reads the files with its own parsers.
 */
export default {
  name: 'score',
  sizes: [2_000_000],
  run(size: number) {
    const folder = mkdtempSync(join(tmpdir(), 'score-'))
    try {
      const { qrels, run } = trecFiles(size / DEPTH)
      writeFileSync(join(folder, 'qrels.txt'), qrels)
      writeFileSync(join(folder, 'run.txt'), run)
      const asked = MEASURES.flatMap((measure) => ['-m', measure])
      const ours = usageOf(folder, 'score', 'qrels.txt', 'run.txt', ...asked)
      const peer = askPeer<Omit<Usage, 'wall'>>('score', { 'qrels.txt': qrels, 'run.txt': run })
      return [
        {
          case: `${size} rows`,
          ours_s: ours.seconds,
          ours_mb: ours.mb,
          peer: peer ? 'pytrec_eval' : '',
          peer_s: peer?.seconds ?? null,
          peer_mb: peer?.mb ?? null,
          ratio: peer ? peer.seconds / ours.seconds : null,
        },
      ]
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
}

function trecFiles(queries: number): { qrels: string; run: string } {
  const random = createRandom(1)
  const document = () => `doc${random.below(DOCUMENTS)}`
  const qrels: string[] = []
  const run: string[] = []
  for (let query = 0; query < queries; query++) {
    const ranking = [...new Set(Array.from({ length: DEPTH }, document))]
    const gold = new Set([...ranking.slice(0, GOLD / 2), ...Array.from({ length: GOLD / 2 }, document)])
    for (const id of gold) qrels.push(`q${query} 0 ${id} 1\n`)
    for (const [rank, id] of ranking.entries())
      run.push(`q${query} Q0 ${id} ${rank + 1} ${(30 - rank / 50).toFixed(4)} bm25
`)
  }
  return { qrels: qrels.join(''), run: run.join('') }
}
