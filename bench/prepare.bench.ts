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
prepare: {chunk: passages}
trials: [bm25]
measures: [recall@5]
`

/**
 * Growth of `prepare` and `run` for BM25 from a tenth of the passages to all, 20 random words each, 100 queries, one worker. CPU seconds
 * of all threads, and peak memory in MB. `ratio` is the time of `prepare` over that of a tenth: at 10 it grows as the corpus does.
 */
export default {
  name: 'prepare',
  sizes: [100_000],
  onRequest: [1_000_000],
  run(size: number) {
    const [tenth, whole] = [size / 10, size].map(measured)
    return [
      {
        case: `${size / 10} to ${size} passages`,
        ratio: whole.prepare.seconds / tenth.prepare.seconds,
        tenth_s: tenth.prepare.seconds,
        prepare_s: whole.prepare.seconds,
        prepare_mb: whole.prepare.mb,
        run_s: whole.run.seconds,
        run_mb: whole.run.mb,
      },
    ]
  },
}

function measured(size: number) {
  const folder = mkdtempSync(join(tmpdir(), 'prepare-'))
  try {
    writePassages(folder, size)
    const prepare = usageOf(folder, 'prepare', 'config.yaml')
    return { prepare, run: usageOf(folder, 'run', 'config.yaml', '--workers', '1') }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
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
