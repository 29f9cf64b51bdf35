import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { writeRecording } from '../../scripts/recording/write.ts'
import recordedEmbedder from '../../src/models/embedders/recorded.ts'
import { createRandom } from '../../src/random.ts'
import { sharedFolder } from '../temporary.ts'

const folder = sharedFolder()

const dims = 48
const texts = Array.from({ length: 30 }, (_, i) => `text ${i}`)
const random = createRandom(1)
const vectors = new Float32Array(texts.length * dims)
for (let row = 1; row < texts.length; row++) {
  const vector = Array.from({ length: dims }, () => random.uniform() - 0.5)
  vectors.set(
    vector.map((value) => value / Math.hypot(...vector)),
    row * dims,
  )
}
const about = { model: 'a model (q8)', modelSha256: 'abc', date: '2026-11-22', dims, texts, vectors }

function record(name: string, dtype: 'int8' | 'float32') {
  const path = join(folder, name)
  writeRecording(path, { ...about, dtype })
  return path
}

const artifactOf = (params: object) =>
  recordedEmbedder.make(recordedEmbedder.params.parse(params)).artifact({ terms: () => expect.fail() })
const open = async (path: string) => artifactOf({ path }).open('', {})

describe('recorded', () => {
  it('replays float32 bit for bit, in any order', async () => {
    const embedder = await open(record('float32.parquet', 'float32'))
    expect(embedder.model).toBe('a model (q8), recorded 2026-11-22')
    expect(await embedder.embed(texts)).toEqual(vectors)
    expect(await embedder.embed(['text 7', 'text 2'])).toEqual(
      Float32Array.from([...vectors.slice(7 * dims, 8 * dims), ...vectors.slice(2 * dims, 3 * dims)]),
    )
  })

  it('is refused where the file changed after its hash was taken', async () => {
    const path = record('changed.parquet', 'int8')
    const artifact = artifactOf({ path })
    record('changed.parquet', 'float32')
    await expect(async () => artifact.open('', {})).rejects.toThrow(
      `${path}: the recording has changed since this was made`,
    )
  })

  it('names the texts that it does not hold', async () => {
    const embedder = await open(record('some.parquet', 'int8'))
    await expect(embedder.embed(['text 1', 'b'])).rejects.toThrow(/holds no vector of "b"; record/)
    await expect(embedder.embed(['b', 'text 1', 'c', 'd'])).rejects.toThrow(
      /holds no vector of "b", "c", "d"; record the vectors again, or use the embedder itself$/,
    )
    await expect(embedder.embed(['text 1', 'new "one"', 'b', 'c', 'd'])).rejects.toThrow(
      /some\.parquet: holds no vector of "new \\"one\\"", "b", "c" and 1 more/,
    )
  })

  it('is keyed by content, not by place; refuses what is no recording or another one', () => {
    const paths = [record('here.parquet', 'int8'), record('there.parquet', 'int8')]
    const keys = paths.map((path) => artifactOf({ path }).key)
    expect(keys[0]).toBe(keys[1])
    const other = artifactOf({ path: record('float.parquet', 'float32') })
    expect(other.key).not.toBe(keys[0])
    expect(artifactOf({ path: paths[0], sha256: 'its hash' }).key).not.toBe(keys[0])
    expect(() => recordedEmbedder.pin?.({ path: join(folder, 'nothing.parquet') })).toThrow('no such file')
    expect(() => recordedEmbedder.pin?.({ path: paths[0], sha256: 'other' })).toThrow(
      'the recording has changed',
    )
    writeFileSync(join(folder, 'text.parquet'), 'no parquet at all')
    return expect(open(join(folder, 'text.parquet'))).rejects.toThrow('text.parquet')
  })
})
