import fc from 'fast-check'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { rankPairs } from '../../../src/ranking/order.ts'
import { createMemo } from '../../../src/retrieve/evaluate.ts'
import { type Expression, sourceQuery } from '../../../src/retrieve/step.ts'
import { reranked, rerankerEmbeds } from '../../../src/retrieve/transforms/rerank.ts'
import type { Ranking } from '../../../src/types.ts'
import { documents, questions } from '../../fixtures/passages.ts'
import { fakeServer } from '../../models/fake-server.ts'
import { sharedFolder } from '../../temporary.ts'
import { prepare, recipe, retrieved, transformed } from '../strategies/prepared.ts'

const folder = sharedFolder()

const retrieve = (name: string, over = recipe) => retrieved(name, {}, sourceQuery(over)).ranking

const rerankAfter = (ranking: Expression<Ranking>, params: object) => transformed('rerank', params, ranking)

describe('reranked', () => {
  const ranking = fc.uniqueArray(fc.nat(50), { maxLength: 12 }).map((rows) =>
    rankPairs(
      rows,
      rows.map((row) => row % 7),
      rows.length,
    ),
  )
  const scored = ranking.chain((ranking) =>
    fc.record({
      ranking: fc.constant(ranking),
      scores: fc.array(fc.integer({ min: -3, max: 3 }), { maxLength: ranking.rows.length }),
      keep: fc.option(fc.integer({ min: 1, max: 5 }), { nil: undefined }),
      minScore: fc.option(fc.integer({ min: -2, max: 2 }), { nil: undefined }),
    }),
  )

  test('sorts the first by the new scores; the others follow, or with `keep` or `minScore` none', () => {
    fc.assert(
      fc.property(scored, ({ ranking, scores, keep, minScore }) => {
        const reordered = reranked(ranking, scores, { keep, minScore })
        const sorted = [...ranking.rows.slice(0, scores.length)]
          .map((row, i) => ({ row, score: scores[i] }))
          .sort((a, b) => b.score - a.score || b.row - a.row)
        const cut = keep !== undefined || minScore !== undefined
        const passing = sorted.filter(({ score }) => score >= (minScore ?? -Infinity)).slice(0, keep)
        const rest = cut ? [] : [...ranking.rows.slice(scores.length)]
        expect([...reordered.rows]).toEqual([...passing.map(({ row }) => row), ...rest])
        expect([...reordered.scores.slice(0, passing.length)]).toEqual(passing.map(({ score }) => score))
        for (let i = Math.max(1, passing.length); i < reordered.scores.length; i++)
          expect(reordered.scores[i]).toBeLessThan(reordered.scores[i - 1])
      }),
    )
  })
})

describe('rerank', () => {
  test('by a server asks once a query for the passages in one order, whatever their ranks', async () => {
    // The longer a passage, the better.
    const { asked, baseUrl } = await fakeServer((_, { body }) => ({
      json: {
        results: body.documents.map((text: string, index: number) => ({
          index,
          relevance_score: text.length / 1000,
        })),
        usage: { total_tokens: 50 },
      },
    }))
    vi.stubEnv('FAR_KEY', 'none')
    onTestFinished(() => void vi.unstubAllEnvs())
    const far = { name: 'jina', params: { baseUrl, model: 'm', apiKeyEnv: 'FAR_KEY' } }
    const own = { ...recipe, rerankers: { far } }
    const before = retrieve('naive', own)
    const root = rerankAfter(before, { by: 'far', top: 4 })
    const store = await prepare(folder, [root])
    const memo = createMemo(store, questions.slice(0, 1), () => 0)
    const [cell] = await memo.cells(root)
    const [plain] = await memo.cells(before)
    const [rows, first] = [cell?.value, plain?.value].map((value) => [...(value as Ranking).rows])
    const texts = first.slice(0, 4).map((row) => `${documents[row].title}\n${documents[row].text}`)
    expect(asked.map(({ body }) => [body.query, body.documents])).toEqual([
      [questions[0].text, [...texts].sort()],
    ])
    const length = (row: number) => `${documents[row].title}\n${documents[row].text}`.length
    expect(rows).toEqual([
      ...first.slice(0, 4).sort((a, b) => length(b) - length(a) || b - a),
      ...first.slice(4),
    ])
    expect(memo.facts([root], 0).counters).toEqual({
      modelCalls: 1,
      inputTokens: 50,
      outputTokens: 0,
      'inputTokens of far': 50,
    })
    expect(rerankerEmbeds(own, 'far')).toBe(undefined)
  })
})
