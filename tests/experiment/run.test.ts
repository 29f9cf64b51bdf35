import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { loadConfig } from '../../src/config/load.ts'
import { textUnits } from '../../src/corpus/corpus.ts'
import type { Executor, ShardReport } from '../../src/experiment/executors/executor.ts'
import { inProcess } from '../../src/experiment/executors/in-process.ts'
import { keepOnly } from '../../src/experiment/plan/only.ts'
import { openSession } from '../../src/experiment/shard/session.ts'
import { readResults, readSummary } from '../../src/results/read.ts'
import { createMemo } from '../../src/retrieve/evaluate.ts'
import { HOST } from '../../src/store/write.ts'
import type { Ranking } from '../../src/types.ts'
import { GRID, PROCESSES, runConfig, runOptions, setUp, writeConfig, writeTowns } from './experiments.ts'

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true }).map(String)
}

describe('a run', () => {
  test('gives the same bytes with sharing and without, in any shards, cold and warm', async () => {
    const { config, store, manifest, at } = setUp()
    await runConfig(config, store, runOptions(at('shared')))
    await runConfig(config, store, runOptions(at('alone'), { sharing: false }))
    await runConfig(config, store, runOptions(at('small'), { shardSize: 3 }))
    await runConfig(config, at('other-store'), runOptions(at('cold'), { shardSize: 100 }))
    const { result, files } = manifest('shared')
    for (const name of ['alone', 'small', 'cold']) {
      expect(manifest(name).files, name).toEqual(files)
      expect(manifest(name).result, name).toBe(result)
    }
  })

  test('cuts fused lists of hundreds alike with sharing and without', async () => {
    const { config, store, manifest, at, folder } = setUp(
      '[{hybrid: {pool: 150, grid: {alpha: [0.5, 0.6]}}, after: [{diversify: {relevance: 0.1}}]}]',
    )
    writeTowns(join(folder, 'towns'), { towns: 200 })
    await runConfig(config, store, runOptions(at('shared')))
    await runConfig(config, store, runOptions(at('alone'), { sharing: false }))
    expect(manifest('shared').files).toEqual(manifest('alone').files)
  })

  test('searches small units: every trial with them, shared and alone', async () => {
    const { config, store, manifest, at } = setUp(
      '[naive, bm25, rm3, hybrid, {title-ppr: {}, after: [diversify, merge-adjacent]}, hipporag]',
      'prepare: {graph: [rules, titles], context: section, index: {sentences: {each: 1}}}\n',
    )
    const outcome = await runConfig(config, store, runOptions(at('shared')))
    await runConfig(config, store, runOptions(at('alone'), { sharing: false, shardSize: 5 }))
    expect(manifest('shared').files).toEqual(manifest('alone').files)
    if (outcome.kind !== 'finished') throw new Error('did not finish')
    for (const { name, failed, measures } of outcome.summary.trials) {
      expect([name, failed]).toEqual([name, 0])
      expect(measures['recall@5'].mean).toBeGreaterThan(0.3)
    }
  })

  test('calls rows equivalent only where a margin was asked for', async () => {
    const { config, store, at } = setUp('[random, {random: {seed: 7}, name: other}]')
    const compare = (keys: string) =>
      writeFileSync(config, readFileSync(config, 'utf8').replace(/compare: .*/, `compare: {${keys}}`))
    const compared = async (name: string) => {
      const outcome = await runConfig(config, store, runOptions(at(name)))
      if (outcome.kind !== 'finished' || !outcome.summary.comparison) throw new Error('did not finish')
      return outcome.summary.comparison
    }
    compare('by: mrr@10')
    expect(await compared('plain')).toMatchObject({ margin: null, rows: [{ verdict: 'cannot tell' }] })
    compare('by: mrr@10, margin: 0.9')
    expect(await compared('wide')).toMatchObject({ margin: 0.9, rows: [{ verdict: 'equivalent' }] })
  })

  test('computes exactly the steps that were planned', async () => {
    const { config, store, manifest, at } = setUp()
    await runConfig(config, store, runOptions(at('run'), { shardSize: 100 }))
    const { steps } = manifest('run')
    expect(steps.exact).toBe(true)
    expect(steps.computed).toEqual(steps.planned)
    // 25 queries; pools 5, 20 and naive's 100; weighted has no rrfK, so 2 x 2 + 2 x 2 x 2 fusions of 2 alignments.
    // The union of each alignment is scored by both searches once, whatever the weights.
    const union = { align: 50, 'score-dense': 50, 'score-bm25': 50, complete: 50 }
    const planned = { 'embed-query': 25, dense: 75, bm25: 75, ...union, fuse: 25 * 12 }
    expect(steps.computed).toEqual(planned)
  })

  test('a shard is not run over questions or labels that were changed', async () => {
    const { config, store, at } = setUp('[bm25]')
    await runConfig(config, store, runOptions(at('run')))
    for (const file of ['queries.parquet', 'labels.parquet']) {
      const whole = readFileSync(join(at('run'), file))
      const bytes = Buffer.from(whole)
      bytes[bytes.length >> 1] ^= 4
      writeFileSync(join(at('run'), file), bytes)
      await expect(openSession(at('run'))).rejects.toThrow(`${file}: was changed or lost`)
      writeFileSync(join(at('run'), file), whole)
    }
    await openSession(at('run'))
  })

  test.each([
    ['as many as the primary measure looks at', 'recall@5', '', 5],
    ['five where it has no cutoff', 'map', '', 5],
    ['as many as the config says', 'recall@5', 'context: {top: 2}\n', 2],
  ])('counts the tokens of the first chunks and of the evidence: %s', async (_, by, more, sent) => {
    const { config, store, at } = setUp('[naive, bm25, lightrag]', `prepare: {graph: rules}\n${more}`)
    writeFileSync(
      config,
      readFileSync(config, 'utf8')
        .replace('recall@100tok', 'map, tokens@1, tokens@5')
        .replace('{draws', `{by: ${by}, draws`),
    )
    const outcome = await runConfig(config, store, runOptions(at('run')))
    if (outcome.kind !== 'finished') throw new Error('did not finish')
    expect(outcome.summary.context).toEqual({ chunks: sent })
    const { rankings, queries, texts, scores } = await readResults(at('run'))
    const cost = new Map(texts.chunk.map((id, place) => [id, texts.tokens[place]]))
    // Once more from the kept rankings: mean tokens of the first `k`, a query.
    const first = (trial: number, k: number, among: readonly number[]) => {
      let sum = 0
      for (let row = 0; row < rankings.rows; row++) {
        if (rankings.trial[row] !== trial || rankings.rank[row] > k || !among.includes(rankings.query[row]))
          continue
        sum += cost.get(rankings.chunk.words[rankings.chunk.codes[row]]) ?? Number.NaN
      }
      return sum / among.length
    }
    const all = [...queries.id.keys()]
    const answerable = all.filter((query) => queries.answerable[query] === 1)
    expect(answerable.length).toBeLessThan(all.length)
    outcome.summary.trials.forEach(({ strategy, perQuery, measures }, trial) => {
      expect(perQuery.tokens).toBeCloseTo(first(trial, sent, all), 9)
      expect(perQuery.evidenceTokens > 0).toBe(strategy === 'lightrag')
      if (perQuery.evidenceTokens === 0)
        for (const k of [1, 5])
          expect(measures[`tokens@${k}`].mean).toBeCloseTo(first(trial, k, answerable), 9)
    })
    // Evidence rides along whatever number of chunks is sent.
    const lightrag = outcome.summary.trials.findIndex(({ strategy }) => strategy === 'lightrag')
    const [one, five] = ['tokens@1', 'tokens@5'].map(
      (name) => outcome.summary.trials[lightrag].measures[name].mean,
    )
    expect(five - one).toBeCloseTo(first(lightrag, 5, answerable) - first(lightrag, 1, answerable), 9)
    expect(one).toBeGreaterThan(first(lightrag, 1, answerable))
    expect(scores.get('tokens@5')?.length).toBe(3 * all.length)
  })

  test('keeps the first ranks of the finalists as the trials rank, fewer where the depth is less', async () => {
    const { config, store, at } = setUp(GRID, 'depth: 12\n')
    const outcome = await runConfig(config, store, runOptions(at('run'), { shardSize: 4 }))
    if (outcome.kind !== 'finished') throw new Error('did not finish')
    const { rankings, queries } = await readResults(at('run'))
    const session = await openSession(at('run'))
    const finalists = session.trials.flatMap((_, trial) =>
      outcome.summary.trials[trial].finalist ? [trial] : [],
    )
    expect(new Set(rankings.trial)).toEqual(new Set(finalists))
    let total = 0
    for (const trial of finalists) {
      const memo = createMemo(session.store, session.queries, () => 0)
      const { ranking } = session.trials[trial]
      const chunks = await session.store.open(textUnits(ranking.recipe))
      const ranked = await memo.cells(ranking)
      session.queries.forEach(({ id }, query) => {
        const cell = ranked[query]
        if (!cell || cell.failure) throw new Error(`${id} failed`)
        const { rows, scores } = cell.value as Ranking
        const kept = [...rankings.rank.keys()]
          .filter((row) => rankings.trial[row] === trial && queries.id[rankings.query[row]] === id)
          .sort((a, b) => rankings.rank[a] - rankings.rank[b])
          .map((row) => ({
            chunk: rankings.chunk.words[rankings.chunk.codes[row]],
            score: rankings.score[row],
          }))
        const first = [...rows].slice(0, 12).map((row, i) => ({ chunk: chunks[row].id, score: scores[i] }))
        total += first.length
        expect(kept, `${trial} ${id}`).toEqual(first)
      })
    }
    expect(rankings.rows).toBe(total)
    expect(total).toBeGreaterThan(100)
    await session.store.close()
  })

  test('merges trials that compute the same, and drops the param that nothing reads', async () => {
    const { config, store, at } = setUp()
    const outcome = await runConfig(config, store, runOptions(at('run')))
    if (outcome.kind !== 'finished') throw new Error('did not finish')
    const hybrids = outcome.summary.trials.filter(({ strategy }) => strategy === 'hybrid')
    expect(hybrids).toHaveLength(12)
    const weighted = hybrids.filter(({ params }) => params.fusion === 'weighted')
    expect(weighted).toHaveLength(4)
    for (const { varied, name } of weighted) {
      expect(Object.keys(varied)).not.toContain('rrfK')
      expect(name).not.toContain('rrfK')
    }
    expect(new Set(hybrids.map(({ name }) => name)).size).toBe(12)
  })

  test('on a complete result computes nothing', async () => {
    const { config, store, at } = setUp('[bm25]')
    await runConfig(config, store, runOptions(at('run')))
    const refuse: Executor = { ...inProcess(() => 0), run: () => Promise.reject(new Error('asked to run')) }
    const again = await runConfig(config, store, runOptions(at('run'), { executor: refuse }))
    expect(again).toMatchObject({ kind: 'finished', ran: 0 })
  })

  test('with other folds it is another result', async () => {
    const trials = '[{bm25: {grid: {b: [0.3, 0.7]}}}]'
    const { folder, config, store, at } = setUp(trials)
    await runConfig(config, store, runOptions(at('run')))
    const folds = writeConfig(folder, trials, 'folds: 3\n')
    expect(await runConfig(folds, store, runOptions(at('run')))).toMatchObject({ kind: 'finished' })
    expect(readSummary(at('run')).tuned).toHaveLength(1)
  })

  test('resumes after an interruption, and redoes a part that was altered', async () => {
    const { config, store, manifest, at } = setUp()
    await runConfig(config, store, runOptions(at('whole')))
    const controller = new AbortController()
    const stopping: Executor = {
      ...inProcess(() => 0),
      run(folder, shards, done, signal) {
        const stop = (report: ShardReport) => {
          done(report)
          controller.abort()
        }
        return inProcess(() => 0).run(folder, shards, stop, signal)
      },
    }
    const stopped = await runConfig(
      config,
      store,
      runOptions(at('run'), { executor: stopping, signal: controller.signal }),
    )
    expect(stopped).toMatchObject({ kind: 'interrupted', done: 1, shards: 4 })
    expect(existsSync(join(at('run'), 'summary.json'))).toBe(false)

    const [plan] = readdirSync(join(at('run'), 'parts'))
    const parts = join(at('run'), 'parts', plan)
    const [part] = readdirSync(parts)
    writeFileSync(join(parts, part), readFileSync(join(parts, part)).subarray(0, 100))
    writeFileSync(join(parts, `00002.${HOST}-1-000000000000.tmp`), 'half a part')

    const resumed = await runConfig(config, store, runOptions(at('run')))
    expect(resumed).toMatchObject({ kind: 'finished', ran: 4 })
    expect(manifest('run').result).toBe(manifest('whole').result)
    expect(filesBelow(at('run')).filter((file) => file.endsWith('.tmp') || file.endsWith('lock'))).toEqual([])
  })

  test('refuses a folder that another process runs, and takes over from a dead one', async () => {
    const { config, store, at } = setUp('[bm25]')
    const other = { ...PROCESSES, pid: process.pid + 1, isAlive: () => true }
    let refused: Promise<unknown> = Promise.resolve()
    const meanwhile: Executor = {
      ...inProcess(() => 0),
      run: async (folder, shards, done, signal) => {
        refused = runConfig(config, store, runOptions(at('run'), { processes: other }))
        await expect(refused).rejects.toThrow(/is being run by process/)
        return inProcess(() => 0).run(folder, shards, done, signal)
      },
    }
    await runConfig(config, store, runOptions(at('run'), { executor: meanwhile }))
    rmSync(join(at('run'), 'summary.json'))
    writeFileSync(join(at('run'), 'lock'), '{"pid": 1, "host"')
    expect(await runConfig(config, store, runOptions(at('run')))).toMatchObject({ kind: 'finished' })
  })
})

