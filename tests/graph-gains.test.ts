import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  type Gain,
  type GainTable,
  gainCell,
  gainTable,
  gapsOf,
  type Measured,
  merge,
  readGains,
} from '../scripts/graphs/gains.ts'
import { graphsPage } from '../scripts/graphs/page.ts'
import { loadConfig } from '../src/config/load.ts'
import { openExperiment, prepareAll } from '../src/experiment/plan/open.ts'
import { runExperimentFolder } from '../src/experiment/run.ts'
import { runOptions } from './experiment/experiments.ts'
import { temporaryFolder } from './temporary.ts'

/** Scores of 40 queries: each other query has the second. */
const scores = (even: number, odd: number) =>
  Array.from({ length: 40 }, (_, query) => (query % 2 === 0 ? even : odd))
const measured = (values: Measured['values']): Measured => ({
  ...{ dataset: 'a', embedder: 'lsa', primary: 'recall@5', values },
})

test('a gain is over the strategy’s own arm: title-ppr’s is hybrid, the others’ naive', () => {
  const { gains, arms, queries } = gainTable(
    measured({
      naive: scores(0, 0.5),
      hybrid: scores(0.5, 1),
      'title-ppr | none': scores(1, 1),
      'hipporag | rules': scores(0.5, 0.5),
    }),
  )
  const difference = ({ strategy, graph, difference }: Gain) => [strategy, graph, difference]
  expect(gains.map(difference)).toEqual([
    ['title-ppr', 'none', 0.25],
    ['hipporag', 'rules', 0.25],
  ])
  expect([arms, queries]).toEqual([{ naive: 0.25, hybrid: 0.75 }, 40])
  expect(gains.every(({ low, high }) => low < 0.25 && high > 0.25)).toBe(true)
})

test('experiments of one set and embedder are one table, if their arms scored alike', () => {
  const one = measured({ naive: scores(0, 1), 'hipporag | rules': scores(1, 1) })
  const other = measured({ naive: scores(0, 1), 'hipporag | openie': scores(0, 0) })
  expect(Object.keys(merge([one, other]).values)).toEqual(['naive', 'hipporag | rules', 'hipporag | openie'])
  expect(() => merge([one, measured({ naive: scores(1, 1) })])).toThrow('other scores of naive')
})

test('gains that are clear of zero are bold', () => {
  expect(gainCell({ difference: 0.1, low: 0.02, high: 0.18 })).toBe('**+10.0 [+2.0, +18.0]**')
  expect(gainCell({ difference: -0.1, low: -0.21, high: 0.01 })).toBe('−10.0 [−21.0, +1.0]')
  expect(gainCell(undefined)).toBe('')
})

test('the page of the graphs is made of the stored gains', () => {
  const stored: GainTable[] = JSON.parse(readFileSync('docs/evidence/graphs.json', 'utf8'))
  expect(readFileSync('docs/evidence/graphs.md', 'utf8')).toBe(graphsPage(stored))
})

test('missing tables, graphs and single rows are named', () => {
  const one = { strategy: 'hipporag', difference: 0, low: 0, high: 0 }
  const tableOf = (embedder: string, graphs: readonly string[]): GainTable => ({
    ...{ dataset: 'musique-train-100', embedder, primary: 'recall@5', queries: 100, arms: {} },
    gains: graphs.map((graph) => ({ ...one, graph })),
  })
  const graphs = ['titles', 'rules', 'rules+titles', 'noun-phrases', 'ner']
  const gaps = gapsOf([tableOf('lsa', [...graphs, 'openie']), tableOf('MiniLM', graphs)])
  expect(gaps).toContain('The tables of musique-train-100 with bge-small')
  expect(gaps).toContain('The tables of 2wiki-101 with lsa and MiniLM and bge-small')
  expect(gaps.slice(-2)).toEqual([
    'The graph `qwen` on musique-train-100',
    'hipporag over `openie` on musique-train-100 with MiniLM',
  ])
})

test('the stored graph of a model gives the gains of docs/evidence/graphs.md anew', async () => {
  const folder = temporaryFolder()
  const experiment = await loadConfig('configs/graphs.yaml', {
    set: [
      'dataset=datasets/systems/six-strategies',
      'prepare.graph={openie: {path: docs/evidence/graphs/guilds-qwen.jsonl}}',
      'trials=[naive, hybrid, lightrag, hipporag, linearrag]',
      'compare={draws: 100}',
    ],
    ...{ env: {}, folder: process.cwd() },
  })
  const open = await openExperiment(experiment, join(folder, 'store'))
  await prepareAll(open)
  await runExperimentFolder(open, runOptions(join(folder, 'out')))
  const { arms, queries, gains } = gainTable(await readGains(join(folder, 'out')))
  const stored: GainTable[] = JSON.parse(readFileSync('docs/evidence/graphs.json', 'utf8'))
  const table = stored.find((one) => one.dataset === 'six-strategies' && one.embedder === 'lsa')
  expect({ arms, queries }).toEqual({ arms: table?.arms, queries: table?.queries })
  const column = table?.gains.filter(({ graph }) => graph === 'qwen') ?? []
  const differenceOf = (name: string) => column.find(({ strategy }) => strategy === name)?.difference
  expect(gains).toHaveLength(3)
  expect(gains.map(({ difference }) => difference)).toEqual(
    gains.map(({ strategy }) => differenceOf(strategy)),
  )
})
