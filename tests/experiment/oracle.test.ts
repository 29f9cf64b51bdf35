import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { textUnits } from '../../src/corpus/corpus.ts'
import { openSession, type Session } from '../../src/experiment/shard/session.ts'
import { SHARE } from '../../src/metrics/range.ts'
import { type Results, readResults } from '../../src/results/read.ts'
import { createMemo, type MemoCell } from '../../src/retrieve/evaluate.ts'
import { meanInterval } from '../../src/statistics/intervals.ts'
import type { Chunk, Evidence, Ranking } from '../../src/types.ts'
import { finishConfig, runOptions, setUp } from './experiments.ts'

/**
 * Everything a run writes, computed again from the trials' rankings as plain lists of objects: no blocks, no parts, no
 * columns. Documents are cut into several chunks, one query has no gold, one trial fails once.
 */

/** Counts each query's letters, gives evidence beside, fails on one query, and finds nothing on another. */
const MINE = `export default ({ defineStrategy, steps, z }) => {
  const index = { k1: 0.9, b: 0.4, idf: 'lucene' }
  const counted = steps.defineStep({ name: 'counted', version: 1, yields: 'ranking',
    facts: (ranking) => ({ counts: { links: ranking.rows.length % 3, modelCalls: 2 } }),
    run: ([ranking, query]) => {
      if (query.text.includes('TownC2 ')) throw new Error('no towns with a C')
      return query.text.includes('TownE4 ') ? { rows: new Uint32Array(0), scores: new Float64Array(0) } : ranking
    } })
  const cite = steps.defineStep({ name: 'cite', version: 1, facts: () => ({ counts: { cited: 1 } }),
    run: ([ranking, query]) => [{ kind: 'entity', id: 'e', text: 'x', tokens: query.text.length },
      { kind: 'entity', id: 'f', text: 'y', tokens: 3 }] })
  return defineStrategy({ name: 'mine', summary: 'counts', source: 'here', params: z.strictObject({}),
    make: () => ({ retrieve: (query) => {
      const ranking = counted([steps.searchBm25([query], { depth: 9, index }), query], null)
      return { ranking, evidence: cite([ranking, query], null) }
    } }) })
}`

const DEPTH = 7
const K = 5
const BUDGET = 60
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
const mean = (values: readonly number[]) => (values.length === 0 ? 0 : sum(values) / values.length)

/** Result of a trial for a query. */
interface Outcome {
  readonly failed: boolean
  readonly chunks: readonly Chunk[]
  readonly scores: readonly number[]
  /** Documents by rank, each with the tokens down to its first chunk and its score. */
  readonly documents: readonly { readonly id: string; readonly tokens: number; readonly score: number }[]
  /** Of the passages sent. */
  readonly tokens: number
  readonly evidence: number
}

let results: Results
let session: Session
let outcomes: Outcome[][]
let corpus: readonly Chunk[]
/** By query: judged id -> grade. */
let gold: ReadonlyMap<string, number>[]

/** Every test reads what this one made. */
test('a run gives something to tell apart', async () => {
  const { config, store, at, folder } = setUp(
    '[naive, bm25, {hybrid: {pool: 4, grid: {alpha: [0.3, 0.7]}}}, ./mine.mjs]',
    `depth: ${DEPTH}\nprepare: {chunk: {tokens: {size: 12, overlap: 4}}}\n`,
  )
  writeFileSync(join(folder, 'mine.mjs'), MINE)
  const measures = `recall@${K}, mrr, ndcg@${K}, num_rel_ret, recall@${BUDGET}tok, recall@${BUDGET}tok(evidence=first)`
  writeFileSync(
    config,
    readFileSync(config, 'utf8')
      .replace(/measures: .*/, `measures: [${measures}]`)
      .replace('draws: 200', 'draws: 200, seed: 7, level: 0.2'),
  )
  appendFileSync(join(folder, 'towns/qrels/test.tsv'), 'q0\td3\t0\nq1\td9\t3\nq3\td99\t1\nq5\ta10\t2\n')
  // Gold that stands behind others of no likeness either: of equal scores the higher id comes first.
  const others = Array.from({ length: 20 }, (_, place) => ({
    _id: `a${place + 10}`,
    title: `Qw${place}`,
    text: `Uiop${place} asdf.`,
  }))
  appendFileSync(
    join(folder, 'towns/corpus.jsonl'),
    others.map((document) => `${JSON.stringify(document)}\n`).join(''),
  )
  writeFileSync(
    config,
    readFileSync(config, 'utf8').replace(
      'dataset: towns',
      'dataset: {beir: {path: towns, missingGold: count}}',
    ),
  )
  await finishConfig(config, store, runOptions(at('run'), { shardSize: 6 }))
  results = await readResults(at('run'))
  session = await openSession(at('run'))
  gold = session.queries.map(() => new Map())
  const [, ...lines] = readFileSync(join(folder, 'towns/qrels/test.tsv'), 'utf8').trim().split('\n')
  for (const line of lines) {
    const [query, document, grade] = line.split('\t')
    const place = session.queries.findIndex(({ id }) => id === query)
    ;(gold[place] as Map<string, number>).set(document, Number(grade))
  }
  outcomes = []
  for (const { ranking, evidence } of session.trials) {
    const chunks = await session.store.open(textUnits(ranking.recipe))
    corpus = chunks
    const outcomesOfTrial: Outcome[] = []
    for (const query of session.queries) {
      const memo = createMemo(session.store, [query], () => 0)
      const [cell] = await memo.cells(ranking)
      const evidenceCell = evidence ? (await memo.cells(evidence))[0] : undefined
      const failed = Boolean(cell?.failure ?? evidenceCell?.failure)
      const { rows, scores } = failed ? { rows: [], scores: [] } : ((cell as MemoCell).value as Ranking)
      const documents: { id: string; tokens: number; score: number }[] = []
      let tokens = 0
      for (const [place, row] of rows.entries()) {
        if (documents.length === DEPTH) break
        tokens += chunks[row].tokens
        const id = chunks[row].documentId
        if (!documents.some((one) => one.id === id)) documents.push({ id, tokens, score: scores[place] })
      }
      outcomesOfTrial.push({
        failed,
        documents,
        scores: [...scores],
        chunks: [...rows].map((row) => chunks[row]),
        // As many chunks are sent as the primary measure looks at.
        tokens: sum([...rows].slice(0, K).map((row) => chunks[row].tokens)),
        evidence: failed
          ? 0
          : sum(((evidenceCell?.value ?? []) as readonly Evidence[]).map((item) => item.tokens)),
      })
    }
    outcomes.push(outcomesOfTrial)
  }
  await session.store.close()
  const all = outcomes.flat()
  expect(outcomes).toHaveLength(5)
  expect(all.filter(({ failed }) => failed)).toHaveLength(1)
  expect(all.some(({ chunks, documents }) => chunks.length > documents.length)).toBe(true)
  expect(all.some(({ documents }) => documents.length === DEPTH)).toBe(true)
  expect(all.some(({ documents, failed }) => documents.length === 0 && !failed)).toBe(true)
})

