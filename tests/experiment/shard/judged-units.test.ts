import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Summary } from '../../../src/results/summary.ts'
import { readTable } from '../../../src/tables/parquet.ts'
import { temporaryFolder } from '../../temporary.ts'
import { finishConfig, runOptions } from '../experiments.ts'

const TEXT =
  'Iron comes from the north. Copper comes from the hills. Salt is boiled at the coast. Amber is found on the beach after storms.'
const at = (text: string) => `${TEXT.indexOf(text)}\t${TEXT.indexOf(text) + text.length}`

function world(files: Readonly<Record<string, string>>, prepare: string, more = '') {
  const folder = temporaryFolder()
  const all: Record<string, string> = {
    'world/corpus.jsonl': [
      { _id: 'ores', title: '', text: TEXT },
      { _id: 'sea', title: '', text: 'Ships carry amber over the sea. Salt keeps fish.' },
    ]
      .map((row) => `${JSON.stringify(row)}\n`)
      .join(''),
    'world/queries.jsonl': [
      { _id: 'q1', text: 'where does copper come from' },
      { _id: 'q2', text: 'who carries amber' },
    ]
      .map((row) => `${JSON.stringify(row)}\n`)
      .join(''),
    ...files,
    'world.yaml': `dataset: ${more || 'world'}\nprepare: {chunk: ${prepare}}\ntrials: [bm25]\nmeasures: [recall@1, recall@2, bpref]\ncompare: {draws: 200}\n`,
  }
  for (const [name, text] of Object.entries(all)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return {
    folder: join(folder, 'run'),
    run: () =>
      finishConfig(join(folder, 'world.yaml'), join(folder, 'store'), runOptions(join(folder, 'run'))),
  }
}

function trialsOf(outcome: { summary: Summary }) {
  return outcome.summary.trials
}

describe('spans', () => {
  const spans = `query-id\tcorpus-id\tstart\tend\nq1\tores\t${at('Copper comes from the hills.')}\nq1\tores\t${at('hills')}\nq2\tsea\t0\t5\n`

  test('compare two chunkers by the same gold', async () => {
    const { folder, run } = world(
      { 'world/qrels/spans.tsv': spans },
      '{grid: [passages, {sentences: {size: 8}}]}',
    )
    const outcome = await run()
    const [whole, cut] = trialsOf(outcome)
    expect(whole.name).not.toBe(cut.name)
    // Whole documents find both spans of q1 in one chunk; so does the sentence, which is far cheaper.
    for (const trial of [whole, cut]) expect(trial.measures['recall@1']).toMatchObject({ mean: 1, n: 2 })
    expect(cut.perQuery.retrieved).toBeGreaterThan(whole.perQuery.retrieved)
    for (const { funnel } of [whole, cut]) expect(funnel.at(-1)).toEqual({ stage: 'found', lost: 3 })
    expect(outcome.summary.datasets[0]).toMatchObject({ judgedUnit: 'span', gold: 3, missing: 0, judged: 2 })
    const gold = await readTable(join(folder, 'gold.parquet'))
    const rankings = await readTable(join(folder, 'rankings.parquet'))
    expect(gold.strings('judged')).toContain('sea:0-5')
    // A stored ranking names the span that a chunk holds.
    expect(rankings.strings('judged')).toContain('sea:0-5')
  })
})

describe('chunks', () => {
  const judge = (id: string) => ({
    'world/qrels/test.tsv': `query-id\tcorpus-id\tscore\nq1\t${id}\t1\nq2\tsea#0000\t1\n`,
  })
  const dataset = '{beir: {path: world, judged: chunk}}'

  test('that the chunking does not make are an error before anything runs', async () => {
    const { folder, run } = world(judge('ores#0077'), '{sentences: {size: 8}}', dataset)
    await expect(run()).rejects.toThrow('query "q1": the chunking makes no chunk "ores#0077"')
    expect(() => readFileSync(join(folder, 'plan.json'))).toThrow()
  })
})

test('one of a group is enough, and what is judged wrong stands alone', async () => {
  const { run } = world(
    {
      'world/corpus.jsonl': ['a copper', 'b copper', 'c tin', 'd wood', 'e amber', 'f amber']
        .map((text) => `${JSON.stringify({ _id: text[0], title: '', text })}\n`)
        .join(''),
      'world/qrels/test.tsv':
        'query-id\tcorpus-id\tscore\tgroup\nq1\ta\t1\tg1\nq1\tb\t1\tg1\nq1\tc\t0\nq1\td\t0\nq2\te\t1\n',
    },
    'passages',
  )
  const [trial] = trialsOf(await run())
  // q2: `f` stands before `e`, so half of the queries at rank 1, all at rank 2.
  expect(trial.measures['recall@1'].mean).toBe(0.5)
  expect(trial.measures['recall@2'].mean).toBe(1)
})
