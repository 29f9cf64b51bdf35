import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chunkTexts } from '../../../src/corpus/corpus.ts'
import { denseIndex } from '../../../src/corpus/dense/dense.ts'
import { openVectors, type VectorIndex } from '../../../src/corpus/dense/vectors.ts'
import { createBm25, createLexicon } from '../../../src/corpus/lexical/bm25.ts'
import { createGuard } from '../../../src/custom/guard.ts'
import { align, complete, fuse } from '../../../src/ranking/fuse.ts'
import { defineCustomStep } from '../../../src/retrieve/custom/step.ts'
import { type Expression, sourceQuery } from '../../../src/retrieve/step.ts'
import { bm25Params } from '../../../src/retrieve/steps/params.ts'
import { embedQuery } from '../../../src/retrieve/steps/search.ts'
import { filterRetrieved, type TrialFilter } from '../../../src/retrieve/steps/trial.ts'
import { strategies } from '../../../src/retrieve/strategies/index.ts'
import type { Store } from '../../../src/store/store.ts'
import { rowCount } from '../../../src/tables/column.ts'
import { countTerms } from '../../../src/text/term-counts.ts'
import { createAnalyzer } from '../../../src/text/tokenize.ts'
import type { Ranking } from '../../../src/types.ts'
import { documents, questions } from '../../fixtures/passages.ts'
import { sharedFolder, temporaryFolder } from '../../temporary.ts'
import { evaluate, prepare, recipe, retrieved, transformed } from '../strategies/prepared.ts'

const source = sourceQuery(recipe)

const filtered = (
  whole: Parameters<typeof filterRetrieved>[0],
  filter: Partial<TrialFilter> & Pick<TrialFilter, 'where'>,
) => filterRetrieved(whole, source, { statistics: 'corpus', ...filter }).ranking

/** Some of the documents, by their places: few, half, nearly all. */
const subsets = fc
  .tuple(fc.constantFrom(1, 2, 3, documents.length), fc.nat(6))
  .map(([every, first]) => documents.map((_, row) => row).filter((row) => row % every === first % every))
const whereOf = (rows: readonly number[]) => ({ source: rows.map((row) => documents[row].id) })
const without = (
  { rows, scores }: Ranking,
  allowed: readonly number[],
  depth = Number.MAX_SAFE_INTEGER,
): Ranking => {
  const places = [...rows.keys()].filter((i) => allowed.includes(rows[i])).slice(0, depth)
  return {
    rows: Uint32Array.from(places, (i) => rows[i]),
    scores: Float64Array.from(places, (i) => scores[i]),
  }
}
const entriesOf = ({ rows, scores }: Ranking) => [...rows].map((row, i) => [row, scores[i]])

/** Strategies whose filtered list is their whole one without the chunks that are left out, whatever the pool. */
const CUT: readonly [string, Record<string, unknown>][] = [
  ['naive', {}],
  ['bm25', {}],
  ['graphrag-local-simple', {}],
  ['graphrag-local-simple', { projection: 'sum' }],
  ['graphrag-local-simple', { projection: 'constant' }],
  ['graphrag-global', {}],
  ['graphrag-global', { variant: 'dynamic' }],
  ['lightrag-simple', {}],
  ['hipporag-v1', {}],
  ['hipporag-simple', { projection: 'sum' }],
  ['hipporag-simple', { projection: 'constant' }],
]
/** Strategies in which a filter also changes what the list is made from: a budget, a walk's start. */
const CHANGED: readonly [string, Record<string, unknown>][] = [
  ['hipporag', {}],
  ['lightrag', {}],
  ['lightrag', { pick: 'weight' }],
  ['graphrag-local', { contextTokens: 400 }],
  ['title-ppr', { prior: 'dense' }],
  ['title-ppr', {}],
  ['hybrid', {}],
  ['rm3', {}],
]

