// How much memory a search of LanceDB takes, and what it finds: ROWS x 384 vectors in clusters, searched by a process of its own.
//     cd .ci/engines && npm install --no-save --omit=optional && node ../../scripts/lancedb-memory.mjs FOLDER [ROWS] [PROBES] [REFINE]
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const dist = (file) => new URL(`../dist/${file}`, import.meta.url)
const { lanceVectors } = await import(dist('engines/lancedb/table.js'))
const { derived } = await import(dist('store/artifact.js'))
const { openStore } = await import(dist('store/store.js'))
const { createRandom } = await import(dist('statistics/random.js'))

const [folder, rows = '1000000', probes = '40', refine = '10', role] = process.argv.slice(2)
const [ROWS, DIMS, CENTRES, QUERIES, K] = [Number(rows), 384, 2000, 100, 10]
const random = createRandom(7)
const normal = () => Math.sqrt(-2 * Math.log(1 - random.uniform())) * Math.cos(2 * Math.PI * random.uniform())
const unit = (vector) => {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0))
  return vector.map((value) => value / length)
}
const near = (centre) => unit(Float32Array.from(centre, (value) => value + 0.04 * normal()))

const vectorsFile = join(resolve(folder), 'queries.json')
const artifact = (open) =>
  lanceVectors(
    derived('bench_vectors', {}, open, { ROWS, DIMS }),
    { uri: join(resolve(folder), 'lance') },
    { index: 'ivf_rq' },
  )
const store = openStore(join(resolve(folder), 'store'))

if (role === 'search') {
  const { queries, exact } = JSON.parse(readFileSync(vectorsFile, 'utf8'))
  const table = await store.open(artifact(() => ({ vectors: [], dims: DIMS })))
  const times = []
  let found = 0
  for (const [at, query] of queries.entries()) {
    const begin = performance.now()
    const { rows } = await table.search(Float32Array.from(query), K, {
      probes: Number(probes),
      refine: Number(refine),
    })
    times.push(performance.now() - begin)
    found += exact[at].filter((row) => rows.includes(row)).length
  }
  times.sort((a, b) => a - b)
  const status = readFileSync('/proc/self/status', 'utf8')
  const peak = Number(/VmHWM:\s+(\d+)/.exec(status)[1]) / 1024
  console.log(
    `${ROWS} x ${DIMS}, probes ${probes}, refine ${refine}: recall@${K} ${(found / K / QUERIES).toFixed(3)}, peak ${peak.toFixed(0)} MB, median ${times[QUERIES / 2].toFixed(1)} ms`,
  )
  await store.close()
} else {
  const bytes = new Uint8Array(4 * DIMS * ROWS)
  const floats = new Float32Array(bytes.buffer)
  const centres = Array.from({ length: CENTRES }, () => unit(Float32Array.from({ length: DIMS }, normal)))
  for (let row = 0; row < ROWS; row++) floats.set(near(centres[row % CENTRES]), row * DIMS)
  const queries = Array.from({ length: QUERIES }, (_, at) => near(centres[(at * 37) % CENTRES]))
  const exact = queries.map((query) => {
    const best = []
    for (let row = 0; row < ROWS; row++) {
      let sum = 0
      for (let i = 0; i < DIMS; i++) sum += query[i] * floats[row * DIMS + i]
      if (best.length < K || sum > best[K - 1][1]) {
        best.push([row, sum])
        best.sort((a, b) => b[1] - a[1])
        best.length = Math.min(K, best.length)
      }
    }
    return best.map(([row]) => row)
  })
  const begin = performance.now()
  await store.prepare(
    artifact(() => ({
      vectors: Array.from({ length: ROWS }, (_, row) => bytes.subarray(4 * DIMS * row, 4 * DIMS * (row + 1))),
      dims: DIMS,
    })),
  )
  console.log(`built in ${((performance.now() - begin) / 1000).toFixed(0)} s`)
  writeFileSync(vectorsFile, JSON.stringify({ queries: queries.map((query) => [...query]), exact }))
  await store.close()
  const self = fileURLToPath(import.meta.url)
  for (const [p, r] of [
    [probes, refine],
    ['10', '10'],
    ['80', '20'],
  ])
    spawnSync(process.execPath, ['--max-old-space-size=256', self, folder, rows, p, r, 'search'], {
      stdio: 'inherit',
    })
}