const counts = (query: number) => session.queries[query].answerable && gold[query].size > 0
const rankOf = (trial: number, query: number, document: string) =>
  outcomes[trial][query].documents.findIndex(({ id }) => id === document) + 1

/** Each measure by its definition. */
const MEASURES: ((trial: number, query: number) => number)[] = [
  (trial, query) => mean(relevant(query).map((id) => (isRanked(rankOf(trial, query, id), K) ? 1 : 0))),
  (trial, query) =>
    Math.max(0, ...relevant(query).map((id) => 1 / (rankOf(trial, query, id) || Number.POSITIVE_INFINITY))),
  (trial, query) => {
    const gains = [...gold[query].values()].sort((a, b) => b - a).slice(0, K)
    const own = [...gold[query]].map(([id, grade]) => {
      const rank = rankOf(trial, query, id)
      return isRanked(rank, K) ? grade / Math.log2(rank + 1) : 0
    })
    return sum(own) / sum(gains.map((grade, place) => grade / Math.log2(place + 2)))
  },
  (trial, query) => relevant(query).filter((id) => rankOf(trial, query, id) > 0).length,
  (trial, query) => afford(trial, query, 0),
  (trial, query) => afford(trial, query, outcomes[trial][query].evidence),
]
const isRanked = (rank: number, k: number) => rank > 0 && rank <= k
const relevant = (query: number) => [...gold[query]].flatMap(([id, grade]) => (grade >= 1 ? [id] : []))
const afford = (trial: number, query: number, spent: number) =>
  mean(
    relevant(query).map((id) => {
      const found = outcomes[trial][query].documents.find((candidate) => candidate.id === id)
      return found && found.tokens + spent <= BUDGET ? 1 : 0
    }),
  )

test('every value of every measure, its means and those of the categories', () => {
  results.summary.measures.forEach((name, place) => {
    const values = results.scores.get(name) as Float64Array
    outcomes.forEach((_, trial) => {
      const own = session.queries.map((_, query) =>
        counts(query) ? MEASURES[place](trial, query) : Number.NaN,
      )
      own.forEach((value, query) => {
        const shown = values[trial * own.length + query]
        if (Number.isNaN(value)) expect(shown).toBeNaN()
        else expect(shown, `${name} ${trial} ${query}`).toBeCloseTo(value, 10)
      })
      const total = (list: readonly number[]) => (name === 'num_rel_ret' ? sum(list) : mean(list))
      const counted = (category?: string) =>
        own.filter(
          (value, query) =>
            !Number.isNaN(value) && (category === undefined || session.queries[query].category === category),
        )
      const { measures, categories } = results.summary.trials[trial]
      expect(measures[name].mean).toBeCloseTo(total(counted()), 10)
      expect(measures[name].n).toBe(24)
      // A sum has no interval.
      const interval =
        name === 'num_rel_ret' ? { low: null, high: null } : meanInterval([counted()], 0.2, SHARE)
      for (const end of ['low', 'high'] as const)
        if (interval[end] === null) expect(measures[name][end]).toBeNull()
        else expect(measures[name][end]).toBeCloseTo(interval[end], 10)
      expect(Object.keys(categories)).toEqual(['bridge', 'fact', 'none'])
      for (const [category, estimates] of Object.entries(categories)) {
        expect(estimates[name].mean).toBeCloseTo(total(counted(category)), 10)
        expect(estimates[name].n).toBe(counted(category).length)
      }
    })
  })
})

