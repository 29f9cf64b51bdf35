import { expect, it } from 'vitest'
import type { Choice, Recipe } from '../../src/corpus/recipe.ts'
import { engineKinds, removeIndexOf, versionOf } from '../../src/engines/index.ts'
import { find } from '../../src/registry.ts'
import { createMemo } from '../../src/retrieve/evaluate.ts'
import { type Expression, sourceQuery } from '../../src/retrieve/step.ts'
import { searchInEngine, type TrialEngine } from '../../src/retrieve/steps/engine.ts'
import { filterRetrieved } from '../../src/retrieve/steps/trial.ts'
import { listEntries } from '../../src/store/folder.ts'
import type { Document, Query, Ranking } from '../../src/types.ts'
import { documentsOf, recipeOf } from '../corpus/recipes.ts'
import { documents, questions } from '../fixtures/passages.ts'
import { evaluate, prepare, retrieved } from '../retrieve/strategies/prepared.ts'
import { temporaryFolder } from '../temporary.ts'

/** Engines as a config names them: searches that compare every row, by an index, and by words where there are any. */
export interface Engines {
  readonly exact: Choice
  readonly index?: Choice
  readonly words?: Choice
}

const SHARE = 'share of the exact first 10'

export const over = (
  engines: Readonly<Record<string, Choice>>,
  of: readonly Document[] = documents,
): Recipe => ({ ...recipeOf(of), engines })

/** Ranking of a strategy over a recipe, as an expression. */
export function retrieve(
  name: string,
  params: Record<string, unknown>,
  recipe: Recipe,
  engine?: TrialEngine,
): Expression<Ranking> {
  const output = retrieved(name, params, sourceQuery(recipe))
  return engine ? searchInEngine(output, engine).ranking : output.ranking
}

/** Dense search in an engine. */
export const naiveIn = (engine: string, recipe: Recipe, params = {}) =>
  retrieve('naive', params, recipe, { dense: engine })

/** Lexical search in an engine. */
export const bm25In = (engine: string, recipe: Recipe, params = {}) =>
  retrieve('bm25', params, recipe, { lexical: engine })

export const rounded = ({ rows, scores }: Ranking) =>
  [...rows].map((row, i) => [row, Number(scores[i].toFixed(4))])

/** Shares of the exact first ten that an engine's ranking counted, by query. */
export async function sharesOf(root: Expression<Ranking>): Promise<number[]> {
  const store = await prepare(temporaryFolder(), [root])
  const memo = createMemo(store, questions, () => 0)
  await memo.cells(root)
  const shares = questions.map((_, place) => memo.facts([root], place).counters[SHARE])
  await store.close()
  return shares
}

const query = (text: string): Query => ({ id: 'q', text, metadata: {} })

/** Texts that must come through a client and a server as they are. */
const HOSTILE = [
  `A "quoted" 'text'; DROP TABLE passages; -- and {"match_all": {}} of the lighthouse.`,
  'A NUL \u0000 and an escape \u001b[31m in the harbour.',
  'A line separator \u2028 and a lone half \ud83d of a pair at the bridge.',
  `A gull ${'of the northern coast '.repeat(50_000)}`,
]

/** Removes the indexes of all artifacts of a store from their engines. */
export async function removeAll(root: string): Promise<void> {
  for (const { folder } of listEntries(root)) await removeIndexOf(folder)
}

const TAGGED = documents.map((document, i) => ({ ...document, metadata: { half: i % 2 ? 'odd' : 'even' } }))
const ODD = { where: { half: ['odd'] }, statistics: 'corpus' as const }

