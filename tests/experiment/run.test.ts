import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { textUnits } from '../../src/corpus/corpus.ts'
import type { Executor, ShardReport } from '../../src/experiment/executors/executor.ts'
import { inProcess } from '../../src/experiment/executors/in-process.ts'
import type { RunOutcome } from '../../src/experiment/run.ts'
import { openSession } from '../../src/experiment/shard/session.ts'
import { readResults } from '../../src/results/read.ts'
import type { Summary } from '../../src/results/summary.ts'
import { createMemo } from '../../src/retrieve/evaluate.ts'
import { HOST } from '../../src/store/write.ts'
import type { Ranking } from '../../src/types.ts'
import { GRID, numbersOf, runConfig, runEachTrial, runOptions, setUp, writeTowns } from './experiments.ts'

async function finished(run: Promise<RunOutcome>): Promise<Summary> {
  const outcome = await run
  if (outcome.kind !== 'finished') throw new Error('did not finish')
  return outcome.summary
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true }).map(String)
}

describe('a run', () => {
  test('gives the same bytes in any shards, cold and warm', async () => {
    const { config, store, manifest, at } = setUp()
    await runConfig(config, store, runOptions(at('shared')))
    await runConfig(config, store, runOptions(at('small'), { shardSize: 3 }))
    await runConfig(config, at('other-store'), runOptions(at('cold'), { shardSize: 100 }))
    const { result, files } = manifest('shared')
    for (const name of ['small', 'cold']) {
      expect(manifest(name).files, name).toEqual(files)
      expect(manifest(name).result, name).toBe(result)
    }
  })

  test('gives every trial the values that it has in an experiment of its own', async () => {
    const { config, store, at } = setUp()
    const { trials } = await finished(runConfig(config, store, runOptions(at('shared'))))
    expect(await runEachTrial(config, store)).toEqual(trials.map(numbersOf))
  })

  test('cuts fused lists of hundreds as an experiment of the trial does', async () => {
    const { config, store, at, folder } = setUp(
      '[{hybrid: {pool: 150, grid: {alpha: [0.5, 0.6]}}, after: [{diversify: {relevance: 0.1}}]}]',
    )
    writeTowns(join(folder, 'towns'), { towns: 200 })
    const { trials } = await finished(runConfig(config, store, runOptions(at('shared'))))
    expect(await runEachTrial(config, store)).toEqual(trials.map(numbersOf))
  })

  test('searches small units: every trial with them', async () => {
    const { config, store, at } = setUp(
      '[naive, bm25, rm3, hybrid, {title-ppr: {}, after: [diversify, merge-adjacent]}, hipporag]',
      'prepare: {graph: [rules, titles], context: section, index: {sentences: {each: 1}}}\n',
    )
    const { trials } = await finished(runConfig(config, store, runOptions(at('shared'))))
    expect(await runEachTrial(config, store)).toEqual(trials.map(numbersOf))
    for (const { name, failed, measures } of trials) {
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
