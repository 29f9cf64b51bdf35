import { describe, expect, it, test } from 'vitest'
import { openModelSession } from '../../../src/models/transformers/session.ts'
import { find } from '../../../src/registry.ts'
import { sourceQuery } from '../../../src/retrieve/step.ts'
import { alone } from '../../../src/retrieve/strategies/define.ts'
import { strategies } from '../../../src/retrieve/strategies/index.ts'
import { rerankTransform } from '../../../src/retrieve/transforms/rerank/transform.ts'
import { recipeOf } from '../../corpus/recipes.ts'
import { documents, questions } from '../../fixtures/passages.ts'
import { writeMaskedModel } from '../../fixtures/tiny-models.ts'
import { describeShared, shared } from '../../shared.ts'
import { temporaryFolder } from '../../temporary.ts'
import { evaluate, prepare } from './prepared.ts'

await strategies.load()

const retrieve = (recipe: ReturnType<typeof recipeOf>, name = 'late-interaction') => {
  const strategy = find(strategies, name)
  const params = strategy.params.parse({}) as never
  return strategy.retrieve({ query: sourceQuery(recipe), params, inner: alone }).ranking
}

test('an embedder without tokens is refused by name', () => {
  expect(() => retrieve(recipeOf(documents))).toThrow(
    'the embedder `lsa` gives no vectors of tokens; transformers does',
  )
})

test('ranks chunks by the tokens of a query, those of the filter alone; a query without tokens finds none', async () => {
  const model = `${temporaryFolder()}/tiny`
  writeMaskedModel(model, ['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]'], Array(5).fill([1, 0]))
  const { step } = retrieve(recipeOf(documents, { name: 'transformers', params: { model, dtype: 'fp32' } }))
  const tokens = {
    embed: async (text: string) => Float32Array.from(text.split(' ').filter(Boolean), Number),
    scores: ([first]: Float32Array) => Float64Array.of(first, 3, 2),
  }
  const found = async (text: string, kept?: number[]) => {
    const mask = kept && { kept: Uint8Array.from(kept) }
    const context = { params: { depth: 2 }, artifacts: { tokens } } as never
    const ranking = await step.run?.([{ text }, mask] as never, context)
    return ranking && [...ranking.rows]
  }
  expect(await found('4')).toEqual([0, 1])
  expect(await found('1 9')).toEqual([1, 2])
  expect(await found('4', [1, 0, 1])).toEqual([0, 2])
  expect(await found('')).toEqual([])
})

describeShared('late interaction with all-MiniLM-L6-v2', () => {
  const model = shared('models', 'all-MiniLM-L6-v2')
  const embedder = { name: 'transformers', params: { model, workers: 1, maxTokens: 64 } }
  const recipe = recipeOf(documents, embedder)
  const asked = questions.slice(0, 4)

  describe('over a few passages', () => {
    it('scores every passage as float32 vectors of tokens do, but for int8', async () => {
      const root = retrieve(recipe)
      const store = await prepare(temporaryFolder(), [root])
      const found = await evaluate(store, root, asked)
      const session = await openModelSession({
        ...{ model, dtype: 'q8', maxTokens: 64, pooling: 'mean' },
      })
      const tokens = async (text: string) => {
        const vectors = await session.embedTokens(text)
        return Array.from({ length: vectors.length / 384 }, (_, i) =>
          vectors.subarray(384 * i, 384 * (i + 1)),
        )
      }
      const passages = await Promise.all(documents.map(({ title, text }) => tokens(`${title}\n${text}`)))
      for (const [index, { text }] of asked.entries()) {
        const query = await tokens(text)
        const { rows, scores } = found[index]
        expect(rows).toHaveLength(documents.length)
        rows.forEach((row, i) => {
          const best = query.map((a) =>
            Math.max(...passages[row].map((b) => a.reduce((sum, value, dim) => sum + value * b[dim], 0))),
          )
          const expected = best.reduce((sum, value) => sum + value, 0) / best.length
          expect(Math.abs(scores[i] - expected)).toBeLessThan(0.01)
        })
      }
    })

    it('is what `maxsim` scores the same chunks with; small units count as the best one of a chunk', async () => {
      for (const own of [recipe, { ...recipe, index: { name: 'sentences', params: {} } }]) {
        const [first, dense] = [retrieve(own), retrieve(own, 'naive')]
        const params = rerankTransform.params.parse({ by: 'maxsim', top: 7 })
        const again = rerankTransform.apply({ ranking: dense, query: sourceQuery(own), params })
        const store = await prepare(temporaryFolder(), [first, again])
        const [all, some] = [await evaluate(store, first, asked), await evaluate(store, again, asked)]
        some.forEach(({ rows, scores }, index) => {
          const byRow = new Map([...all[index].rows].map((row, i) => [row, all[index].scores[i]]))
          for (let i = 0; i < 7; i++) expect(scores[i]).toBe(byRow.get(rows[i]))
        })
      }
    })
  })
})
