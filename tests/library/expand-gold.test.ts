import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readResults } from '../../src/results/read.ts'
import { callsIn, callsInTowns } from '../cli/calls.ts'
import { writeTowns } from '../experiment/experiments.ts'
import { temporaryFolder } from '../temporary.ts'

const TOWNS = 12

async function setUp(over: string) {
  const calls = callsInTowns(
    `dataset: towns
prepare: {embedder: lsa, graph: [titles]}
trials: [bm25, naive, {name: boosted, bm25: {}, after: [{graph-boost: {over: ${over}}}]}]
measures: [mrr@10, recall@10]
compare: {draws: 200}
`,
    {},
    TOWNS,
  )
  expect(await calls.run('a')).toMatchObject({ code: 0 })
  return calls
}

test('what lies one hop from the gold counts too, and nothing else', async () => {
  const { folder, call } = await setUp('titles')
  const { out } = await call('leaderboard', 'a', '--expand-gold', 'titles', '--json')
  const { trials } = JSON.parse(out)
  expect(trials.map(({ trial }: { trial: string }) => trial)).toEqual(['bm25', 'naive', 'boosted'])

  // A town's page names the town five further on, and no other.
  const { rankings, labels, queries, summary } = await readResults(join(folder, 'a'))
  const near = (id: string) => {
    const town = Number(id.slice(1))
    return new Set([id, `d${(town + 5) % TOWNS}`, `d${(town - 5 + TOWNS) % TOWNS}`])
  }
  for (const [trial, row] of trials.entries()) {
    const sums = { plain: [0, 0], wide: [0, 0] }
    let counted = 0
    for (let query = 0; query < queries.id.length; query++) {
      const gold = labels.judged.filter((_, label) => labels.query[label] === query)
      if (gold.length === 0) continue
      counted++
      const list: string[] = []
      for (let at = 0; at < rankings.rows; at++)
        if (rankings.trial[at] === trial && rankings.query[at] === query)
          list[rankings.rank[at] - 1] = rankings.judged.words[rankings.judged.codes[at]]
      for (const [way, of] of [
        ['plain', (id: string) => new Set([id])],
        ['wide', near],
      ] as const) {
        const ranks = gold
          .map((id) => list.findIndex((chunks) => of(id).has(chunks)) + 1)
          .filter((rank) => rank > 0 && rank <= 10)
        sums[way][0] += ranks.length > 0 ? 1 / Math.min(...ranks) : 0
        sums[way][1] += ranks.length / gold.length
      }
    }
    expect(row.queries).toBe(counted)
    for (const [place, name] of ['mrr', 'recall'].entries()) {
      expect(row[name].plain).toBeCloseTo(sums.plain[place] / counted, 12)
      expect(row[name].expanded).toBeCloseTo(sums.wide[place] / counted, 12)
      expect(row[name].low).toBeLessThanOrEqual(row[name].expanded - row[name].plain)
    }
    // At a cutoff that the summary has, the plain one is the summary's own.
    const [same] = JSON.parse(
      (await call('leaderboard', 'a', '--expand-gold', 'titles', '--json')).out,
    ).trials
    expect(same.mrr.plain).toBeCloseTo(summary.trials[0].measures['mrr@10'].mean, 12)
  }
  const { out: shown } = await call('leaderboard', 'a', '--expand-gold', 'titles')
  // Of twelve towns three count: its own page, the one that it names and the one that names it.
  expect(trials[0]).toMatchObject({ alternatives: 3, share: 3 / TOWNS })
  const two = JSON.parse(
    (await call('leaderboard', 'a', '--expand-gold', 'titles', '--hops', '2', '--json')).out,
  )
  expect(two).toMatchObject({ hops: 2, trials: [{ alternatives: 5 }, {}, {}] })
  expect(shown).toContain('Warning: 3 units count for a gold label on average, 25.0 % of the corpus.')
  expect(shown).toMatch(/trial\s+mrr@10\s+expanded\s+added\s+recall@10/)
})

test("the plain figures are the run's with documents of many chunks and alternatives; a short list is told", async () => {
  const folder = temporaryFolder({
    'a.yaml': `dataset: towns
prepare: {graph: [titles], chunk: {grid: [{tokens: {size: 16, overlap: 0}}, {tokens: {size: 64, overlap: 0}}]}}
trials: [bm25, {name: boosted, bm25: {}, after: [{graph-boost: {over: titles}}]}]
measures: [mrr@10, recall@10]
compare: {draws: 200}
`,
  })
  const corpus = join(folder, 'towns', 'corpus.jsonl')
  writeTowns(join(folder, 'towns'), { towns: TOWNS })
  const long = readFileSync(corpus, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .map(({ text, ...rest }) => `${JSON.stringify({ ...rest, text: `${text} `.repeat(20).trim() })}\n`)
  writeFileSync(corpus, long.join(''))
  // Both documents of a two-part question answer it: one is enough.
  const qrels = join(folder, 'towns', 'qrels', 'test.tsv')
  const [head, ...judged] = readFileSync(qrels, 'utf8').trim().split('\n')
  const grouped = judged.map(
    (line) => `${line}\t${/^q(1|3|5)\t/.test(line) ? 'either' : line.split('\t')[1]}`,
  )
  writeFileSync(qrels, `${[`${head}\tgroup`, ...grouped].join('\n')}\n`)
  const { run, call } = callsIn(folder)
  expect(await run('a')).toMatchObject({ code: 0 })

  const { summary } = await readResults(join(folder, 'a'))
  const { trials } = JSON.parse((await call('leaderboard', 'a', '--expand-gold', 'titles', '--json')).out)
  expect(trials.length).toBe(4)
  for (const { trial, cut, mrr, recall } of trials) {
    const measures = summary.trials.find(({ name }) => name === trial)?.measures
    expect(mrr.plain).toBeCloseTo(measures?.['mrr@10'].mean as number, 12)
    expect(recall.plain).toBeCloseTo(measures?.['recall@10'].mean as number, 12)
    expect(recall.expanded).toBeGreaterThanOrEqual(recall.plain)
    expect(cut).toBeGreaterThan(0)
  }
  const { out } = await call('leaderboard', 'a', '--expand-gold', 'titles')
  expect(out).toMatch(/of 12 queries the ranks that a run keeps end before 10 documents/)
})
