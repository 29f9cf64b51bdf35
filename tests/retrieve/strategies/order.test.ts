import { describe, expect, it } from 'vitest'
import { evidenceTexts } from '../../../src/corpus/evidence.ts'
import { membersOf } from '../../../src/corpus/graph/csr.ts'
import { entitiesTable, graph } from '../../../src/corpus/graph/extraction.ts'
import { createWalk } from '../../../src/corpus/graph/pagerank.ts'
import { createMemo } from '../../../src/retrieve/evaluate.ts'
import { sourceQuery } from '../../../src/retrieve/step.ts'
import { queryNames } from '../../../src/retrieve/steps/keywords.ts'
import { linkEntities, linkNames, linkRelationships } from '../../../src/retrieve/steps/link.ts'
import { embedGraphQuery } from '../../../src/retrieve/steps/search.ts'
import type { Query, Ranking } from '../../../src/types.ts'
import { powerIteration } from '../../corpus/graph/power-iteration.ts'
import { documentsOf, recipeOf } from '../../corpus/recipes.ts'
import { wordVectors } from '../../corpus/word-vectors.ts'
import { sharedFolder } from '../../temporary.ts'
import { evaluate, prepare, recipe, retrieved } from './prepared.ts'

const folder = sharedFolder()
const ask = (text: string): Query => ({ id: text, text, metadata: {} })

async function rank(name: string, text: string, params: Record<string, unknown> = {}): Promise<Ranking> {
  const { ranking } = retrieved(name, params)
  const store = await prepare(folder, [ranking])
  return (await evaluate(store, ranking, [ask(text)]))[0]
}

/** The facts of one query, evidence with it. */
async function factsOf(name: string, text: string, params: Record<string, unknown> = {}) {
  const { ranking, evidence } = retrieved(name, params)
  const roots = evidence ? [ranking, evidence] : [ranking]
  const memo = createMemo(await prepare(folder, roots), [ask(text)], () => 0)
  for (const root of roots) await memo.cells(root)
  return memo.facts(roots, 0)
}

const count = async (...args: Parameters<typeof factsOf>) => (await factsOf(...args)).counters

