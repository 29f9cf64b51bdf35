import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Summary } from '../../../src/results/summary.ts'
import { temporaryFolder } from '../../temporary.ts'
import { finishConfig, runOptions, writeConfig, writeTowns } from '../experiments.ts'

const TOWNS = Array.from({ length: 24 }, (_, town) => town)

/** Every document of every query with one score: byte order alone puts d9 first. */
const CONSTANT = TOWNS.flatMap((query) => TOWNS.map((town) => `q${query} Q0 d${town} 0 1 x\n`)).join('')
/** The first gold document of all queries but q7. */
const FIRST = TOWNS.filter((town) => town !== 7)
  .map((town) => `q${town} Q0 d${town} 1 2 x\nq${town} Q0 d${(town + 1) % 24} 2 1 x\n`)
  .join('')

async function healthOf({
  by = 'recall@1',
  judgements = '',
  queries = '',
  more = '',
} = {}): Promise<Summary['health']> {
  const folder = temporaryFolder({ 'constant.trec': CONSTANT, 'first.trec': FIRST })
  writeTowns(join(folder, 'towns'))
  appendFileSync(join(folder, 'towns', 'qrels', 'test.tsv'), judgements)
  appendFileSync(join(folder, 'towns', 'queries.jsonl'), queries)
  const config = writeConfig(folder, '[bm25]', `runs: [constant.trec, first.trec]\n${more}`)
  writeFileSync(
    config,
    readFileSync(config, 'utf8').replace('draws: 200', `draws: 200, by: ${by}`).replace('mrr@10', 'mrr'),
  )
  const outcome = await finishConfig(config, join(folder, 'store'), runOptions(join(folder, 'run')))
  return outcome.summary.health
}

test('a constant scorer shows an interval; one without ties none', async () => {
  const { trials, unsolved, small } = await healthOf()
  const [, constant, first] = trials
  // Twelve queries have one gold document, of which the best order puts one first; twelve have two.
  expect(constant).toMatchObject({ name: 'constant', ties: { share: 1, worst: 0, best: (12 + 12 / 2) / 24 } })
  expect(first).toMatchObject({ ceiling: 12 / 24, ties: { share: 0 }, unjudged: { k: 1, share: 0 } })
  expect(first.ties?.worst).toBe(first.ties?.best)
  expect([unsolved, small]).toEqual([[], []])
})

test('what nobody judged is told once some are judged not relevant', async () => {
  const [, constant, first] = (await healthOf({ judgements: 'q0\td9\t0\n' })).trials
  // d9 is gold of q9 alone, and now judged for q0.
  expect(constant.unjudged).toEqual({ k: 1, share: expect.closeTo(22 / 24) })
  // q7 retrieved nothing at all.
  expect(first.unjudged).toEqual({ k: 1, share: 0 })
})
