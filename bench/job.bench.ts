import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeRecording } from '../scripts/recording/write.ts'
import { askPeer, bytesOf } from './peer.ts'
import { syntheticTexts, syntheticVectors } from './synthetic.ts'
import { type Usage, usageOf } from './usage.ts'

const DIMS = 384
const QUERIES = 500
const WORDS = 8

/** 20 trials: naive, 4 of bm25, 12 weighted and 3 reciprocal fusions. */
const CONFIG = `dataset: {beir: {path: .}}
prepare: {chunk: passages, embedder: {recorded: {path: vectors.parquet}}}
trials:
  - naive
  - bm25: {grid: {k1: [0.9, 1.2], b: [0.4, 0.75]}}
  - hybrid: {norm: minmax, grid: {k1: [0.9, 1.2], b: [0.4, 0.75], alpha: [0.3, 0.5, 0.7]}}
  - hybrid: {fusion: rrf, grid: {rrfK: [10, 60, 100]}}
measures: [recall@5, recall@10, mrr@10, ndcg@10]
folds: 5
compare: {by: recall@5, baseline: naive}
`

/**
 * The whole job: 20 trials x 500 queries, from a BEIR folder and recorded vectors (384 dims) to a table of means with a
 * comparison. CPU seconds of all threads, seconds that passed (`wall`) and peak memory of a process; one worker, if a row says nothing
 * else. Ours cross-validates, corrects for many comparisons and writes a report. Peer: bm25s, numpy and ranx in plain Python, with a
 * t-test.
 */
export default {
  name: 'job',
  sizes: [25_000],
  run(size: number) {
    const rows = []
    const folder = mkdtempSync(join(tmpdir(), 'job-'))
    try {
      writeJob(folder, size)
      const files = ['corpus.jsonl', 'queries.jsonl', 'test.tsv', 'corpus.f32', 'queries.f32', 'dims.json']
      const peer = askPeer<Omit<Usage, 'wall'>>(
        'job',
        Object.fromEntries(files.map((file) => [file, readFileSync(join(folder, file))])),
      )
      const row = (name: string, ours: Usage) => ({
        case: `${size} passages, ${name}`,
        ours_s: ours.seconds,
        wall_s: ours.wall,
        ours_mb: ours.mb,
        peer: peer ? 'bm25s, numpy, ranx' : '',
        peer_s: peer?.seconds ?? null,
        peer_mb: peer?.mb ?? null,
        ratio: peer ? peer.seconds / ours.seconds : null,
      })
      const run = (workers: string) => usageOf(folder, 'run', 'config.yaml', '--workers', workers)
      const forget = (part: string) => rmSync(join(folder, part), { recursive: true })
      for (const workers of ['2', '1']) {
        rows.push(row(`files to table, workers: ${workers}`, run(workers)))
        forget('experiments')
        if (workers === '2') forget('.touchstone')
      }
      rows.push(row('prepared before', run('1')))
      rows.push(row('run again, nothing to do', run('1')))
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
    return rows
  },
}

function writeJob(folder: string, size: number): void {
  const texts = syntheticTexts(size).map((text, row) => `${text} n${row}`)
  const queries = texts
    .filter((_, row) => row % Math.ceil(size / QUERIES) === 0)
    .map((text, query) => `${text.split(' ').slice(0, WORDS).join(' ')} q${query}`)
  const all = syntheticVectors(size + queries.length, DIMS)
  const corpus = all.subarray(0, size * DIMS)
  const asked = all.subarray(size * DIMS)
  const lines = (prefix: string, list: readonly string[]) =>
    list.map((text, row) => `${JSON.stringify({ _id: `${prefix}${row}`, title: '', text })}\n`).join('')
  const step = Math.ceil(size / QUERIES)
  writeFileSync(join(folder, 'corpus.jsonl'), lines('d', texts))
  writeFileSync(join(folder, 'queries.jsonl'), lines('q', queries))
  const qrels = queries.map((_, query) => `q${query}\td${query * step}\t1\n`).join('')
  writeFileSync(join(folder, 'test.tsv'), `query-id\tcorpus-id\tscore\n${qrels}`)
  mkdirSync(join(folder, 'qrels'))
  copyFileSync(join(folder, 'test.tsv'), join(folder, 'qrels', 'test.tsv'))
  writeFileSync(join(folder, 'corpus.f32'), bytesOf(corpus))
  writeFileSync(join(folder, 'queries.f32'), bytesOf(asked))
  writeFileSync(join(folder, 'dims.json'), String(DIMS))
  writeFileSync(join(folder, 'config.yaml'), CONFIG)
  writeRecording(join(folder, 'vectors.parquet'), {
    model: 'invented',
    dims: DIMS,
    modelSha256: '0'.repeat(64),
    date: '2026-11-25',
    dtype: 'float32',
    texts: [...texts, ...queries],
    vectors: all,
  })
}
