import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRandom } from '../src/random.ts'
import { usageOf } from './usage.ts'

const QUERIES = 100
const WORDS = 20
const VOCABULARY = 60_000
const SYLLABLES = 'ba ce di fo gu ha je ki lo mu na pe ri so tu va we xi yo zu'.split(' ')
/** Passages that are written at once. */
const BLOCK = 10_000

const CONFIG = `dataset: {beir: {path: .}}
prepare: {chunk: passages, embedder: {lsa: {dims: 64}}}
trials: [naive, bm25, hybrid]
measures: [recall@5]
compare: {by: recall@5, baseline: bm25}
`

/**
 * Growth of the commands from 10,000 to a million passages of 20 random words: bm25, lsa of 64 dims and their fusion, 100
 * queries, one worker. CPU seconds of all threads, and peak memory in MB. No peer: no library does these steps.
 * An empty memory cell was not measured.
 */
export default {
  name: 'scale',
  sizes: [10_000, 100_000],
  onRequest: [1_000_000],
  run(size: number) {
    const folder = mkdtempSync(join(tmpdir(), 'scale-'))
    try {
      writePassages(folder, size)
      const check = usageOf(folder, 'check', 'config.yaml')
      const prepare = usageOf(folder, 'prepare', 'config.yaml')
      const run = usageOf(folder, 'run', 'config.yaml', '--workers', '1')
      const again = usageOf(folder, 'run', 'config.yaml', '--workers', '1')
      return [
        {
          case: `${size} passages`,
          check_s: check.seconds,
          check_mb: check.mb,
          prepare_s: prepare.seconds,
          prepare_mb: prepare.mb,
          run_s: run.seconds,
          run_mb: run.mb,
          again_s: again.seconds,
        },
      ]
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
}

function writePassages(folder: string, size: number): void {
  const random = createRandom(1)
  const vocabulary = Array.from({ length: VOCABULARY }, (_, word) =>
    [1, 20, 400, 8000].map((place) => SYLLABLES[Math.floor(word / place) % 20]).join(''),
  )
  mkdirSync(join(folder, 'qrels'))
  writeFileSync(join(folder, 'config.yaml'), CONFIG)
  const questions: string[] = []
  for (let from = 0; from < size; from += BLOCK) {
    const lines = Array.from({ length: Math.min(BLOCK, size - from) }, (_, i) => {
      const words = Array.from({ length: WORDS }, () => vocabulary[random.below(VOCABULARY)])
      if (questions.length < QUERIES) questions.push(words.slice(0, 6).join(' '))
      return `${JSON.stringify({ _id: `d${from + i}`, title: '', text: words.join(' ') })}\n`
    })
    appendFileSync(join(folder, 'corpus.jsonl'), lines.join(''))
  }
  const asked = questions.map((text, query) => `${JSON.stringify({ _id: `q${query}`, text })}\n`)
  writeFileSync(join(folder, 'queries.jsonl'), asked.join(''))
  const qrels = questions.map((_, query) => `q${query}\td${query}\t1\n`).join('')
  writeFileSync(join(folder, 'qrels', 'test.tsv'), `query-id\tcorpus-id\tscore\n${qrels}`)
}