describe('what strategies find in a small world', () => {
  it('hybrid at alpha 1 is naive, at alpha 0 bm25', async () => {
    const text = 'Who taught the captain of the Heron to sail?'
    for (const fusion of ['weighted', 'rrf']) {
      expect(await rank('hybrid', text, { fusion, alpha: 1 })).toEqual(await rank('naive', text))
      expect(await rank('hybrid', text, { fusion, alpha: 0 })).toEqual(await rank('bm25', text))
    }
  })

  it('hipporag v1 links a name to the entity that it is, not to one of equal cosine', async () => {
    // The same words in another order have one vector.
    const turned = ['Karrow Ines', 'Voss Almar', 'Quill Dara']
    const twins = documentsOf(
      [...turned, 'Ines Karrow', 'Almar Voss', 'Dara Quill'].map((name) => `Then ${name} came.`),
    )
    const small = { ...recipeOf(twins), graph: [{ name: 'rules', params: {} }] }
    const query = ['Ines Karrow', 'Almar Voss', 'Dara Quill', ...turned]
    const linked = linkNames([queryNames(sourceQuery(small), undefined)], null)
    const store = await prepare(folder, [linked])
    const { keys } = await store.open(entitiesTable(small))
    for (const name of query) {
      const [{ rows, scores }] = await evaluate(store, linked, [ask(`Where did ${name} come from?`)])
      expect([...scores]).toEqual([1])
      expect(Array.from(rows, (row) => keys[row])).toEqual([name.toLowerCase()])
    }
  })

  /** Ten entities and ten relationships of the nearest cosine, with the scores of a weight, and the chunks of each. */
  async function weighItems(text: string, entityWeight: number) {
    const vector = embedGraphQuery(sourceQuery(recipe))
    const expressions = [
      linkEntities([vector], { entities: 10 }),
      linkRelationships([vector], { relationships: 10 }),
    ]
    const texts = evidenceTexts(recipe)
    const store = await prepare(folder, expressions)
    await store.prepare(texts)
    const { chunksOfEntity, chunksOfRelationship } = await store.open(graph(recipe))
    const cited = await store.open(texts)
    const [[things], [themes]] = [
      await evaluate(store, expressions[0], [ask(text)]),
      await evaluate(store, expressions[1], [ask(text)]),
    ]
    const of = ({ rows, scores }: Ranking, weight: number, side: object) =>
      Array.from(rows, (row, at) => ({ row, score: weight * scores[at], ...side }))
    return [
      ...of(things, entityWeight, { evidence: cited.entity, holders: chunksOfEntity }),
      ...of(themes, 1 - entityWeight, { evidence: cited.relationship, holders: chunksOfRelationship }),
    ] as { row: number; score: number; evidence: typeof cited.entity; holders: typeof chunksOfEntity }[]
  }

  it('lightrag, simple, searches both indexes and fuses the weighted cosines: ten items cited, chunks by their best', async () => {
    const text = 'Who taught Dara Quill to sail?'
    const kinds = new Set<string>()
    for (const params of [{}, { entityWeight: 0.6 }, { entityWeight: 0.45 }]) {
      const { ranking, evidence } = retrieved('lightrag-simple', { ...params })
      if (!evidence) throw new Error('there is no evidence')
      const store = await prepare(folder, [ranking, evidence])
      const [cited] = await evaluate(store, evidence, [ask(text)])
      const [{ rows, scores }] = await evaluate(store, ranking, [ask(text)])
      const items = await weighItems(text, params.entityWeight ?? 0.6)
      expect(items).toHaveLength(20)
      const list = items.sort((a, b) => b.score - a.score).slice(0, 10)
      expect(cited.map(({ id }) => id)).toEqual(list.map(({ row, evidence }) => evidence(row).id))
      kinds.add(cited.map(({ kind }) => kind[0]).join(''))
      const best = new Map<number, number>()
      for (const { row, score, holders } of items)
        for (const chunk of membersOf(holders, row))
          best.set(chunk, Math.max(best.get(chunk) ?? Number.NEGATIVE_INFINITY, score))
      expect(new Map(Array.from(rows, (row, at) => [row, scores[at]]))).toEqual(best)
    }
    // The default weight is .6; another one mixes both kinds otherwise.
    expect(kinds.size).toBe(2)
  })

  it('hipporag, simple, walks from the five nearest entities: (1 - .85) p(v) + .85 of the neighbours, a chunk by its best', async () => {
    const text = 'Who taught Dara Quill to sail?'
    const { ranking } = retrieved('hipporag-simple', {})
    const linked = linkEntities([embedGraphQuery(sourceQuery(recipe))], { entities: 5 })
    const store = await prepare(folder, [ranking, linked])
    const [{ rows: starts }] = await evaluate(store, linked, [ask(text)])
    const { csr, chunksOfEntity, entities } = await store.open(graph(recipe))
    const reset = Array.from({ length: entities.size }, (_, row) => Number(starts.includes(row)))
    expect(starts).toHaveLength(5)
    const walked = powerIteration(createWalk(csr), reset, 0.85)
    const best = new Map<number, number>()
    walked.forEach((score, entity) => {
      if (score === 0) return
      for (const chunk of membersOf(chunksOfEntity, entity))
        best.set(chunk, Math.max(best.get(chunk) ?? 0, score))
    })
    const [{ rows, scores }] = await evaluate(store, ranking, [ask(text)])
    expect(rows.length).toBe(best.size)
    rows.forEach((row, at) => {
      expect(scores[at]).toBeCloseTo(best.get(row) ?? -1, 10)
    })
  })

  it.each([
    ['hipporag-simple', {}],
    ['graphrag-local-simple', {}],
    ['lightrag-simple', {}],
    ['lightrag', {}],
  ])('%s with %o falls back to the dense ranking where nothing is linked', async (name, params) => {
    // No word of the question is in a text of the graph, and the embedder of chunks knows every word.
    const apart = { ...recipe, embedder: wordVectors, graphEmbedder: { name: 'lsa', params: {} } }
    const query = sourceQuery(apart)
    const { ranking } = retrieved(name, params, query)
    const dense = retrieved('naive', {}, query).ranking
    const store = await prepare(folder, [ranking, dense])
    const queries = [ask('zzz qqq'), ask('Who taught Dara Quill to sail?')]
    const [found, linked] = await evaluate(store, ranking, queries)
    const [nearest, known] = await evaluate(store, dense, queries)
    expect(found.rows.length).toBeGreaterThan(0)
    expect(found).toEqual(nearest)
    expect(linked).not.toEqual(known)
  })

  it.each([
    ['graphrag-local', { link: 'names' }],
    ['graphrag-local-simple', { link: 'names' }],
    ['hipporag-v1', {}],
  ])('%s %o falls back to the vector search', async (name, params) => {
    const text = 'small brown sheep'
    expect(await count(name, text, params)).toMatchObject({ links: 0, fallbacks: 1 })
    const dense = await rank('naive', text)
    expect(dense.rows.length).toBeGreaterThan(0)
    expect(await rank(name, text, params)).toEqual(dense)
  })

  it('graphrag-global counts a call a report and one to reduce, with their tokens', async () => {
    const { links, modelCalls, inputTokens, outputTokens } = await count(
      'graphrag-global',
      'life on Calder Island',
      { communities: 3 },
    )
    expect(links).toBe(3)
    expect(modelCalls).toBe(4)
    expect(inputTokens).toBeGreaterThan(outputTokens)
    expect(outputTokens).toBeGreaterThan(0)
  })

  it('the list of seed document 003 is full of entities before any chunk: the projection `constant` finds next to nothing', async () => {
    const text = 'Who taught Dara Quill to sail?'
    for (const name of ['graphrag-local-simple', 'hipporag-simple']) {
      const seed = await rank(name, text, { projection: 'constant' })
      expect(seed.rows.length).toBeLessThan(8)
      expect((await rank(name, text)).rows.length).toBeGreaterThan(seed.rows.length)
    }
  })
})
