import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { embedder } from '../../../src/corpus/dense/embeddings.ts'
import { evidenceTexts } from '../../../src/corpus/evidence.ts'
import { entitiesTable, graph } from '../../../src/corpus/graph/artifacts.ts'
import { communitiesTable } from '../../../src/corpus/graph/communities/assemble.ts'
import { membersOf } from '../../../src/corpus/graph/csr.ts'
import { createWalk } from '../../../src/corpus/graph/pagerank.ts'
import { communityReports } from '../../../src/corpus/graph/reports/assemble.ts'
import { createMemo } from '../../../src/retrieve/evaluate.ts'
import { sourceQuery } from '../../../src/retrieve/step.ts'
import { embedGraphQuery } from '../../../src/retrieve/steps/embed.ts'
import { citeListed, rankListed } from '../../../src/retrieve/steps/entities.ts'
import { queryNames } from '../../../src/retrieve/steps/keywords.ts'
import { linkEntities, linkNames, linkRelationships, linkReports } from '../../../src/retrieve/steps/link.ts'
import { countTokens } from '../../../src/text/tokens.ts'
import type { Query, Ranking } from '../../../src/types.ts'
import { powerIteration } from '../../corpus/graph/power-iteration.ts'
import { documentsOf, recipeOf } from '../../corpus/recipes.ts'
import { wordVectors } from '../../corpus/word-vectors.ts'
import { temporaryFolder } from '../../temporary.ts'
import { evaluate, listBehind, names, prepare, recipe, retrieved } from './prepared.ts'

