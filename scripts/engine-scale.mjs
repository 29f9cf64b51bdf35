// Load time, query time and recall of short passages in OpenSearch, by words and by vectors, as Touchstone loads and asks them.
//     TOUCHSTONE_OPENSEARCH=http://127.0.0.1:9250 node scripts/engine-scale.mjs FOLDER [ROWS] [PID of the server] [CASE]
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const dist = (file) => new URL(`../dist/${file}`, import.meta.url)
const { openSearchTexts, openSearchVectors } = await import(dist('engines/opensearch.js'))
const { derived } = await import(dist('store/artifact.js'))
const { openStore } = await import(dist('store/store.js'))
const { createRandom } = await import(dist('statistics/random.js'))

const [folder, rows = '1000000', server, only = ''] = process.argv.slice(2)
const [ROWS, DIMS, CENTRES, QUERIES, K, WORDS, VOCABULARY] = [Number(rows), 64, 2000, 160, 10, 20, 50_000]
const random = createRandom(7)
const normal = () => Math.sqrt(-2 * Math.log(1 - random.uniform())) * Math.cos(2 * Math.PI * random.uniform())
const unit = (vector) => {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0))
  return vector.map((value) => value / length)
}
const near = (centre) => unit(Float32Array.from(centre, (value) => value + 0.1 * normal()))
/** A word by Zipf's law: the rank grows with the exponential of a uniform number. */
const word = () => `w${Math.floor(VOCABULARY ** random.uniform())}`

const floats = new Float32Array(ROWS * DIMS)
const centres = Array.from({ length: CENTRES }, () => unit(Float32Array.from({ length: DIMS }, normal)))
for (let row = 0; row < ROWS; row++) floats.set(near(centres[row % CENTRES]), row * DIMS)
const texts = Array.from({ length: ROWS }, () => Array.from({ length: WORDS }, word).join(' '))
const vectors = Array.from({ length: QUERIES }, (_, at) => near(centres[(at * 37) % CENTRES]))
/** Six words of a passage. */
const questions = Array.from({ length: QUERIES }, (_, at) => {
  const words = texts[Math.floor((at * ROWS) / QUERIES)].split(' ')
  return [0, 4, 8, 11, 15, 19].map((place) => words[place]).join(' ')
})
const exact = vectors.map((query) => {
  const best = []
  for (let row = 0; row < ROWS; row++) {
    let dot = 0
    for (let i = 0; i < DIMS; i++) dot += query[i] * floats[row * DIMS + i]
    if (best.length === K && dot <= best[K - 1].dot) continue
    best.push({ row, dot })
    best.sort((a, b) => b.dot - a.dot).splice(K)
  }
  return new Set(best.map(({ row }) => row))
})

const inputs = {
  embeddings: derived(
    'scale_vectors',
    {},
    () => ({
      model: 'random',
      dims: DIMS,
      vectors: Array.from(
        { length: ROWS },
        (_, row) => new Uint8Array(floats.buffer, 4 * row * DIMS, 4 * DIMS),
      ),
    }),
    { ROWS, DIMS },
  ),
  texts: derived('scale_texts', {}, () => texts, { ROWS, WORDS }),
}
const SHAPE = { shards: 1, replicas: 0 }
const CASES = [
  [
    'OpenSearch, BM25',
    openSearchTexts(inputs.texts, { ...SHAPE, analyzer: 'standard', k1: 0.9, b: 0.4 }),
    null,
    questions,
  ],
  ['OpenSearch, hnsw', openSearchVectors(inputs.embeddings, { ...SHAPE, graph: { m: 16 } }), 100, vectors],
]

const store = openStore(join(resolve(folder), 'store'))
const seconds = (begin) => ((performance.now() - begin) / 1000).toFixed(1)
/** Processor seconds that a process has used, in the kernel's hundredths. */
const cpuOf = (process) => {
  const [, rest] = readFileSync(`/proc/${process}/stat`, 'utf8').split(') ')
  return rest
    .split(' ')
    .slice(11, 13)
    .reduce((sum, ticks) => sum + Number(ticks) / 100, 0)
}
const cpu = () => [cpuOf('self'), server ? cpuOf(server) : 0]
const since = (before) => cpu().map((now, at) => now - before[at])
const peakOf = (process) =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${process}/status`, 'utf8'))[1]) / 1e6
for (const [name, artifact, how, queries] of CASES.filter(([name]) => name.includes(only))) {
  const begin = performance.now()
  const before = cpu()
  await store.prepare(artifact)
  const load = seconds(begin)
  const [used, served] = since(before)
  const index = await store.open(artifact)
  for (const query of queries) await index.search(query, K, how)
  const measured = []
  let found = 0
  for (const concurrent of [1, 4, 16]) {
    const times = []
    const own = queries.map((query, at) => [query, at])
    const start = performance.now()
    await Promise.all(
      Array.from({ length: concurrent }, async () => {
        for (let next = own.pop(); next; next = own.pop()) {
          const began = performance.now()
          const { rows } = await index.search(next[0], K, how)
          times.push(performance.now() - began)
          if (concurrent === 1 && how) found += rows.filter((row) => exact[next[1]].has(row)).length
        }
      }),
    )
    times.sort((a, b) => a - b)
    const [p50, p95] = [0.5, 0.95].map((q) => times[Math.floor(q * times.length)].toFixed(1))
    measured.push(
      `${concurrent}: p50 ${p50} p95 ${p95} ms, ${(QUERIES / ((performance.now() - start) / 1000)).toFixed(0)}/s`,
    )
  }
  const recall = how ? `, recall@${K} ${(found / K / QUERIES).toFixed(3)}` : ''
  const memory = `peak here ${peakOf('self').toFixed(2)} GB${server ? `, server ${peakOf(server).toFixed(2)} GB` : ''}`
  console.log(
    `${name}: ${ROWS} rows loaded in ${load} s, CPU here ${used.toFixed(0)} s${server ? `, server ${served.toFixed(0)} s` : ''}; ${measured.join('; ')}${recall}; ${memory}`,
  )
}
await store.close()
