import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { setUp } from './set-up.ts'

test('`verify` accepts what it wrote, names each differing score with both values, and refuses other files', async () => {
  const { folder, call } = setUp(
    'dataset: towns\nprepare: {embedder: lsa}\ntrials: [bm25, naive]\nmeasures: [recall@5, mrr]\n',
  )
  const at = (path: string) => join(folder, path)
  const change = (
    from: string,
    edit: (value: { scores: Record<string, Record<string, unknown>> }) => unknown,
  ) => {
    const value = JSON.parse(readFileSync(at(from), 'utf8'))
    edit(value)
    writeFileSync(at('changed.json'), JSON.stringify(value))
  }
  expect(await call('run', 'a.yaml', '--workers', '1')).toMatchObject({ code: 0 })
  const verify = (...argv: string[]) => call('verify', 'experiments/a', ...argv)
  expect(await verify('--write', 'e.json')).toMatchObject({ code: 0, out: 'e.json\n' })
  const { scores, tolerance } = JSON.parse(readFileSync(at('e.json'), 'utf8'))
  expect(tolerance).toBe(0.0001)
  const summary = JSON.parse(readFileSync(at('experiments/a/summary.json'), 'utf8'))
  for (const { name, measures } of summary.trials)
    expect(scores[name]['recall@5']).toBe(measures['recall@5'].mean)
  expect(await verify('--expected', 'e.json')).toMatchObject({
    code: 0,
    out: '0 of 4 scores differ by more than 0.0001\n',
  })

  const own = scores.bm25.mrr as number
  change('e.json', ({ scores }) => {
    scores.bm25.mrr = own - 0.01
    scores.naive['recall@5'] = null
  })
  const differing = await verify('--expected', 'changed.json')
  expect(differing.code).toBe(3)
  expect(differing.out).toContain(`${own - 0.01}`)
  expect(differing.out).toMatch(/naive +recall@5 +null/)
  expect(differing.out).toContain('2 of 4 scores differ')
  expect(JSON.parse((await verify('--expected', 'changed.json', '--json')).out)).toMatchObject({
    compared: 4,
    differing: [
      { row: 'bm25', measure: 'mrr', expected: own - 0.01, found: own },
      { row: 'naive', measure: 'recall@5', expected: null, found: scores.naive['recall@5'] },
    ],
  })

  change('e.json', ({ scores }) => {
    scores.bm25.mrr = own - 0.01
  })
  expect((await verify('--expected', 'changed.json', '--tolerance', '0.01')).code).toBe(0)
  expect((await verify('--expected', 'changed.json', '--tolerance', '0.009')).code).toBe(3)

  for (const words of [
    ['--expected', 'changed.json'],
    ['--write', 'loose.json'],
  ])
    expect(await verify(...words, '--tolerance', '1e9')).toMatchObject({
      code: 2,
      err: expect.stringMatching(
        /^(the tolerance 1000000000 checks nothing of \S+, which is [01](\.\d+)? at most: an experiment that scores 0 would pass; give a smaller one\n){2}$/,
      ),
    })
  expect(existsSync(at('loose.json'))).toBe(false)

  expect(await verify('--expected', 'changed.json', '--only', 'naive')).toMatchObject({
    code: 0,
    out: '0 of 2 scores differ by more than 0.0001\n',
  })
  expect((await verify('--expected', 'changed.json', '--only', 'naive,bm25')).code).toBe(3)
  expect(await verify('--expected', 'changed.json', '--only', 'naiv')).toMatchObject({
    code: 2,
    err: 'changed.json: the file has no row "naiv" (did you mean "naive"?); it has "bm25", "naive"\n',
  })
  expect(await verify('--write', 'x.json', '--only', 'naive')).toMatchObject({
    code: 2,
    err: '--only goes with --expected, not with --write\n',
  })

  change('e.json', ({ scores }) => {
    scores.bm52 = { mrr: 1 }
    scores.naive['recall@6'] = 1
  })
  expect(await verify('--expected', 'changed.json')).toEqual({
    code: 2,
    out: '',
    err: [
      'changed.json: the experiment has no measure "recall@6" (did you mean "recall@5"?); it has "mrr", "recall@5"',
      'changed.json: the experiment has no row "bm52" (did you mean "bm25"?); it has "bm25", "naive"',
      '',
    ].join('\n'),
  })
  change('e.json', (value) =>
    Object.assign(value, { tolerance: -1, tolerence: 1, scores: { bm25: { mrr: 'x' }, naive: {} } }),
  )
  expect(await verify('--expected', 'changed.json')).toMatchObject({
    code: 2,
    err: [
      'changed.json: has an unknown key "tolerence" (did you mean "tolerance"?)',
      'changed.json: "tolerance" must be a number, 0 or more',
      'changed.json: "scores", "bm25", "mrr": must be a number or null',
      'changed.json: "scores", "naive": must hold means by measure',
      '',
    ].join('\n'),
  })
  expect((await verify('--expected', 'experiments/a/summary.json')).err).toContain(
    'is no file of expected scores',
  )
  writeFileSync(at('twice.json'), '{"kind": "expected scores",\n "kind": 1}')
  expect((await verify('--expected', 'twice.json')).err).toBe(
    'twice.json:2:2: has the key "kind" twice in one object\n',
  )
  expect(await verify('--expected', 'none.json')).toMatchObject({
    code: 2,
    err: 'none.json: there is no such file\n',
  })
  expect((await verify()).code).toBe(2)
  expect((await verify('--expected', 'e.json', '--write', 'e.json')).code).toBe(2)
  expect((await call('verify', 'nowhere', '--expected', 'e.json')).code).toBe(2)
})
