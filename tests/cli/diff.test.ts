import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { SHARE } from '../../src/metrics/range.ts'
import { diffText } from '../../src/report/diff.ts'
import { type Diff, diffResults } from '../../src/results/diff.ts'
import type { Summary } from '../../src/results/summary.ts'
import { setUp } from './set-up.ts'

const config = (trials: string, more = '') =>
  `dataset: towns\nprepare: {embedder: lsa}\nmeasures: [recall@5, recall@1]\ntrials: ${trials}\n${more}`

test('`diff` tells config, data, measures, flipped queries and the first difference', async () => {
  const { folder, call } = setUp(config('[bm25, {title-ppr: {}, name: other}]'), {
    'b.yaml': config('[{random: {pool: 5}, name: bm25}, naive]'),
    'c.yaml': config('[bm25]').replace('towns', 'more'),
  })
  for (const name of ['a', 'b', 'c'])
    expect((await call('run', `${name}.yaml`, '--workers', '1')).err).toBe('')
  const diff = async (...argv: string[]) => call('diff', 'experiments/a', ...argv)
  const json = async (...argv: string[]): Promise<Diff> => JSON.parse((await diff(...argv, '--json')).out)

  const said = await diff('experiments/b', '--limit', '2')
  expect(said).toMatchObject({ code: 0, err: '' })
  expect(said.out).toMatchInlineSnapshot(`
    "before: experiments/a
    now:    experiments/b

    config: 3 keys changed
      key        before                           now
      trials[0]  "bm25"                           {"random":{"pool":5},"name":"bm25"}
      trials[1]  {"title-ppr":{},"name":"other"}  "naive"
      name       "a"                              "b"

    data: the same (8d7edd129d81)
    version: the same (0.1.0)

    recall@5
      row   queries  before   now  difference                                95 %  p  won now/tied/before  verdict
      bm25       12    83.3  25.0       −58.3  12 queries, and a verdict needs 15  –                0/3/9  cannot tell

    other measures, not tested: 0 means equal, 1 changed
      row   measure   queries  before  now  difference
      bm25  recall@1       12    75.0  0.0       −75.0

    Only before: \`other\`.
    Only now: \`naive\`.

    queries of bm25 in recall@5: 0 gained, 9 lost, 3 equal; the 2 largest changes

    q10: 100.0 -> 0.0  What does TownK10 live by?
      first difference at "not in a pool" (no search of the trial returned it among the chunks that the trial reads): lost only before: none; lost only now: d10
          bm25       bm25
       1  * TownK10    TownA0
       2    TownF5     TownD3
       3    TownJ9     TownE4
       …
      gold: d10: rank 1 -> not found

    q2: 100.0 -> 0.0  What does TownC2 live by?
      first difference at "not in a pool" (no search of the trial returned it among the chunks that the trial reads): lost only before: none; lost only now: d2
          bm25      bm25
       1  * TownC2    TownK10
       2    TownJ9    TownL11
       3    TownI8    TownD3
       …
      gold: d2: rank 1 -> not found
    "
  `)

  // A gap of one rank is shown; a longer one is a sign.
  const whole = await json('experiments/b', '--limit', '1')
  const ranksWith = (gold: number) => {
    const ranking = Array.from({ length: 9 }, (_, at) => ({
      chunk: `c${at}`,
      title: `T${at}`,
      gold: at === gold,
    }))
    const [query] = whole.flipped.queries
    const queries = [
      { ...query, before: { ...query.before, ranking }, now: { ...query.now, ranking: null, gold: [] } },
    ]
    const text = diffText({ ...whole, flipped: { ...whole.flipped, queries } }, 100)
    return [...text.matchAll(/^ +(?:(…)|\d+ +\*? *T(\d))/gm)].map(([, sign, rank]) => sign ?? rank).join(' ')
  }
  expect(ranksWith(5)).toBe('0 1 2 3 4 5 6 …')
  expect(ranksWith(6)).toBe('0 1 2 … 5 6 7 …')
  expect(ranksWith(7)).toBe('0 1 2 … 6 7 8')

  // Of a measure that is better low, what has fallen is gained.
  const asked = { folders: ['a', 'b'].map((name) => join(folder, 'experiments', name)), rows: [], limit: 1 }
  const [high, low] = await Promise.all(
    (['higher', 'lower'] as const).map((better) =>
      diffResults({ ...asked, measure: 'recall@5', scaleOf: () => ({ range: SHARE, better }) }),
    ),
  )
  expect(high.flipped).toMatchObject({ gained: 0, lost: 9, equal: 3 })
  expect(low.flipped).toMatchObject({ gained: 9, lost: 0, equal: 3 })
  expect(low.rows[0].test).toMatchObject({ wins: 9, losses: 0 })

  // What is shown is what the result files hold.
  const found = await json('experiments/b', '--limit', '100')
  const summary = (name: string): Summary =>
    JSON.parse(readFileSync(join(folder, 'experiments', name, 'summary.json'), 'utf8'))
  const [row] = found.rows
  expect(row.before).toBeCloseTo(summary('a').trials[0].measures['recall@5'].mean, 12)
  expect(row.now).toBeCloseTo(summary('b').trials[0].measures['recall@5'].mean, 12)
  expect(row.test?.difference).toBeCloseTo(row.now - row.before, 12)
  const { gained, lost, equal, queries } = found.flipped
  expect([gained, equal, lost]).toEqual([row.test?.wins, row.test?.ties, row.test?.losses])
  expect(queries).toHaveLength(gained + lost)
  const sum = queries.reduce((total, { values }) => total + values.now - values.before, 0)
  expect(sum / row.n).toBeCloseTo(row.now - row.before, 12)
  for (const { before, now, part, values } of queries) {
    // Of so few gold labels, recall@5 is the share of the gold that stands in the first five.
    for (const [side, value] of [[before, values.before] as const, [now, values.now] as const])
      expect(side.gold.filter(({ rank }) => rank > 0 && rank <= 5).length / side.gold.length).toBe(value)
    for (const { gold, ranking } of [before, now])
      for (const { judged, rank } of gold)
        if (rank > 0) expect(ranking?.[rank - 1]).toMatchObject({ chunk: judged, gold: true })
    if (part.kind !== 'stage') continue
    const lostAt = ({ gold }: typeof before) =>
      gold.filter(({ stage }) => stage === part.stage).map(({ judged }) => judged)
    expect(lostAt(before)).toEqual(expect.arrayContaining([...part.before]))
    expect(lostAt(now)).toEqual(expect.arrayContaining([...part.now]))
    expect(part.before.length + part.now.length).toBeGreaterThan(0)
  }

  // Two rows of one experiment; rows of other names in two; other data.
  const rows = await diff('--trial', 'bm25', '--trial', 'other')
  expect(rows.out).toMatch(/^Two rows of experiments\/a: same config, data and version\./)
  expect((await json('--trial', 'bm25', '--trial', 'other')).config).toBeNull()
  const crossed = await json('experiments/b', '--trial', 'bm25', '--trial', 'naive')
  expect(crossed.rows.map(({ name }) => name)).toEqual(['bm25 -> naive'])
  const other = await diff('experiments/c')
  expect(other.out).toMatch(/data: \w{12} before, \w{12} now\n/)
  expect(other.out).toMatch(/ {2}documents +12 +18\n/)
  expect(other.out).toContain('The datasets differ, which may explain some of the differences.')

  // The same again; nothing against itself.
  expect((await diff('experiments/b', '--limit', '2')).out).toBe(said.out)
  const same = await diff('experiments/a')
  expect(same.out).toContain('config: the same')
  expect(same.out).toMatch(/: 0 gained, 0 lost, 12 equal$/m)
})

