import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { rankPairs } from '../../../src/ranking/order.ts'
import { createMemo } from '../../../src/retrieve/evaluate.ts'
import { type Expression, sourceQuery } from '../../../src/retrieve/step.ts'
import {
  askReranker,
  reranked,
  rerankerEmbeds,
  scoreCandidates,
} from '../../../src/retrieve/transforms/rerank.ts'
import type { Ranking } from '../../../src/types.ts'
import { documents, questions } from '../../fixtures/passages.ts'
import { fakeServer } from '../../models/fake-server.ts'
import { evaluate, outputsOf, prepare, recipe, retrieved, transformed } from '../strategies/prepared.ts'

const folder = mkdtempSync(join(tmpdir(), 'touchstone-rerank-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const retrieve = (name: string, over = recipe) => retrieved(name, {}, sourceQuery(over)).ranking

const rerankAfter = (ranking: Expression<Ranking>, given: object) => transformed('rerank', given, ranking)

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
        const found = reranked(ranking, scores, { keep, minScore })
        const sorted = [...ranking.rows.slice(0, scores.length)]
          .map((row, i) => ({ row, score: scores[i] }))
          .sort((a, b) => b.score - a.score || b.row - a.row)
        const cut = keep !== undefined || minScore !== undefined
        const kept = sorted.filter(({ score }) => score >= (minScore ?? -Infinity)).slice(0, keep)
        const rest = cut ? [] : [...ranking.rows.slice(scores.length)]
        expect([...found.rows]).toEqual([...kept.map(({ row }) => row), ...rest])
        expect([...found.scores.slice(0, kept.length)]).toEqual(kept.map(({ score }) => score))
        for (let i = Math.max(1, kept.length); i < found.scores.length; i++)
          expect(found.scores[i]).toBeLessThan(found.scores[i - 1])
      }),
    )
  })
})

describe('rerank', () => {
  test('by `embedding` puts the first of a lexical search in the order of the cosines', async () => {
    const [lexical, dense] = [retrieve('bm25'), retrieve('naive')]
    const root = rerankAfter(lexical, { by: 'embedding', top: 1000 })
    const store = await prepare(folder, [root, dense])
    const [found, cosines] = [await evaluate(store, root, questions), await evaluate(store, dense, questions)]
    found.forEach((ranking, index) => {
      const byCosine = new Map([...cosines[index].rows].map((row, i) => [row, cosines[index].scores[i]]))
      expect([...ranking.scores]).toEqual([...ranking.rows].map((row) => byCosine.get(row)))
    })
  })

  test('by an embedder of its own reads its vectors, of another length too', async () => {
    const small = { name: 'embedding', params: { embedder: { name: 'lsa', params: { dims: 2 } } } }
    const own = { ...recipe, rerankers: { small } }
    const root = rerankAfter(retrieve('naive', own), { by: 'small', top: 5, keep: 3 })
    expect(root.inputs[1].step.embeds?.(own, root.inputs[1].params)).toEqual(small.params.embedder)
    const store = await prepare(folder, [root])
    for (const { rows } of await evaluate(store, root, questions)) expect(rows).toHaveLength(3)
  })

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
    const [found, first] = [cell?.value, plain?.value].map((one) => [...(one as Ranking).rows])
    const texts = first.slice(0, 4).map((row) => `${documents[row].title}\n${documents[row].text}`)
    expect(asked.map(({ body }) => [body.query, body.documents])).toEqual([
      [questions[0].text, [...texts].sort()],
    ])
    const length = (row: number) => `${documents[row].title}\n${documents[row].text}`.length
    expect(found).toEqual([
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

describe('the steps of rerank', () => {
  const query = { id: 'q', text: 'Who?', metadata: {} }

  test('score the first chunks of a ranking, and ask for none where none was found', async () => {
    const reranker = {
      async score(asked: unknown, rows: Uint32Array) {
        expect(asked).toBe(query)
        expect(rows.length).toBeGreaterThan(0)
        return Float64Array.from(rows, (row) => row / 10)
      },
    }
    const scores = async (rows: number[]) => {
      const ranking = rankPairs(rows, rows, rows.length)
      const [scored] = outputsOf(
        scoreCandidates,
        [[query, ranking]],
        { by: 'lexical', depth: 2 },
        { reranker },
      )
      return [...Array.from((await scored).scores)]
    }
    expect(await scores([3, 9, 5])).toEqual([0.9, 0.5])
    expect(await scores([3])).toEqual([0.3])
    expect(await scores([])).toEqual([])
  })

  test('ask a server for each passage once, in one order, and count what it read', async () => {
    const far = { name: 'jina', params: { baseUrl: 'http://localhost:1', model: 'm', apiKeyEnv: 'FAR_KEY' } }
    const source = sourceQuery({ ...recipe, rerankers: { far } })
    const { step } = askReranker([source, source] as never, { by: 'far' })
    const given = { model: 'far', took: { input: 50, output: 0 } }
    const counts = (scores: number[]) => step.facts?.({ scores, given } as never).counts
    const one = { modelCalls: 1, inputTokens: 50, outputTokens: 0, 'inputTokens of far': 50 }
    expect(counts([0.5])).toEqual(one)
    expect(counts([])).toEqual({ modelCalls: 0, inputTokens: 0, outputTokens: 0 })
    const requests: unknown[] = []
    const model = {
      name: 'far',
      async ask(request: unknown) {
        requests.push(request)
        const usage = { input: 50, output: 0 }
        const completion = { text: '[0.25, 0.75]', model: 'm', finish: 'stop', usage }
        return { request, completion }
      },
    }
    const context = { params: { by: 'far' }, artifacts: { model } } as never
    const [reply] = (await step.runBlock?.([[query, ['b', 'a', 'b']]] as never, context)) ?? []
    const messages = ['Who?', 'a', 'b'].map((content) => ({ role: 'user', content }))
    expect(requests).toEqual([expect.objectContaining({ messages, repeat: 0 })])
    expect(reply).toMatchObject({ scores: [0.75, 0.25, 0.75] })
  })
})
