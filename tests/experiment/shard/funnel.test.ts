import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { TrialSummary } from '../../../src/results/summary.ts'
import { temporaryFolder } from '../../temporary.ts'
import { runConfig, runOptions, writeConfig, writeTowns } from '../experiments.ts'

/** Runs trials over the towns and returns their summaries; `plant` may spoil data or config first. */
async function funnels(trials: string, plant: (folder: string, config: string) => void = () => {}) {
  const folder = temporaryFolder()
  writeTowns(join(folder, 'towns'))
  const config = writeConfig(folder, trials)
  plant(folder, config)
  const outcome = await runConfig(config, join(folder, 'store'), runOptions(join(folder, 'run')))
  if (outcome.kind !== 'finished') throw new Error('did not finish')
  return outcome.summary
}

function lostIn({ funnel }: TrialSummary): Record<string, number> {
  return Object.fromEntries(funnel.filter(({ lost }) => lost > 0).map(({ stage, lost }) => [stage, lost]))
}

/** 24 towns: twelve questions with one gold passage, twelve with two. */
const GOLD = 36

describe('lost gold', () => {
  test('adds up in every trial, and says which channel found the rest', async () => {
    const {
      trials,
      datasets: [dataset],
    } = await funnels('[naive, bm25, {hybrid: {pool: 3}}, {bm25: {pool: 1}}]')
    expect(dataset.gold).toBe(GOLD)
    for (const trial of trials) {
      expect(
        trial.funnel.reduce((sum, { lost }) => sum + lost, 0),
        trial.name,
      ).toBe(GOLD)
      const found = trial.funnel.find(({ stage }) => stage === 'found')?.lost
      expect(
        Object.values(trial.channels).reduce((sum, count) => sum + count, 0),
        trial.name,
      ).toBe(found)
    }
    expect(Object.keys(trials[0].channels)).toEqual(['dense'])
    expect(Object.keys(trials[1].channels)).toEqual(['lexical'])
    expect(Object.keys(trials[2].channels)).toContain('dense+lexical')
  })

  test('a document that the corpus lacks is lost in the corpus', async () => {
    const {
      trials,
      datasets: [dataset],
    } = await funnels('[bm25]', (folder, config) => {
      appendFileSync(join(folder, 'towns/qrels/test.tsv'), 'q0\td99\t1\nq2\td98\t1\n')
      writeFileSync(
        config,
        readFileSync(config, 'utf8').replace(
          'dataset: towns',
          'dataset: {beir: {path: towns, missingGold: count}}',
        ),
      )
    })
    expect(dataset).toMatchObject({ gold: GOLD + 2, missing: 2, evaluability: 22 / 24 })
    expect(lostIn(trials[0])['not in corpus']).toBe(2)
  })

  test('a quote that no file holds is lost in the corpus too', async () => {
    const gold = [{ file: 'a.md', quote: 'honey' }]
    const questions = [
      { _id: 'q0', text: 'Who sells honey?', gold },
      { _id: 'q1', text: 'What is honey?', gold: [...gold, { file: 'a.md', quote: 'wax' }] },
    ]
    const {
      trials,
      datasets: [dataset],
    } = await funnels('[bm25]', (folder, config) => {
      mkdirSync(join(folder, 'notes'))
      writeFileSync(join(folder, 'notes/a.md'), '# Bees\n\nBees make honey.\n')
      writeFileSync(
        join(folder, 'questions.jsonl'),
        questions.map((one) => `${JSON.stringify(one)}\n`).join(''),
      )
      const from = 'dataset: {folder: {path: notes, questions: questions.jsonl, missingGold: count}}'
      writeFileSync(config, readFileSync(config, 'utf8').replace('dataset: towns', from))
    })
    expect(dataset).toMatchObject({ gold: 3, missing: 1, evaluability: 1 / 2 })
    expect(lostIn(trials[0])).toEqual({ 'not in corpus': 1, found: 2 })
  })

  test('one alternative in the corpus is enough for a query', async () => {
    const {
      datasets: [dataset],
    } = await funnels('[bm25]', (folder, config) => {
      const file = join(folder, 'towns/qrels/test.tsv')
      const [head, ...rows] = readFileSync(file, 'utf8').trim().split('\n')
      const more = ['q0\td99\t1\tfirst', 'q2\td98\t1\tother']
      const grouped = rows.map((row) => `${row}\t${/^q[02]\t/.test(row) ? 'first' : row.split('\t')[1]}`)
      writeFileSync(file, `${[`${head}\tgroup`, ...grouped, ...more].join('\n')}\n`)
      const counting = 'dataset: {beir: {path: towns, missingGold: count}}'
      writeFileSync(config, readFileSync(config, 'utf8').replace('dataset: towns', counting))
    })
    expect(dataset).toMatchObject({ gold: GOLD + 2, missing: 2, evaluability: 23 / 24 })
  })

  test('what a pool does not reach is lost in the pool', async () => {
    const { trials } = await funnels('[{bm25: {pool: 1}}]')
    // A list of one holds one of the two gold passages of a bridge at the most.
    expect(lostIn(trials[0])['not in a pool']).toBeGreaterThanOrEqual(12)
    expect(lostIn(trials[0])['below depth']).toBeUndefined()
  })

  test('what stands in the ranking below its depth is lost there', async () => {
    const { trials } = await funnels('[naive]', (_, config) => {
      const text = readFileSync(config, 'utf8').replace(/measures: .*/, 'measures: [recall@1]\ndepth: 1')
      writeFileSync(config, text)
    })
    const lost = lostIn(trials[0])
    expect(lost['not in a pool']).toBeUndefined()
    expect(lost['below depth'] + lost.found).toBe(GOLD)
    expect(lost['below depth']).toBeGreaterThanOrEqual(12)
  })

  test('what a transform drops is lost by that transform', async () => {
    const { trials } = await funnels(
      '[{bm25: {}, name: whole}, {bm25: {}, name: cut, after: [{min-score: {least: 1000}}]}]',
    )
    const [whole, cut] = trials.map(lostIn)
    expect(cut['lost by min-score']).toBe(whole.found)
    expect(cut.found).toBeUndefined()
  })
})
