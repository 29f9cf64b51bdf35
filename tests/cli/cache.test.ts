import { expect, test } from 'vitest'
import { temporaryFolder } from '../temporary.ts'
import { callsIn } from './calls.ts'

const log = (questions: string) =>
  [...questions]
    .map((query, hour) => JSON.stringify({ query, timestamp: new Date(3_600_000 * hour).toISOString() }))
    .join('\n')

test('a log of questions, one an hour, by size and age of the cache', async () => {
  const { call } = callsIn(temporaryFolder({ 'log.jsonl': log('abaca') }), {})
  const { out } = await call('inspect', '--cache', 'log.jsonl', '--ttl', '7200')
  expect(out).toMatch(/questions +5 +100\.0 %\nfound in the cache +1 +20\.0 %/)
  expect(out).toMatch(/first time +3 .*\n.*too old +1 .*\n.*put out +0 /)
  const forever = await call('inspect', '--cache', 'log.jsonl', '--ttl', '999999', '--size', '1', '--json')
  expect(JSON.parse(forever.out)).toEqual({ queries: 5, hits: 0, expired: 0, evicted: 2 })
})

test('errors of a log are told with their lines', async () => {
  const late = `${log('a')}\n{"query": "b", "timestamp": "1969-12-31T00:00:00Z"}\n{"query": 3, "timestamp": "x"}\nx\n`
  const { call } = callsIn(temporaryFolder({ 'log.jsonl': late }), {})
  const { code, err } = await call('inspect', '--cache', 'log.jsonl')
  expect(code).toBe(2)
  expect(err).toMatch(
    /log\.jsonl:2: is earlier than the line before.*log\.jsonl:3: `query` must be text, not 3.*log\.jsonl:4: is no JSON/s,
  )
})

test('the keywords of a corpus are those of its headings', async () => {
  const folder = temporaryFolder({
    'a.yaml': 'dataset: notes\nprepare: {chunk: headings}\ntrials: [bm25]\n',
    'notes/a.md': '# Weapons\n\n## Accurate x\n\nIt hits.\n\n## Lethal 5+\n\nIt kills.\n',
  })
  const { call } = callsIn(folder, {})
  expect(JSON.parse((await call('inspect', 'a.yaml', '--keywords', '--json')).out)).toEqual([
    'Accurate',
    'Lethal',
    'Weapons',
  ])
  expect((await call('inspect', 'a.yaml', '--keywords')).out).toBe('Accurate\nLethal\nWeapons\n')
})
