import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { TrialSummary } from '../../../src/results/summary.ts'
import { temporaryFolder } from '../../temporary.ts'
import { finishConfig, runOptions, writeConfig, writeTowns } from '../experiments.ts'

/** Runs trials over the towns and returns their summaries; `plant` may spoil data or config first. */
async function funnels(trials: string, plant: (folder: string, config: string) => void = () => {}) {
  const folder = temporaryFolder()
  writeTowns(join(folder, 'towns'))
  const config = writeConfig(folder, trials)
  plant(folder, config)
  const outcome = await finishConfig(config, join(folder, 'store'), runOptions(join(folder, 'run')))
  return outcome.summary
}

function lostIn({ funnel }: TrialSummary): Record<string, number> {
  return Object.fromEntries(funnel.filter(({ lost }) => lost > 0).map(({ stage, lost }) => [stage, lost]))
}

/** 24 towns: twelve questions with one gold passage, twelve with two. */
const GOLD = 36

describe('lost gold', () => {
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
})
