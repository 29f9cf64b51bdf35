import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { FORMAT } from '../../src/results/format.ts'
import type { Summary } from '../../src/results/summary.ts'
import { temporaryFolder } from '../temporary.ts'
import { runConfig, runOptions, writeConfig, writeTowns } from './experiments.ts'

/** Towns with metadata: the towns' region on both sides, a year on the documents' alone. */
function world(trials: string): string {
  const folder = temporaryFolder()
  const towns = join(folder, 'towns')
  writeTowns(towns, { towns: 12 })
  for (const name of ['corpus.jsonl', 'queries.jsonl']) {
    const file = join(towns, name)
    const lines = readFileSync(file, 'utf8').trim().split('\n')
    const more = lines.map((line, i) => {
      const { metadata, ...rest } = JSON.parse(line)
      const own = name === 'corpus.jsonl' ? { year: 2000 + i } : {}
      return JSON.stringify({
        ...rest,
        metadata: { ...metadata, ...own, region: i % 2 === 0 ? 'north' : 'south' },
      })
    })
    writeFileSync(file, `${more.join('\n')}\n`)
  }
  writeFileSync(join(folder, 'theirs.trec'), 'q1 Q0 a 1 1 x\n')
  return writeConfig(folder, trials)
}

async function summaryOf(config: string): Promise<Summary> {
  const folder = join(config, '..', 'run')
  await runConfig(config, join(config, '..', 'store'), runOptions(folder))
  return JSON.parse(readFileSync(join(folder, 'summary.json'), 'utf8'))
}

test('a filter stands in name and params, what it leaves out in the funnel, what is left nothing is told', async () => {
  const summary = await summaryOf(
    world(
      '[bm25, {bm25: {}, filter: {where: {region: {query: region}}}}, {bm25: {}, filter: {where: {year: {from: 2006}}, statistics: subset}}, {naive: {}, filter: {where: {region: east}}}]',
    ),
  )
  expect(summary.format).toBe(FORMAT)
  const [whole, own, late, none] = summary.trials
  expect(summary.trials.map(({ name }) => name)).toEqual([
    'bm25',
    'bm25 filter=region=query.region',
    'bm25 filter=year=2006..,subset',
    'naive filter=region=east',
  ])
  expect(whole.filter).toBeUndefined()
  expect(own.filter).toEqual({ where: { region: { query: 'region' } }, statistics: 'corpus' })
  expect(late.filter).toEqual({ where: { year: { from: 2006 } }, statistics: 'subset' })
  const lost = ({ funnel }: typeof own, stage: string) => funnel.find((one) => one.stage === stage)?.lost ?? 0
  // Gold of even towns is one of the same region; of odd ones also the town five further on, of the other.
  expect(lost(own, 'left out by the filter')).toBe(6)
  expect(lost(late, 'left out by the filter')).toBe(9)
  expect(lost(none, 'left out by the filter')).toBe(18)
  expect(none.measures['recall@5'].mean).toBe(0)
  expect(none.perQuery).toMatchObject({ leftNothing: 1, retrieved: 0 })
  expect(own.perQuery.leftNothing).toBe(0)
  expect(summary.findings.map(({ text }) => text)).toContain(
    'naive filter=region=east: the filter leaves no chunk for 100.0 % of queries.',
  )
})
