import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readSummary } from '../../src/results/read.ts'
import { readRowValues } from '../../src/results/row-values.ts'
import type { Summary } from '../../src/results/summary.ts'
import { temporaryFolder } from '../temporary.ts'
import { runConfig, runOptions } from './experiments.ts'

const talks = readFileSync(join(import.meta.dirname, '../../datasets/conversations/locomo.json'), 'utf8')

const TRIALS =
  '[naive, bm25, {bm25: {}, filter: {statistics: subset}}, {hybrid: {}, filter: {where: {speaker: Ada}}}, multi-hop]'

async function run(dataset: string, trials: string, more = '') {
  const [boats, gardens] = JSON.parse(talks).map((talk: object) => JSON.stringify([talk]))
  const folder = temporaryFolder({
    'talks.json': talks,
    'boats.json': boats,
    'gardens.json': gardens,
    'theirs.trec': 'boats/qa0 Q0 boats/D1:1 1 1 x\n',
  })
  const config = join(folder, 'a.yaml')
  writeFileSync(
    config,
    `name: a\ndataset: ${dataset}\nprepare: {embedder: lsa}\ntrials: ${trials}\nmeasures: [recall@1, mrr@10]\ncompare: {draws: 200}\n${more}`,
  )
  const experiment = join(folder, 'run')
  await runConfig(config, join(folder, 'store'), runOptions(experiment))
  return { experiment, summary: readSummary(experiment) as Summary }
}

test('a question searches its own conversation, with the ranks of a corpus of that conversation alone', async () => {
  const whole = await run('{locomo: talks.json}', TRIALS)
  const { trials, comparison, datasets } = whole.summary
  expect(datasets[0].queries).toBe(9)
  expect(datasets[0].searched).toBeCloseTo((5 * 8 + 4 * 5) / 9)
  expect(trials.map(({ name }) => name)).toEqual([
    'naive',
    'bm25',
    'bm25 filter=subset',
    'hybrid filter=speaker=Ada',
    'multi-hop',
  ])
  expect(comparison?.cluster).toBe('conversation')
  expect(comparison?.rows.map(({ clusters }) => clusters)).toEqual([2, 2, 2])
  const of = async ({ experiment, summary }: typeof whole, name: string) => {
    const valuesOf = await readRowValues(experiment, summary)
    return [...(valuesOf(summary.trials.find((trial) => trial.name === name)?.id ?? '', 'mrr@10') ?? [])]
  }
  const parts = []
  for (const conversation of ['boats', 'gardens'])
    parts.push(await run(`{locomo: ${conversation}.json}`, '[naive, bm25]'))
  expect(parts[0].summary.comparison).not.toHaveProperty('cluster')
  const single = await Promise.all(parts.map((part) => of(part, 'bm25')))
  expect(await of(whole, 'bm25 filter=subset')).toEqual(single.flat())
})

test('graphs over several conversations are refused, and run on one; a run of another system is taken', async () => {
  const refused = (trials: string) =>
    run('{locomo: talks.json}', trials).catch((error: Error) =>
      error.message.replace(/.*a\.yaml/gm, 'a.yaml'),
    )
  expect(await refused('[bm25, title-ppr]')).toBe(
    'a.yaml:4:16: `title-ppr` finds chunks by one title links over every `conversation`, and a question searches only its own; take a dataset of one conversation',
  )
  const single = await run('{locomo: boats.json}', '[bm25, title-ppr]')
  expect(single.summary.trials).toHaveLength(2)
  const { summary } = await run('{locomo: talks.json}', '[bm25, {run: {path: theirs.trec}}]')
  expect(summary.trials[1].measures['recall@1'].mean).toBeCloseTo(1 / 9)
})

test('a filter without fields needs a dataset of conversations', async () => {
  await expect(run('{locomo: boats.json}', '[{bm25: {}, filter: {statistics: subset}}]')).rejects.toThrow(
    /a\.yaml:4:10: `filter` lacks `where`, which only a dataset of conversations may leave out/,
  )
})
