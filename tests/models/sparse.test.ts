import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { recordedSparseEncoder } from '../../src/models/sparse/recorded.ts'
import { splade } from '../../src/models/sparse/splade.ts'
import type { SparseEncoder, SparseVector } from '../../src/models/sparse-encoder.ts'
import { vocabularyOf, wordsOf, writeMaskedModel } from '../fixtures/tiny-models.ts'
import { temporaryFolder } from '../temporary.ts'

const TEXTS = ['the ship left the harbour', 'a storm broke the mast', 'bread']
const vocabulary = vocabularyOf(TEXTS)
/** Some logits above 0, most not. */
const table = vocabulary.map((_, row) => vocabulary.map((_, word) => ((row * 7 + word * 3) % 11) / 4 - 2))
// The very first number counts as much as any other.
table[vocabulary.indexOf('[CLS]')][0] = 5

const byTerm = ({ terms, weights }: SparseVector) => new Map(terms.map((term, i) => [term, weights[i]]))

describe('splade', () => {
  const open = async (given: Record<string, unknown>) =>
    splade.artifact(splade.params.parse({ dtype: 'fp32', ...given })).open('', {}) as Promise<SparseEncoder>

  test('gives each word the highest log(1 + max(0, logit)) of all tokens', async () => {
    const folder = join(temporaryFolder(), 'tiny-splade')
    writeMaskedModel(folder, vocabulary, table)
    const { encode } = await open({ model: folder })
    for (const [i, vector] of (await encode(TEXTS)).entries()) {
      const tokens = ['[CLS]', ...wordsOf(TEXTS[i]), '[SEP]'].map((word) => vocabulary.indexOf(word))
      const found = byTerm(vector)
      vocabulary.forEach((word, number) => {
        const weight = Math.max(...tokens.map((token) => Math.log1p(Math.max(0, table[token][number]))))
        expect(found.get(word) ?? 0).toBeCloseTo(weight, 6)
      })
      expect([...found.values()].every((weight) => weight > 0)).toBe(true)
    }
  })

  test('says how far it is, and is refused where its files changed', async () => {
    const folder = join(temporaryFolder(), 'tiny-splade')
    writeMaskedModel(folder, vocabulary, table)
    const { encode } = await open({ model: folder })
    const told: [number, number][] = []
    expect(await encode(TEXTS, (...progress) => told.push(progress))).toHaveLength(3)
    expect(told).toEqual([
      [1, 3],
      [2, 3],
      [3, 3],
    ])
    const given = splade.params.parse({ dtype: 'fp32', model: folder })
    expect(splade.artifact(given).key).toBe(splade.artifact(splade.pin?.(given) as never).key)
    await expect(open({ model: folder, sha256: 'other' })).rejects.toThrow('have changed since this was made')
  })

  test('refuses a head that is not of its vocabulary', async () => {
    const folder = join(temporaryFolder(), 'other')
    writeMaskedModel(
      folder,
      vocabulary,
      table.map((row) => row.slice(1)),
    )
    const { encode } = await open({ model: folder })
    await expect(encode(['bread'])).rejects.toThrow(
      `gives ${vocabulary.length - 1} numbers a token where its vocabulary has ${vocabulary.length} words`,
    )
  })

  test('refuses a head that gives no logits', async () => {
    const folder = join(temporaryFolder(), 'embedder')
    writeMaskedModel(folder, vocabulary, table, 'last_hidden_state')
    const { encode } = await open({ model: folder })
    await expect(encode(['bread'])).rejects.toThrow(
      `gives 0 numbers a token where its vocabulary has ${vocabulary.length} words`,
    )
  })
})

describe('recorded', () => {
  const open = async (...lines: string[]) => {
    const path = join(temporaryFolder(), 'sparse.jsonl')
    writeFileSync(path, lines.join('\n'))
    return recordedSparseEncoder
      .artifact(recordedSparseEncoder.params.parse({ path }))
      .open('', {}) as SparseEncoder
  }

  test('needs a file, whose path is read beside the config', () => {
    const { params } = recordedSparseEncoder
    expect(params.safeParse({ path: '' }).success).toBe(false)
    expect(params.parse({ path: 'v' })).toEqual({ path: 'v' })
    expect((params as unknown as { shape: { path: { meta(): object } } }).shape.path.meta()).toMatchObject({
      path: true,
    })
  })

  test('replays the weights of a text, and fails on one that it does not hold', async () => {
    const { encode } = await open(
      '{"text": "a", "vector": {"x": 1.5, "y": 0}}',
      '',
      '{"text": "b", "vector": {}}',
    )
    expect((await encode(['b', 'a'])).map(byTerm)).toEqual([new Map(), new Map([['x', 1.5]])])
    await expect(encode(['c'])).rejects.toThrow('sparse.jsonl: holds no vector of "c"')
  })

  test('is known by the content of its file, and refused where that changed', async () => {
    const path = join(temporaryFolder(), 'sparse.jsonl')
    writeFileSync(path, '{"text": "a", "vector": {"x": 0.5}}')
    const { artifact, params, pin } = recordedSparseEncoder
    const given = params.parse({ path })
    expect(artifact(given).key).toBe(artifact(pin?.(given) as never).key)
    expect(await ((await artifact(given).open('', {})) as SparseEncoder).encode(['a'])).toEqual([
      { terms: ['x'], weights: [0.5] },
    ])
    const changed = artifact({ ...given, sha256: 'other' })
    expect(() => changed.open('', {})).toThrow('sparse.jsonl: the recording has changed since this was made')
    await expect(open('null')).rejects.toThrow('sparse.jsonl:1: is not {"text"')
  })

  test('refuses two vectors of one text', async () => {
    await expect(
      open('{"text": "a", "vector": {"x": 1}}', '{"text": "a", "vector": {"x": 2}}'),
    ).rejects.toThrow('sparse.jsonl:2: holds a second vector of "a"')
  })

  test('names every line that is none', async () => {
    const wrong = ['{"text": "a"}', '{"text": "a", "vector": {"x": -1}}', '{"text": 1, "vector": {}}', '{']
    await expect(open('{"text": "a", "vector": {}}', ...wrong)).rejects.toMatchObject({
      diagnostics: [
        ...[2, 3, 4].map((line) => ({ line, message: expect.stringContaining('is not {"text"') })),
        { line: 5, message: expect.stringContaining('is not valid JSON') },
      ],
    })
  })
})
