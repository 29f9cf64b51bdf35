import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { Embedder } from '../../src/models/embedder.ts'
import transformersEmbedder from '../../src/models/embedders/transformers.ts'
import { openModelSession } from '../../src/models/transformers/session.ts'
import { describeSharedModels, shared } from '../shared.ts'
import { sharedFolder } from '../temporary.ts'

/** Half as much again as what processors were found to differ by. */
const WITHIN = 0.02
const MODEL = shared('models', 'all-MiniLM-L6-v2')
const folder = sharedFolder()

const corpus = { terms: () => expect.fail('no embedder of its own needs the corpus') }
const parse = (params: Record<string, unknown>) => transformersEmbedder.params.parse(params)
const artifactOf = (params: Record<string, unknown>) =>
  transformersEmbedder.make(parse(params)).artifact(corpus)
const open = async (params: Record<string, unknown>): Promise<Embedder> => artifactOf(params).open('', {})

/** Made by another tokenizer and another runtime: see the script beside it. */
const expected = JSON.parse(
  readFileSync(join(import.meta.dirname, '../golden/models/all-MiniLM-L6-v2.json'), 'utf8'),
) as { text: string; maxTokens: number; ids: number[]; cosine: number }[]

function dot(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, i) => sum + value * b[i], 0)
}

describeSharedModels('transformers with all-MiniLM-L6-v2', () => {
  const texts = [
    'That is a happy person',
    'That is a happy dog',
    'That is a very happy person',
    'Today is a sunny day',
  ]

  it('gives the known cosines, each text as if alone', async () => {
    const embedder = await open({ model: MODEL, workers: 1 })
    expect(embedder.dims).toBe(384)
    expect(embedder.model).toMatch(/^all-MiniLM-L6-v2 \(q8, [0-9a-f]{12}\)$/)
    const vectors = await embedder.embed(texts)
    const cosine = (other: number) =>
      dot(vectors.subarray(0, 384), vectors.subarray(other * 384, (other + 1) * 384))
    // int8 arithmetic depends on the processor: these are of one with VNNI, and one without gives .7058, .9238, .2769,
    // so .0128 away at most. In one batch of four the first would be .7201.
    expect(cosine(0)).toBeCloseTo(1, 5)
    expect(Math.abs(cosine(1) - 0.69301)).toBeLessThan(WITHIN)
    expect(Math.abs(cosine(2) - 0.9168)).toBeLessThan(WITHIN)
    expect(Math.abs(cosine(3) - 0.2854)).toBeLessThan(WITHIN)
    expect(await embedder.embed([texts[2]])).toEqual(vectors.slice(2 * 384, 3 * 384))
  })

  it.each(expected)(
    'has the tokens of the reference library: %#',
    async ({ text, maxTokens, ids, cosine }) => {
      const options = { model: MODEL, dtype: 'q8', pooling: 'mean' } as const
      const { tokens, embed } = await openModelSession({ ...options, maxTokens })
      expect(tokens(text)).toEqual(ids)
      const [{ text: first }] = expected
      const whole = await openModelSession({ ...options, maxTokens: 256 })
      const similarity = dot(await embed(text), await whole.embed(first))
      expect(Math.abs(similarity - cosine)).toBeLessThan(WITHIN)
    },
  )

  it('is keyed by the content of the model files', () => {
    const moved = join(folder, 'moved')
    cpSync(MODEL, moved, { recursive: true })
    const key = artifactOf({ model: MODEL }).key
    expect(artifactOf({ model: moved, workers: 2 }).key).toBe(key)
    const pinned = transformersEmbedder.pin?.(parse({ model: moved })) as Record<string, unknown>
    writeFileSync(join(moved, 'tokenizer_config.json'), '{}')
    expect(artifactOf({ model: moved }).key).not.toBe(key)
    expect(() => transformersEmbedder.pin?.(pinned as never)).toThrow('files of the model have changed')
    expect(() =>
      transformersEmbedder
        .make(pinned as never)
        .artifact(corpus)
        .open('', {}),
    ).toThrow('files of the model have changed')
  })
})
