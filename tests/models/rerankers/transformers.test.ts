import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Reranker } from '../../../src/models/reranker.ts'
import { transformersReranker } from '../../../src/models/rerankers/transformers.ts'
import { documents, questions } from '../../fixtures/passages.ts'
import { vocabularyOf, wordsOf, writeCrossEncoder } from '../../fixtures/tiny-models.ts'
import { describeModels } from '../../shared.ts'
import { temporaryFolder } from '../../temporary.ts'

const texts = documents.map(({ title, text }) => `${title}\n${text}`)
const vocabulary = vocabularyOf([...texts, ...questions.map(({ text }) => text)])

function model(gives?: string): string {
  const folder = join(temporaryFolder(), 'tiny-cross-encoder')
  writeCrossEncoder(folder, vocabulary, gives)
  return folder
}

const corpus = {
  texts: { open: () => texts } as never,
  terms: () => expect.fail('a cross-encoder counts no words'),
  vectors: () => expect.fail('a cross-encoder compares no vectors'),
  tokens: () => expect.fail('a cross-encoder compares no tokens'),
}
async function open(given: Record<string, unknown>): Promise<Reranker> {
  const params = transformersReranker.params.parse({ dtype: 'fp32', ...given })
  const artifact = transformersReranker.artifact?.(params, corpus)
  return artifact?.open('', { texts: async () => texts }) as Promise<Reranker>
}

/** Scores of the tiny model, by words. */
function expected(query: string, text: string): number {
  const words = [...wordsOf(text), '[SEP]']
  const pairs = ['[CLS]', ...wordsOf(query), '[SEP]'].map(
    (word) => words.filter((other) => other === word).length,
  )
  return 1 / (1 + Math.exp(-(pairs.reduce((sum, count) => sum + count, 0) - 3)))
}

describeModels('a cross-encoder in ONNX', () => {
  test('reads query and passage together, the passage as the second text', async () => {
    const reranker = await open({ model: model() })
    const rows = Uint32Array.from([4, 0, 7, 2])
    for (const query of questions.slice(0, 4)) {
      const scores = Array.from(await reranker.score(query, rows))
      scores.forEach((score, i) => {
        expect(score).toBeCloseTo(expected(query.text, texts[rows[i]]), 6)
      })
    }
  })

  test('is known by the content of its folder, and refused where that lacks a file', async () => {
    const folder = model()
    const { sha256 } =
      transformersReranker.pin?.(transformersReranker.params.parse({ model: folder, dtype: 'fp32' })) ?? {}
    expect(sha256).toMatch(/^[0-9a-f]{64}$/)
    rmSync(join(folder, 'tokenizer.json'))
    await expect(open({ model: folder })).rejects.toThrow(`lacks tokenizer.json`)
  })

  test('a model whose files changed after it was named in the config is refused when it is opened', async () => {
    const folder = model()
    const keyOf = (params: object) =>
      transformersReranker.artifact?.(transformersReranker.params.parse({ dtype: 'fp32', ...params }), corpus)
        .params
    expect(keyOf({ model: folder })).toEqual({
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      maxTokens: 128,
      dtype: 'fp32',
    })
    // A hash from the config stands for the files, which may be elsewhere.
    expect(keyOf({ model: '/nowhere', sha256: 'old' })).toEqual({
      sha256: 'old',
      maxTokens: 256,
      dtype: 'fp32',
    })
    await expect(open({ model: folder, sha256: 'old' })).rejects.toThrow(
      'the files of the model have changed since this was made',
    )
  })
})