/** Behaviour of every kind of engine. */
export function describeEngine(start: () => Engines): void {
  it('ranks as the search in memory does if it compares every row', async () => {
    const recipe = over({ flat: start().exact })
    const roots = [retrieve('naive', {}, recipe), naiveIn('flat', recipe)]
    const store = await prepare(temporaryFolder(), roots)
    const [here, there] = [
      await evaluate(store, roots[0], questions),
      await evaluate(store, roots[1], questions),
    ]
    for (const [place, ranking] of there.entries()) {
      expect(ranking.rows.length).toBeGreaterThan(0)
      expect(rounded(ranking)).toEqual(rounded(here[place]).filter(([row]) => ranking.rows.includes(row)))
    }
    expect(new Set(await sharesOf(roots[1]))).toEqual(new Set([1]))
    await store.close()
  })

  it('says its version without any corpus', async () => {
    const { server } = find(engineKinds, start().exact.name)
    expect(await versionOf(server)).toMatch(/\d+\.\d+/)
  })

  it('breaks ties at the cut as the search in memory does', async () => {
    const texts = ['The gull sleeps.', ...new Array(6).fill('The lighthouse of 1839.'), 'The bridge of iron.']
    const recipe = over({ flat: start().exact }, documentsOf(texts))
    const roots = [retrieve('naive', { pool: 3 }, recipe), naiveIn('flat', recipe, { pool: 3 })]
    const store = await prepare(temporaryFolder(), roots)
    const [[here], [there]] = await Promise.all(
      roots.map((root) => evaluate(store, root, [query('lighthouse of 1839')])),
    )
    expect([...there.rows]).toEqual([6, 5, 4])
    expect(rounded(there)).toEqual(rounded(here).slice(0, 3))
    await store.close()
  })

  it('searches among the chunks that a filter keeps, and finds as many as the search in memory', async () => {
    const engines = start()
    const recipe = over({ flat: engines.exact, index: engines.index ?? engines.exact }, TAGGED)
    const among = (engine?: string) => {
      const ranking = retrieve('naive', {}, recipe, engine === undefined ? undefined : { dense: engine })
      return filterRetrieved({ ranking }, sourceQuery(recipe), ODD).ranking
    }
    const roots = [among(), among('flat'), among('index')]
    const store = await prepare(temporaryFolder(), roots)
    const [here, flat, index] = await Promise.all(roots.map((root) => evaluate(store, root, questions)))
    expect(flat.map(rounded)).toEqual(here.map(rounded))
    for (const [place, ranking] of index.entries()) expect(ranking.rows.length).toBe(here[place].rows.length)
    await store.close()
  })

  it('an index says which share of the exact search it finds', async () => {
    const { index } = start()
    if (!index) return
    const shares = await sharesOf(naiveIn('index', over({ index })))
    expect(shares.reduce((sum, share) => sum + share, 0) / shares.length).toBeGreaterThan(0.9)
  })

  it('loads and finds texts with quotes, control characters and a megabyte', async () => {
    const { exact, words } = start()
    const recipe = over({ flat: exact, ...(words && { words }) }, documentsOf(HOSTILE))
    const dense = naiveIn('flat', recipe)
    const lexical = words && bm25In('words', recipe)
    const store = await prepare(temporaryFolder(), lexical ? [dense, lexical] : [dense])
    const queries = ['lighthouse" OR 1=1', 'harbour \u0000', "bridge'); --", 'gull northern'].map(query)
    expect((await evaluate(store, dense, queries)).map(({ rows }) => rows[0])).toEqual([0, 1, 2, 3])
    if (lexical)
      expect((await evaluate(store, lexical, queries)).map(({ rows }) => rows[0])).toEqual([0, 1, 2, 3])
    await store.close()
  })

  it('finds nothing for a query without words, and nothing in words that no text has', async () => {
    const { exact, words } = start()
    const recipe = over({ flat: exact, ...(words && { words }) })
    const roots = [naiveIn('flat', recipe), ...(words ? [bm25In('words', recipe)] : [])]
    const store = await prepare(temporaryFolder(), roots)
    for (const root of roots)
      for (const { rows } of await evaluate(store, root, [query(''), query('zzz qqq ???')]))
        expect(rows.length).toBe(0)
    await store.close()
  })

  it('gives a changed corpus an index of its own, without the document that was deleted', async () => {
    const { exact } = start()
    const gone = documents.find(({ id }) => id === 'almar')
    const [whole, less] = [documents, documents.filter((document) => document !== gone)].map((of) =>
      naiveIn('flat', over({ flat: exact }, of), { pool: 5 }),
    )
    const folder = temporaryFolder()
    const store = await prepare(folder, [whole, less])
    const queries = [query(gone?.text ?? '')]
    const [[before], [after]] = [await evaluate(store, whole, queries), await evaluate(store, less, queries)]
    expect(documents[before.rows[0]].id).toBe('almar')
    expect(after.rows.length).toBe(5)
    expect(Math.max(...after.rows)).toBeLessThan(documents.length - 1)
    await store.close()
  })

  it('is loaded again after its index was removed, and removes only its own', async () => {
    const { exact, words } = start()
    const recipe = over({ flat: exact, ...(words && { words }) })
    const roots = [
      naiveIn('flat', recipe, { pool: 7 }),
      ...(words ? [bm25In('words', recipe, { pool: 7 })] : []),
    ]
    const folder = temporaryFolder()
    const first = await prepare(folder, roots)
    const rankings = await Promise.all(roots.map((root) => evaluate(first, root, questions)))
    await first.close()
    await removeAll(folder)
    await removeAll(folder)
    const again = await prepare(folder, roots)
    const after = await Promise.all(roots.map((root) => evaluate(again, root, questions)))
    expect(after.map((one) => one.map(rounded))).toEqual(rankings.map((one) => one.map(rounded)))
    await again.close()
  })
}