describe('a filter', () => {
  const folder = sharedFolder()
  let store: Store
  let dense: VectorIndex
  let texts: readonly string[]
  beforeAll(async () => {
    const roots = [...CUT, ...CHANGED].flatMap(([name, params]) => retrieved(name, params).ranking)
    const boosted = transformed('graph-boost', {}, roots[0])
    const some = filtered({ ranking: roots[0] }, { where: whereOf([0]) })
    store = await prepare(folder, [...roots, boosted, some])
    dense = await store.open(denseIndex(recipe))
    await store.prepare(chunkTexts(recipe))
    texts = await store.open(chunkTexts(recipe))
  })
  afterAll(async () => {
    await store.close()
  })

  it('makes naive, bm25 and hybrid search the subset as if there were nothing else', async () => {
    const params = strategies.byName.get('bm25')?.params.parse({})
    const weighting = bm25Params(params as never)
    const analyze = createAnalyzer()
    const [vectors] = [await evaluate(store, embedQuery([source], null), questions)]
    await fc.assert(
      fc.asyncProperty(subsets, fc.constantFrom(1, 3, 100), async (allowed, pool) => {
        const subset = new Float32Array(allowed.length * dense.dims)
        allowed.forEach((row, i) => {
          subset.set(dense.vector(row), i * dense.dims)
        })
        const vectorsAlone = openVectors(rowCount(subset, dense.dims), dense.dims)
        const counts = countTerms(
          allowed.map((row) => texts[row]),
          analyze,
        )
        const bm25Alone = createBm25(createLexicon(counts, analyze), weighting as never)
        const placed = ({ rows, scores }: Ranking) => ({ rows: rows.map((row) => allowed[row]), scores })
        const run = (name: string, more = {}) =>
          evaluate(
            store,
            filtered(retrieved(name, { pool, ...more }), { where: whereOf(allowed), statistics: 'subset' }),
            questions,
          )
        const [naive, bm25, hybrid, rrf] = [
          await run('naive'),
          await run('bm25'),
          await run('hybrid'),
          await run('hybrid', { fusion: 'rrf' }),
        ]
        questions.forEach(({ text }, i) => {
          const [{ ranking, min }] = vectorsAlone.searchWithMin([vectors[i]], pool)
          const max = ranking.scores[0] ?? 0
          const near = {
            ...ranking,
            extremes: vectorsAlone.hasZeros()
              ? { min: Math.min(min, 0), max: Math.max(max, 0) }
              : { min, max },
          }
          const lexical = bm25Alone.searchWithExtremes(text, pool)
          expect(entriesOf(naive[i])).toEqual(entriesOf(placed(near)))
          expect(entriesOf(bm25[i])).toEqual(entriesOf(placed(lexical)))
          const union = align([near, lexical])
          const scores = [
            Float64Array.from(vectorsAlone.cosines(union.rows, vectors[i])),
            bm25Alone.scores(text, union.rows),
          ]
          const weighted = fuse(complete(union, scores), [{ weight: 0.5 }, { weight: 0.5 }], {
            fusion: 'weighted',
            norm: 'corpus',
          })
          expect(entriesOf(hybrid[i])).toEqual(entriesOf(placed(weighted)))
          const byRank = fuse(union, [{ weight: 0.5 }, { weight: 0.5 }], { fusion: 'rrf', rrfK: 60 })
          expect(entriesOf(rrf[i])).toEqual(entriesOf(placed(byRank)))
        })
      }),
      { numRuns: 12 },
    )
  })

  it.each(CHANGED)(
    'lets %s %j rank nothing that is left out, and fill its list with the rest',
    async (name, params) => {
      const whole = await evaluate(store, retrieved(name, params).ranking, questions)
      const everything = documents.map((_, row) => row)
      const all = await evaluate(
        store,
        filtered(retrieved(name, params), { where: whereOf(everything) }),
        questions,
      )
      expect(all.map(entriesOf)).toEqual(whole.map(entriesOf))
      const allowed = everything.filter((row) => row % 2 === 0)
      const found = await evaluate(
        store,
        filtered(retrieved(name, params), { where: whereOf(allowed) }),
        questions,
      )
      const count = (rankings: readonly Ranking[]) => rankings.reduce((sum, { rows }) => sum + rows.length, 0)
      for (const { rows } of found) expect([...rows].filter((row) => !allowed.includes(row))).toEqual([])
      // Other feedback brings other terms, which may match less.
      const least = name === 'rm3' ? 1 : count(whole.map((ranking) => without(ranking, allowed)))
      expect(count(found)).toBeGreaterThanOrEqual(least)
    },
  )

  it('is refused where a step finds chunks and takes no mask, its own or another system', () => {
    const defineStep = defineCustomStep(createGuard())
    const first = defineStep<null, [unknown], Ranking>({
      name: 'first-row',
      version: 1,
      yields: 'ranking',
      run: () => ({ rows: Uint32Array.of(0), scores: Float64Array.of(1) }),
    })
    const refused = (ranking: Expression<Ranking>) => () => filtered({ ranking }, { where: whereOf([1]) })
    expect(refused(first([source], null))).toThrow('the step `first-row` finds chunks and takes no filter')
    const path = join(temporaryFolder({ 'theirs.trec': 'q Q0 a 1 1 x\n' }), 'theirs.trec')
    expect(refused(retrieved('run', { path }).ranking)).toThrow(
      'the step `read-run` finds chunks and takes no filter',
    )
  })

  it('fails a query for which a step ranks what is left out, and gives a step of its own the mask', async () => {
    const defineStep = defineCustomStep(createGuard())
    const addRow = defineStep<null, [Ranking], Ranking>({
      name: 'add-row',
      version: 1,
      yields: 'ranking',
      run: () => ({ rows: Uint32Array.of(0), scores: Float64Array.of(1) }),
    })
    const allowedOnly = defineStep<null, [unknown, { rows: Uint32Array }?], Ranking>({
      name: 'all-kept',
      version: 1,
      channel: 'lexical',
      yields: 'ranking',
      within: true,
      run: ([, mask]) => ({
        rows: mask?.rows ?? new Uint32Array(0),
        scores: new Float64Array(mask?.rows.length ?? 0),
      }),
    })
    const filteredBy = (ranking: Expression<Ranking>) =>
      evaluate(store, filtered({ ranking }, { where: whereOf([2]) }), questions.slice(0, 1))
    await expect(filteredBy(addRow([retrieved('naive').ranking], null))).rejects.toThrow(
      'check-filter: the chunk in row 0 is ranked, and the filter leaves it out',
    )
    expect([...(await filteredBy(allowedOnly([source], null)))[0].rows]).toEqual([2])
  })
})
