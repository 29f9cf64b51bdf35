import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ParquetColumn } from '../src/tables/column.ts'
import { readTable, writeTable } from '../src/tables/parquet.ts'
import { askPeer, bytesOf } from './peer.ts'
import { benchRow, syntheticTexts, syntheticVectors } from './synthetic.ts'

const DIMS = 384

/**
 * Writing and reading a table of texts and a table of vectors (384 dims), once each, in milliseconds. Peer: pyarrow. The
 * last columns compare the sizes of the files.
 */
export default {
  name: 'parquet',
  sizes: [2500, 25_000],
  async run(size: number) {
    const folder = mkdtempSync(join(tmpdir(), 'bench-'))
    const file = join(folder, 'table.parquet')
    const rows = []
    try {
      const texts = syntheticTexts(size)
      const ids = texts.map((_, row) => `p${row}`)
      const matrix = syntheticVectors(size, DIMS)
      const peers = askPeer<Record<string, Readonly<Record<'write' | 'read' | 'mb', number>>>>('parquet', {
        'texts.json': JSON.stringify(texts),
        'rows.f32': bytesOf(matrix),
        'shape.json': JSON.stringify({ dims: DIMS }),
      })
      const tables: Readonly<Record<string, ParquetColumn[]>> = {
        texts: [
          { name: 'id', type: 'string', values: ids },
          { name: 'text', type: 'string', values: texts },
        ],
        vectors: [{ name: 'vector', type: 'vectors', values: matrix, dims: DIMS }],
      }
      for (const [what, columns] of Object.entries(tables)) {
        const write = await took(() => writeTable(file, columns))
        const read = await took(async () => (await readTable(file)).rows)
        const peer = peers?.[what]
        const bytes = { ours_mb: statSync(file).size / 1e6, peer_mb: peer?.mb ?? null }
        rows.push({ ...benchRow(`write ${size} ${what}`, write, 'pyarrow', peer?.write), ...bytes })
        rows.push({ ...benchRow(`read ${size} ${what}`, read, 'pyarrow', peer?.read), ...bytes })
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
