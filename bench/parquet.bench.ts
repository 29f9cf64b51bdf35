import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readTable, writeTable } from '../src/tables/parquet.ts'
import { askPeer, bytesOf } from './peer.ts'
import { type BenchRow, benchRow, syntheticTexts, syntheticVectors } from './synthetic.ts'

const DIMS = 384
interface Peer {
  readonly write: number
  readonly read: number
  readonly mb: number
}

/** Above so many vectors JSON takes minutes and gigabytes. */
const MAX_JSON = 5000

/**
 * Writing and reading a table of texts and a table of vectors (384 dims), once each, in milliseconds. Baseline: pyarrow
 * where Python has it (peers/parquet.py), else the same data as JSON lines. The last columns compare the sizes of the files.
 */
export default {
  name: 'parquet',
  sizes: [2500, 25_000],
  async run(size: number): Promise<(BenchRow & { ours_mb: number; peer_mb: number | null })[]> {
    const folder = mkdtempSync(join(tmpdir(), 'bench-'))
    const [file, lines] = [join(folder, 'table.parquet'), join(folder, 'table.jsonl')]
    const rows = []
    try {
      const texts = syntheticTexts(size)
      const ids = texts.map((_, row) => `p${row}`)
      const matrix = syntheticVectors(size, DIMS)
      const peers = askPeer<Record<'texts' | 'vectors', Peer>>('parquet.py', {
        'texts.json': JSON.stringify(texts),
        'rows.f32': bytesOf(matrix),
        'shape.json': JSON.stringify({ dims: DIMS }),
      })
      const writeTexts = () =>
        writeTable(file, [
          { name: 'id', type: 'string', values: ids },
          { name: 'text', type: 'string', values: texts },
        ])
      const writeVectors = () =>
        writeTable(file, [{ name: 'vector', type: 'vectors', values: matrix, dims: DIMS }])
      const jsonTexts = () =>
        writeFileSync(lines, texts.map((text, row) => `${JSON.stringify({ id: ids[row], text })}\n`).join(''))
      const jsonVectors = () => {
        const vector = (row: number) => Array.from(matrix.subarray(row * DIMS, (row + 1) * DIMS))
        writeFileSync(lines, ids.map((_, row) => `${JSON.stringify({ vector: vector(row) })}\n`).join(''))
      }
      const readJson = () =>
        readFileSync(lines, 'utf8')
          .split('\n')
          .filter(Boolean)
          .map((line) => JSON.parse(line))
      for (const [what, write, writeJson] of [
        ['texts', writeTexts, jsonTexts],
        ['vectors', writeVectors, size > MAX_JSON ? null : jsonVectors],
      ] as const) {
        const own = { write: await took(write), read: await took(async () => (await readTable(file)).rows) }
        const plain = writeJson && { write: await took(writeJson), read: await took(readJson), mb: 0 }
        const theirs = peers?.[what] ?? (plain && { ...plain, mb: statSync(lines).size / 1e6 })
        const by = peers ? 'pyarrow' : 'JSON lines'
        const bytes = { ours_mb: statSync(file).size / 1e6, peer_mb: theirs?.mb ?? null }
        rows.push({ ...benchRow(`write ${size} ${what}`, own.write, by, theirs?.write ?? null), ...bytes })
        rows.push({ ...benchRow(`read ${size} ${what}`, own.read, by, theirs?.read ?? null), ...bytes })
      }
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
    return rows
  },
}

/** The middle of three. */
async function took(call: () => unknown): Promise<number> {
  const durations: number[] = []
  for (let round = 0; round < 3; round++) {
    const begin = performance.now()
    await call()
    durations.push(performance.now() - begin)
  }
  return durations.sort((a, b) => a - b)[1]
}
