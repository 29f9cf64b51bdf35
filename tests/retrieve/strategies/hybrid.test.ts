import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { denseIndex } from '../../../src/corpus/dense/dense.ts'
import { embedder } from '../../../src/corpus/dense/embeddings.ts'
import { bm25Index } from '../../../src/corpus/lexical/bm25.ts'
import type { Recipe } from '../../../src/corpus/recipe.ts'
import { minMax } from '../../../src/ranking/normalize.ts'
import { rankScores } from '../../../src/ranking/order.ts'
import { type Expression, sourceQuery } from '../../../src/retrieve/step.ts'
import { bm25Params, bm25Shape } from '../../../src/retrieve/steps/params.ts'
import type { Query, Ranking } from '../../../src/types.ts'
import { documentsOf, recipeOf } from '../../corpus/recipes.ts'
import { documents, questions } from '../../fixtures/passages.ts'
import { temporaryFolder } from '../../temporary.ts'
import { evaluate, prepare, retrieved } from './prepared.ts'

const hybrid = (recipe: Recipe, params: object): Expression<Ranking> =>
  retrieved('hybrid', params, sourceQuery(recipe)).ranking

const queriesOf = (texts: readonly string[]): Query[] =>
  texts.map((text, i) => ({ id: `q${i}`, text, metadata: {} }))

it('over the corpus scores what it lists as all chunks are scored, bit for bit, and at full pool ranks them so', async () => {
  const recipe = recipeOf(documents)
  const queries = [...questions, ...queriesOf(['zzz qqq'])]
  const grid = [1, 3, 100].flatMap((pool) => [0.3, 0.6].map((alpha) => ({ pool, alpha })))
  const roots = grid.map((params) => hybrid(recipe, params))
  const store = await prepare(temporaryFolder(), roots)
  const dense = await store.open(denseIndex(recipe))
  const bm25 = await store.open(bm25Index(recipe, bm25Params(z.strictObject(bm25Shape).parse({}))))
  const { embed } = await store.open(embedder(recipe))
  const every = Uint32Array.from(documents.keys())
  const scale = (scores: Float64Array) => {
    const { min, max } = minMax(scores)
    return scores.map((score) => (max === min ? 0 : (score - min) / (max - min)))
  }
  for (const [place, { pool, alpha }] of grid.entries()) {
    const rankings = await evaluate(store, roots[place], queries)
    for (const [i, { text }] of queries.entries()) {
      const cosines = scale(Float64Array.from(dense.scores([await embed([text])])[0]))
      const found = bm25.scores(text, every)
      const lexical = scale(found.map((score) => (Number.isNaN(score) ? 0 : score)))
      const oracle = cosines.map((cosine, row) => alpha * cosine + (1 - alpha) * lexical[row])
      const { rows, scores } = rankings[i]
      expect([...scores]).toEqual([...rows].map((row) => oracle[row]))
      // A query of unknown words finds nothing.
      if (pool === 100 && rows.length > 0)
        expect([...rows]).toEqual([...rankScores(oracle, documents.length).rows])
    }
  }
})

describe('a code that one chunk of real and varied ones holds', () => {
  // The quickstart's passages, every ninth or so with a code of its own inside; the dense side hears another question.
  const lines = (file: string) =>
    readFileSync(join(import.meta.dirname, '../../../datasets/quickstart', file), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { readonly title?: string; readonly text: string })
  const codes = Array.from({ length: 60 }, (_, i) => `PX${10_000 + i}`)
  const passages = lines('corpus.jsonl').map(({ title, text }) => `${title}\n${text}`)
  const rows = codes.map((_, i) => (i * 9 + 4) % passages.length)
  for (const [i, row] of rows.entries()) passages[row] += ` Its reference is ${codes[i]}.`
  const queries: Query[] = lines('queries.jsonl')
    .slice(0, 60)
    .map(({ text }, i) => ({ id: `c${i}`, text, lexical: codes[i], metadata: {} }))
  // Rows go by the bytes of ids.
  const numbered = documentsOf(passages).map((document, row) => ({
    ...document,
    id: String(row).padStart(3, '0'),
  }))
  const recipe = recipeOf(numbered, { name: 'lsa', params: { dims: 48 } })

  async function ranksOf(
    folder: string,
    name: string,
    params: Record<string, unknown> = {},
  ): Promise<number[]> {
    const root = retrieved(name, params, sourceQuery(recipe)).ranking
    const rankings = await evaluate(await prepare(folder, [root]), root, queries)
    return rankings.map(({ rows: ranked }, i) => ranked.indexOf(rows[i]) + 1)
  }
  const among5 = (ranks: readonly number[]) => ranks.filter((rank) => rank >= 1 && rank <= 5).length

  it('is first by default, for every code and however short the pool, and is lost where the dense side weighs more', async () => {
    const folder = temporaryFolder()
    const first = codes.map(() => 1)
    expect(await ranksOf(folder, 'bm25')).toEqual(first)
    expect(await ranksOf(folder, 'hybrid')).toEqual(first)
    expect(await ranksOf(folder, 'hybrid', { pool: 5 })).toEqual(first)
    const more = among5(await ranksOf(folder, 'hybrid', { alpha: 0.6 }))
    expect(more).toBeLessThan(60)
    expect(among5(await ranksOf(folder, 'hybrid', { alpha: 0.7 }))).toBeLessThan(more)
    expect(among5(await ranksOf(folder, 'hybrid', { norm: 'minmax' }))).toBeLessThan(30)
  })
})