describe('a strategy that throws', () => {
  const failing = `export default ({ defineStrategy, steps, z }) => {
    const index = { k1: 0.9, b: 0.4, idf: 'lucene', stemmer: 'porter2', stopwords: 'english' }
    const throws = steps.defineStep({ name: 'picky', version: 1, yields: 'ranking', run: ([ranking, query]) => {
      if (query.text.includes('TownC2 ')) throw new Error('no towns with a C')
      return ranking
    } })
    return defineStrategy({ name: 'mine', summary: 'fails once', source: 'here', params: z.strictObject({}),
      retrieve: ({ query }) => ({ ranking: throws([steps.searchBm25([query], { depth: 10, index }), query], null) }) })
  }`

  test('on one query fails that query, counted and named, and the run goes on', async () => {
    const { config, store, at, folder } = setUp('[bm25, ./mine.mjs]')
    writeFileSync(join(folder, 'mine.mjs'), failing)
    const outcome = await runConfig(config, store, runOptions(at('run')))
    if (outcome.kind !== 'finished') throw new Error('did not finish')
    const [plain, mine] = outcome.summary.trials
    expect(mine.failed).toBe(1)
    expect(mine.failures).toEqual([{ query: 'q2', step: 'picky', message: 'no towns with a C' }])
    expect(plain.failed).toBe(0)
    expect(mine.measures['recall@5'].n).toBe(24)
    expect(mine.measures['recall@5'].mean).toBeCloseTo(plain.measures['recall@5'].mean - 1 / 24, 10)
    expect(mine.funnel.find(({ stage }) => stage === 'failed')?.lost).toBe(1)
  })
})