test('`diff` says what it cannot know, and texts do not steer the terminal', async () => {
  const { folder, call } = setUp(
    config('[{bm25: {grid: {k1: {from: 1, to: 24, step: 1}}}}, {random: {}, name: other}]'),
  )
  appendFileSync(
    join(folder, 'towns', 'queries.jsonl'),
    '{"_id": "evil", "text": "\\u001b[2J town\\nTownA0\\u202e", "metadata": {}}\n',
  )
  appendFileSync(join(folder, 'towns', 'qrels', 'test.tsv'), 'evil\td0\t1\n')
  expect((await call('run', 'a.yaml', '--workers', '1')).err).toBe('')
  const { trials }: Summary = JSON.parse(
    readFileSync(join(folder, 'experiments', 'a', 'summary.json'), 'utf8'),
  )
  const dropped = trials.find(({ finalist }) => !finalist)
  const against = (name = '') =>
    call('diff', 'experiments/a', '-m', 'recall@1', '--limit', '100', '--trial', name, '--trial', 'other')
  const { out, code } = await against(dropped?.name)
  expect(code).toBe(0)
  // As the leaderboard shortens it.
  expect((await against(dropped?.name.replace('k1=', ''))).out).toBe(out)
  expect(out).toContain('(ranking not stored)')
  expect(out).toContain('evil: ')
  expect(out).toContain('[2J town TownA0')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there.
  expect(out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/)
})

test('`diff` names every error', async () => {
  const { call } = setUp(config('[bm25, naive]'))
  await call('run', 'a.yaml', '--workers', '1')
  const diff = (...argv: string[]) => call('diff', ...argv)
  expect(await diff('experiments/a')).toMatchObject({
    code: 2,
    err: 'name a second experiment, or two rows of this one: --trial NAME --trial NAME\n',
  })
  expect((await diff('experiments/a', '--trial', 'bm25', '--trial', 'bm25')).err).toContain('name two rows')
  const none = await diff('experiments/x', 'experiments/y')
  expect(none.code).toBe(2)
  expect(none.err.match(/there is no such folder/g)).toHaveLength(2)
  const wrong = await diff('experiments/a', '--trial', 'bm52', '--trial', 'naiv', '--measure', 'recall@2')
  expect(wrong.code).toBe(2)
  expect(wrong.err.match(/has no measure `recall@2`/g)).toHaveLength(1)
  expect(wrong.err).toContain('has no row `bm52` (did you mean "bm25"?); there are `bm25`, `naive`\n')
  expect(wrong.err).toContain('has no row `naiv` (did you mean "naive"?)')
  expect((await diff('experiments/a', 'experiments/a', '--limit', '-1')).code).toBe(2)
})