test('what a query costs, over all queries, and what its steps counted, once', () => {
  outcomes.forEach((outcomesOfTrial, trial) => {
    const { perQuery, failed } = results.summary.trials[trial]
    const is = (name: string, of: (outcome: Outcome) => number) =>
      expect(perQuery[name], `${name} ${trial}`).toBeCloseTo(mean(outcomesOfTrial.map(of)), 10)
    is('retrieved', ({ documents }) => documents.length)
    is('tokens', ({ tokens }) => tokens)
    is('evidenceTokens', ({ evidence }) => evidence)
    expect(failed).toBe(outcomesOfTrial.filter((outcome) => outcome.failed).length)
    const mine = trial === 4
    expect(Object.keys(perQuery).sort()).toEqual(
      [
        'evidenceTokens',
        'retrieved',
        'tokens',
        ...(mine ? ['cited', 'linked', 'links', 'modelCalls'] : []),
      ].sort(),
    )
    if (!mine) return
    is('links', ({ chunks }) => chunks.length % 3)
    is('linked', ({ chunks }) => (chunks.length % 3 > 0 ? 1 : 0))
    is('modelCalls', (outcome) => (outcome.failed ? 0 : 2))
    is('cited', (outcome) => (outcome.failed ? 0 : 1))
  })
})

test('where every judged document stands, and which stage lost it', () => {
  const { gold: goldRanks, labels } = results
  outcomes.forEach((outcomesOfTrial, trial) => {
    const lost: Record<string, number> = {}
    for (let label = 0; label < labels.rows; label++) {
      const query = labels.query[label]
      const document = labels.judged[label]
      expect(labels.grade[label]).toBe(gold[query].get(document))
      const rank = rankOf(trial, query, document)
      const row = trial * labels.rows + label
      const stage = goldRanks.stage.words[goldRanks.stage.codes[row]]
      expect(goldRanks.rank[row]).toBe(rank)
      const { failed, chunks } = outcomesOfTrial[query]
      if (failed) expect(stage).toBe('failed')
      else if (rank > 0) expect(stage).toBe('found')
      else if (document === 'd99') expect(stage).toBe('not in corpus')
      else if (chunks.some((chunk) => chunk.documentId === document)) expect(stage).toBe('below depth')
      else expect(stage).toMatch(/^(not in a pool|lost by (counted|fuse))$/)
      if (counts(query) && labels.grade[label] >= 1) lost[stage] = (lost[stage] ?? 0) + 1
    }
    expect(labels.rows).toBe(sum(gold.map(({ size }) => size)))
    const losses = results.summary.trials[trial].funnel.filter((stage) => stage.lost > 0)
    expect(Object.fromEntries(losses.map(({ stage, lost }) => [stage, lost]))).toEqual(lost)
    expect(sum(Object.values(results.summary.trials[trial].channels))).toBe(lost.found)
  })
})

describe('of the finalists', () => {
  test('texts are those of the first ranks and of the gold, each with the document it is judged by', () => {
    const { texts, rankings } = results
    const expected = new Map<string, Chunk>()
    outcomes.forEach((outcomesOfTrial) => {
      for (const { chunks } of outcomesOfTrial)
        for (const chunk of chunks.slice(0, DEPTH)) expected.set(chunk.id, chunk)
    })
    const judged = new Set(gold.flatMap((one) => [...one.keys()]))
    const found = new Set(expected.keys())
    for (const chunk of corpus) if (judged.has(chunk.documentId)) expected.set(chunk.id, chunk)
    expect([...expected.keys()].filter((id) => !found.has(id))).not.toEqual([])
    const ids = [...texts.chunk]
    expect(ids).toEqual([...ids].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))))
    expect(ids).toHaveLength(expected.size)
    for (const [id, { documentId, text, tokens }] of expected) {
      const row = ids.indexOf(id)
      expect([texts.judged[row], texts.text[row], texts.tokens[row]]).toEqual([documentId, text, tokens])
    }
    for (let row = 0; row < rankings.rows; row++) {
      const chunk = rankings.chunk.words[rankings.chunk.codes[row]]
      const outcome = outcomes[rankings.trial[row]][rankings.query[row]]
      expect(outcome.chunks[rankings.rank[row] - 1].id).toBe(chunk)
      expect(rankings.score[row]).toBe(outcome.scores[rankings.rank[row] - 1])
      expect(rankings.judged.words[rankings.judged.codes[row]]).toBe(expected.get(chunk)?.documentId)
    }
    expect(rankings.rows).toBe(sum(outcomes.flat().map(({ chunks }) => Math.min(DEPTH, chunks.length))))
  })
})
