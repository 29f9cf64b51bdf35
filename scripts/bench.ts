import { join } from 'node:path'
import { installPeers } from '../bench/peer.ts'
import { benchmarksPage } from './evidence-pages.ts'
import { evidenceFiles, main, measure, readRequest } from './evidence-parts.ts'

/**
 * `npm run bench`: times of every operation next to its peer, printed. `--only NAME` and `--sizes N,N` choose; `--write` stores
 * them in docs/evidence/benchmarks.json, writes docs/evidence/benchmarks.md, and first installs the libraries of
 * bench/requirements.txt.
 */
const root = join(import.meta.dirname, '..')
const evidence = join(root, 'docs', 'evidence')
await main(async () => {
  const request = readRequest(process.argv.slice(2))
  if (request.write) installPeers()
  const all = evidenceFiles(join(root, 'bench'), '.bench.ts')
  return measure(request, {
    all,
    store: join(evidence, 'benchmarks.json'),
    page: join(evidence, 'benchmarks.md'),
    pageOf: (parts) => benchmarksPage(all, parts),
    timed: true,
  })
})