describe('--only', () => {
  test('keeps strategies and trials by name, and not without the baseline', async () => {
    const { config } = setUp(GRID)
    const experiment = await loadConfig(config, { set: [], env: {}, folder: '/' })
    expect(keepOnly(experiment, ['naive', 'bm25']).trials.map(({ name }) => name)).toEqual(['naive', 'bm25'])
    expect(() => keepOnly(experiment, ['naive', 'bm52'])).toThrow(/no strategy or trial `bm52`.*bm25/)
    expect(() => keepOnly(experiment, ['hybrid'])).toThrow(/leaves out the baseline `naive`/)
  })
})

describe('measures on texts', () => {
  test('answer_in_context and contamination read what stands at each rank', async () => {
    const { config, store, at, folder } = setUp('[bm25]')
    const corpus = readFileSync(join(folder, 'towns/corpus.jsonl'), 'utf8').trim().split('\n')
    const sourced = corpus.map((line, town) => ({
      ...JSON.parse(line),
      metadata: { book: town < 12 ? 'north' : 'south' },
    }))
    writeFileSync(
      join(folder, 'towns/corpus.jsonl'),
      sourced.map((row) => `${JSON.stringify(row)}\n`).join(''),
    )
    const queries = readFileSync(join(folder, 'towns/queries.jsonl'), 'utf8').replaceAll(
      '"category":"fact","answers":["weaving"]',
      '"category":"fact","answers":["weaving"],"book":"south"',
    )
    writeFileSync(join(folder, 'towns/queries.jsonl'), queries)
    writeFileSync(
      config,
      readFileSync(config, 'utf8').replace(
        'recall@100tok',
        'answer_in_context@1, contamination(field=book)@1',
      ),
    )
    const outcome = await runConfig(config, store, runOptions(at('run')))
    if (outcome.kind !== 'finished') throw new Error('did not finish')
    const { measures } = outcome.summary.trials[0]
    // Every town's craft stands in its own passage, which BM25 finds first for the questions of fact.
    expect(measures['answer_in_context@1'].n).toBe(24)
    expect(measures['answer_in_context@1'].mean).toBeGreaterThan(0.5)
    // Four questions, on the weaving towns, name a book; two of these towns stand in the other one.
    expect(measures['contamination(field=book)@1'].n).toBe(4)
    expect(measures['contamination(field=book)@1'].mean).toBe(0.5)
  })
})
