import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { callsInTowns } from './calls.ts'

/** Ranks another town for every query: differences from a perfect run are all equal. */
const WRONG = Array.from({ length: 24 }, (_, town) => `q${town} Q0 d${(town + 1) % 24} 1 1 x\n`).join('')

async function run(compare: string, ...argv: string[]) {
  const config = `dataset: towns\nprepare: {embedder: lsa}\nmeasures: [mrr@10]\ntrials: [bm25, naive]\nruns: [wrong.trec]\ncompare: {draws: 200, ${compare}}\n`
  const { folder, call } = callsInTowns(config, { 'wrong.trec': WRONG }, 24)
  const result = await call('run', 'a.yaml', '--workers', '1', '-o', 'out', '--report', 'page.html', ...argv)
  const text = (file: string) => readFileSync(join(folder, file), 'utf8')
  return { ...result, text }
}

test.each([
  ['two clusters', 'cluster: category', [], '2 clusters of queries, and a verdict needs 5'],
  ['differences that are all equal', 'baseline: wrong', [], 'all differences are equal'],
  ['one query', 'baseline: wrong', ['--limit', '1'], '1 query, and a verdict needs 15'],
])('%s: the reason in place of a verdict, and no number is undefined', async (_, compare, argv, reason) => {
  const { code, out, err, text } = await run(compare, ...argv)
  expect({ code, err }).toEqual({ code: 0, err: '' })
  const { rows } = JSON.parse(text('out/summary.json')).comparison
  const untested = { low: null, high: null, p: null, adjusted: null, detectable: null }
  expect(rows).toHaveLength(2)
  for (const row of rows) {
    expect(row).toMatchObject({ ...untested, untested: reason, verdict: 'cannot tell' })
    expect([row.difference, row.effect].every(Number.isFinite)).toBe(true)
  }
  const page = text('page.html').replace(/<script[\s\S]*?<\/script>/g, '')
  expect(`${out} ${page}`).not.toMatch(/NaN|undefined|Infinity/)
})