const folder = mkdtempSync(join(tmpdir(), 'touchstone-order-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
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

const count = async (...asked: Parameters<typeof factsOf>) => (await factsOf(...asked)).counters

describe('what strategies find in a small world', () => {
  it('bm25 finds the words, and only chunks that hold one', async () => {
    expect(names(await rank('bm25', 'herring barrels'))).toBe('herring')
    expect(names(await rank('bm25', 'zebra'))).toBe('')
  })

  it('hybrid at alpha 1 is naive, at alpha 0 bm25', async () => {
    const text = 'Who taught the captain of the Heron to sail?'
    for (const fusion of ['weighted', 'rrf']) {
      expect(await rank('hybrid', text, { fusion, alpha: 1 })).toEqual(await rank('naive', text))
      expect(await rank('hybrid', text, { fusion, alpha: 0 })).toEqual(await rank('bm25', text))
    }
  })

  it('hybrid reads `pool` chunks of each side, and fuses these', async () => {
    const text = 'Where do salt, peat and herring come from, and who taught the captain of the Heron?'
    const expected = new Map<number, number>()
    for (const side of ['naive', 'bm25']) {
      const { rows } = await rank(side, text)
      expect(rows.length).toBeGreaterThan(3)
      rows.slice(0, 3).forEach((row, place) => {
        expected.set(row, (expected.get(row) ?? 0) + 0.5 / (60 + place + 1))
      })
    }
    const { rows, scores } = await rank('hybrid', text, { fusion: 'rrf', pool: 3 })
    expect(new Set(rows)).toEqual(new Set(expected.keys()))
    rows.forEach((row, place) => {
      expect(scores[place]).toBeCloseTo(expected.get(row) as number, 12)
    })
    expect((await rank('hybrid', text, { fusion: 'rrf' })).rows.length).toBeGreaterThan(rows.length)
  })

  it('title-ppr follows titles two steps from the question', async () => {
    // Heron -> Dara Quill, who was taught by Almar Voss: only her passage says so, only its own says where he was born.
    const found = names(await rank('title-ppr', 'Where was the teacher of the captain of the Heron born?'), 4)
    expect(found.split(' ')).toEqual(expect.arrayContaining(['heron', 'dara', 'almar']))
  })

  it.each(['hipporag', 'hipporag-v1', 'hipporag-simple'])(
    '%s reaches chunks that share nothing with the question but an entity',
    async (name) => {
      const text = 'Which island does the Sunken Strait part from the mainland?'
      const found = names(await rank(name, text), 8).split(' ')
      expect(found).toContain('strait')
      expect(found.some((id) => ['chart', 'almar', 'ferry', 'calder'].includes(id))).toBe(true)
    },
  )

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

  it('graphrag-local is linked by the names in a question, or by those that a file holds', async () => {
    const text = 'Where did Ines Karrow come from?'
    const path = `${temporaryFolder({ 'names.jsonl': `${JSON.stringify({ text, names: ['Dara Quill'] })}\n` })}/names.jsonl`
    for (const name of ['graphrag-local', 'graphrag-local-simple']) {
      const [byRule, byFile] = [
        await factsOf(name, text, { link: 'names' }),
        await factsOf(name, text, { link: 'names', names: path }),
      ]
      expect([byRule.notes.names, byFile.notes.names]).toEqual(['Ines Karrow', 'Dara Quill'])
      expect([byRule.counters.links, byFile.counters.links]).toEqual([1, 1])
      const [ruled, read] = [
        await rank(name, text, { link: 'names' }),
        await rank(name, text, { link: 'names', names: path }),
      ]
      expect(names(read)).toContain('dara')
      expect(names(read, 3)).not.toBe(names(ruled, 3))
    }
  })

  it('graphrag-local ranks the chunks of its entities', async () => {
    const found = names(await rank('graphrag-local', 'Ines Karrow'), 4).split(' ')
    expect(found).toContain('ines')
  })

  it('graphrag-local, simple, lists the relationships between its entities behind them, and they take places', async () => {
    const text = 'Where did Ines Karrow come from?'
    const listed = async (items: number) => {
      const output = retrieved('graphrag-local-simple', { link: 'names', hops: 1 })
      if (!output.evidence) throw new Error('there is no evidence')
      const list = listBehind(output.evidence, items)
      const [ranking, evidence] = [rankListed([list], null), citeListed([list], null)]
      const store = await prepare(folder, [ranking, evidence])
      const [cited] = await evaluate(store, evidence, [ask(text)])
      const [{ rows }] = await evaluate(store, ranking, [ask(text)])
      const relationships = cited.filter(({ kind }) => kind === 'relationship')
      return {
        entities: cited.length - relationships.length,
        relationships: relationships.length,
        chunks: rows.length,
      }
    }
    const all = await listed(1000)
    expect(all.relationships).toBeGreaterThan(0)
    expect(all.chunks).toBeGreaterThan(0)
    expect(await listed(all.entities + all.relationships)).toEqual({ ...all, chunks: 0 })
    expect(await listed(all.entities + 1)).toEqual({ entities: all.entities, relationships: 1, chunks: 0 })
  })

  it('graphrag-local, simple, ends its list with two chunks of each of the three nearest entities', async () => {
    const text = 'Who taught Dara Quill to sail?'
    const { evidence } = retrieved('graphrag-local-simple', { hops: 0 })
    if (!evidence) throw new Error('there is no evidence')
    const ranking = rankListed([listBehind(evidence, 1000)], null)
    const linked = linkEntities([embedGraphQuery(sourceQuery(recipe))], { entities: 5 })
    const store = await prepare(folder, [ranking, linked])
    const [[{ rows: entities }], [{ rows }]] = [
      await evaluate(store, linked, [ask(text)]),
      await evaluate(store, ranking, [ask(text)]),
    ]
    expect(entities).toHaveLength(5)
    const { chunksOfEntity } = await store.open(graph(recipe))
    const firstTwo = [...entities.slice(0, 3)].flatMap((entity) => [
      ...membersOf(chunksOfEntity, entity).subarray(0, 2),
    ])
    expect(firstTwo.length).toBeGreaterThan(3)
    expect([...rows]).toEqual([...new Set(firstTwo)])
  })

  it('lightrag finds things by names and themes by the other words', async () => {
    const found = names(
      await rank('lightrag', 'Who was the aunt of Dara Quill?', { mode: 'local' }),
      5,
    ).split(' ')
    expect(found).toContain('dara')
    // Names alone are no theme, and a theme alone names nothing.
    const links = async (mode: string, text: string) => (await count('lightrag', text, { mode })).links
    expect(await links('local', 'Dara Quill?')).toBeGreaterThan(0)
    expect(await links('global', 'Dara Quill?')).toBe(0)
    expect(await links('local', 'who learned to sail?')).toBe(0)
    expect(await links('global', 'who learned to sail?')).toBeGreaterThan(0)
  })

  /** Ten entities and ten relationships of the nearest cosine, with the scores of a weight, and the chunks of each. */
  async function weighItems(text: string, entityWeight: number) {
    const vector = embedGraphQuery(sourceQuery(recipe))
    const found = [
      linkEntities([vector], { entities: 10 }),
      linkRelationships([vector], { relationships: 10 }),
    ]
    const texts = evidenceTexts(recipe)
    const store = await prepare(folder, found)
    await store.prepare(texts)
    const { chunksOfEntity, chunksOfRelationship } = await store.open(graph(recipe))
    const cited = await store.open(texts)
    const [[things], [themes]] = [
      await evaluate(store, found[0], [ask(text)]),
      await evaluate(store, found[1], [ask(text)]),
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
    const asked = [ask('zzz qqq'), ask('Who taught Dara Quill to sail?')]
    const [found, linked] = await evaluate(store, ranking, asked)
    const [nearest, known] = await evaluate(store, dense, asked)
    expect(found.rows.length).toBeGreaterThan(0)
    expect(found).toEqual(nearest)
    expect(linked).not.toEqual(known)
  })

  it('lightrag, simple, cites entities by name and relationships by both ends', async () => {
    const { ranking, evidence } = retrieved('lightrag-simple', {})
    if (!evidence) throw new Error('there is no evidence')
    const store = await prepare(folder, [ranking, evidence])
    const [cited] = await evaluate(store, evidence, [ask('Who taught Dara Quill to sail?')])
    const textsOf = (kind: string) => cited.filter((one) => one.kind === kind).map(({ text }) => text)
    expect(textsOf('entity')).toContainEqual(expect.stringMatching(/^Dara Quill\b/))
    expect(textsOf('relationship').length).toBeGreaterThan(0)
    expect(textsOf('relationship').filter((text) => !/^.+ -> .+/.test(text))).toEqual([])
  })

  it.each(['hipporag', 'graphrag-local', 'lightrag'])(
    '%s counts its links, and its fallback where nothing is linked',
    async (name) => {
      const linked = await count(name, 'Who taught Dara Quill to sail?')
      expect(linked.links).toBeGreaterThan(0)
      expect(linked.fallbacks).toBe(0)
      const unknown = await count(name, 'zzz qqq')
      expect(unknown.links).toBe(0)
      expect(unknown.fallbacks).toBe(1)
    },
  )

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

  it('says why it fell back', async () => {
    expect((await factsOf('hipporag', 'zzz qqq')).fallbacks).toEqual(['nothing is linked'])
    expect((await factsOf('hipporag', 'Dara Quill')).fallbacks).toEqual([])
    for (const name of ['graphrag-local', 'graphrag-local-simple'])
      expect((await factsOf(name, 'zzz qqq')).fallbacks).toEqual(['no entity is linked'])
  })

  it('title-ppr falls back only where no title is linked and no link leads on from its prior', async () => {
    const titled = await count('title-ppr', 'Who taught Dara Quill to sail?')
    expect(titled).toMatchObject({ links: 1, fallbacks: 0 })
    // No title, but the best passages of the prior have links: that is a walk.
    const walked = await count('title-ppr', 'small brown sheep')
    expect(walked).toMatchObject({ links: 0, fallbacks: 0 })
    // No word of the corpus: the lexical prior is empty, and there is nothing to walk from.
    const nothing = await factsOf('title-ppr', 'zzz qqq', { prior: 'bm25' })
    expect(nothing.counters).toMatchObject({ links: 0, fallbacks: 1 })
    expect(nothing.fallbacks).toEqual(["no title is linked, and the prior's best passages have no links"])
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

  /** Counters of graphrag-global, and its evidence's tokens; every report is a batch of its own. */
  async function globally(text: string, params: Record<string, unknown> = {}) {
    const { ranking, evidence } = retrieved('graphrag-global', {
      variant: 'graphrag',
      batchTokens: 1,
      ...params,
    })
    if (!evidence) throw new Error('there is no evidence')
    const store = await prepare(folder, [ranking, evidence])
    const memo = createMemo(store, [ask(text)], () => 0)
    for (const root of [ranking, evidence]) await memo.cells(root)
    const [cited] = await evaluate(store, evidence, [ask(text)])
    const { counters, fallbacks } = memo.facts([ranking, evidence], 0)
    const read = cited.reduce((sum, { tokens }) => sum + tokens, 0)
    const { modelCalls, inputTokens, outputTokens } = counters
    return { calls: modelCalls, input: inputTokens, output: outputTokens, read, cited, fallbacks }
  }
  const ELSEWHERE = 'zzz qqq xxx'
  const reportsOf = async () => {
    const store = await prepare(folder, [retrieved('graphrag-global', {}).ranking])
    const { tokens, size } = await store.open(communityReports(recipe))
    return { size, tokens: tokens.reduce((sum, count) => sum + count, 0) }
  }

  it('graphrag-global counts what map calls read: prompt, question and report; nothing is reduced without points', async () => {
    const { size, tokens } = await reportsOf()
    const [short, long] = [await globally('zzz'), await globally(ELSEWHERE)]
    for (const one of [short, long])
      expect([one.calls, one.output, one.fallbacks]).toEqual([size, 0, ['no report is relevant']])
    expect(long.input - short.input).toBe(size * (countTokens(ELSEWHERE) - countTokens('zzz')))
    const prompt = (short.input - tokens) / size - countTokens('zzz')
    // The prompt has some hundred words, and is the same in each call.
    expect(Number.isInteger(prompt)).toBe(true)
    expect(prompt).toBeGreaterThan(60)
    expect(prompt).toBeLessThan(200)
  })

  it('graphrag-global counts what the reduce call reads and writes: prompt, question and points', async () => {
    const { size, tokens } = await reportsOf()
    const nothing = await globally(ELSEWHERE)
    const map = (text: string) => nothing.input + size * (countTokens(text) - countTokens(ELSEWHERE))
    const reduced = []
    for (const text of ['Dara Quill', 'life on Calder Island and in Port Ellery']) {
      const one = await globally(text)
      expect(one.calls).toBe(size + 1)
      expect(one.cited.length).toBeGreaterThan(0)
      reduced.push(one.input - map(text) - countTokens(text) - one.read)
      // The points are written once by map calls, and once more in the answer; lines between points are no part of them.
      expect(one.output).toBeGreaterThan(0)
      expect(Math.abs(one.output - 2 * one.read)).toBeLessThan(2 * one.cited.length * 5)
    }
    expect(tokens).toBeGreaterThan(0)
    for (const prompt of reduced) expect(Math.abs(prompt - 60)).toBeLessThan(40)
  })

  it('graphrag-global cites whole reports with title and size, or their points', async () => {
    const { cited: points } = await globally('Dara Quill')
    const { cited: whole } = await globally('Dara Quill', { cite: 'reports' })
    expect(whole.map(({ id }) => id)).toEqual(points.map(({ id }) => id))
    const titles = new Map([['# Dara Quill, Heron (ship), Mossreach', 'Dara Quill, Heron (ship), Mossreach']])
    const store = await prepare(folder, [retrieved('graphrag-global', { cite: 'reports' }).evidence as never])
    const { ids, contents, communities: rows } = await store.open(communityReports(recipe))
    const { entities } = await store.open(communitiesTable(recipe))
    const sizeOf = (id: string) => membersOf(entities, rows[ids.indexOf(id)]).length
    for (const { id, text, tokens } of whole) {
      const [head, title] = text.split('\n')
      expect(head).toMatch(/^.+ \((?:1 entity|[2-9]\d* entities)\)$/)
      expect(Number(/\((\d+) /.exec(head)?.[1])).toBe(sizeOf(id))
      expect(text).toBe(`${head}\n${contents[ids.indexOf(id)]}`)
      expect(title).toBe(`# ${head.replace(/ \(\d+ entit(?:y|ies)\)$/, '')}`)
      expect(tokens).toBe(countTokens(text))
      titles.delete(title)
    }
    expect(titles.size).toBe(0)
  })

  it('graphrag-global reads the reports whose summaries are nearest to the question', async () => {
    const query = sourceQuery(recipe)
    const nearest = linkReports([embedGraphQuery(query)], { communities: 3 })
    const model = embedder(recipe, recipe.embedder, 'query')
    const store = await prepare(folder, [nearest])
    await store.prepare(model)
    const { summaries, contents } = await store.open(communityReports(recipe))
    const { embed, dims } = await store.open(model)
    /** The texts' cosines to a question, the three highest. */
    const highest = async (text: string, texts: readonly string[]) => {
      const vectors = await embed([text, ...texts])
      const cosines = texts.map((_, row) => {
        let sum = 0
        for (let i = 0; i < dims; i++) sum += vectors[i] * vectors[(row + 1) * dims + i]
        return sum
      })
      return cosines.sort((a, b) => b - a).slice(0, 3)
    }
    for (const text of ['life on Calder Island', 'Who taught Dara Quill to sail?', 'salt and herring']) {
      const [{ scores }] = await evaluate(store, nearest, [ask(text)])
      const closely = (cosines: readonly number[]) => cosines.map((cosine) => expect.closeTo(cosine, 5))
      expect([...scores]).toEqual(closely(await highest(text, summaries)))
      expect([...scores]).not.toEqual(closely(await highest(text, contents)))
    }
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
