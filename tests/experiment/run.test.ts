import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Executor, ShardReport } from '../../src/experiment/executors/executor.ts'
import { inProcess } from '../../src/experiment/executors/in-process.ts'
import { openSession } from '../../src/experiment/shard/session.ts'
import { HOST } from '../../src/store/write.ts'
import { finishConfig, numbersOf, runConfig, runEachTrial, runOptions, setUp } from './experiments.ts'

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
    const { summary } = await finishConfig(config, store, runOptions(at('shared')))
    expect(await runEachTrial(config, store)).toEqual(summary.trials.map(numbersOf))
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

test('threads get the shards that are left of a long run, and none of a short run', async () => {
  const { config, store, manifest, at } = setUp()
  const handedOver: number[] = []
  const threads: Executor = {
    run(folder, shards, done, signal) {
      handedOver.push(...shards)
      return inProcess(() => 0).run(folder, shards, done, signal)
    },
  }
  const run = (name: string, millisecondsOfALook: number) => {
    let time = 0
    const executor = inProcess(() => (time += millisecondsOfALook), threads)
    return runConfig(config, store, runOptions(at(name), { executor }))
  }
  await run('short', 1)
  expect(handedOver).toEqual([])
  expect(await run('long', 5000)).toMatchObject({ kind: 'finished', ran: 4 })
  expect(handedOver).toEqual([1, 2, 3])
  expect(manifest('long').result).toBe(manifest('short').result)
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
    const outcome = await finishConfig(config, store, runOptions(at('run')))
    const { measures } = outcome.summary.trials[0]
    // Every town's craft stands in its own passage, which BM25 finds first for the questions of fact.
    expect(measures['answer_in_context@1'].n).toBe(24)
    expect(measures['answer_in_context@1'].mean).toBeGreaterThan(0.5)
    // Four questions, on the weaving towns, name a book; two of these towns stand in the other one.
    expect(measures['contamination(field=book)@1'].n).toBe(4)
    expect(measures['contamination(field=book)@1'].mean).toBe(0.5)
  })
})
