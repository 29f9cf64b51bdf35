import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { setUp } from './set-up.ts'

test('`--allow-empty`: empty documents are left out, counted by check, prepare, run and report, and noted for the next run', async () => {
  const { folder, call } = setUp(
    'dataset: towns\ntrials: [bm25]\nmeasures: [recall@5]\ncompare: {draws: 100}\n',
  )
  const corpus = join(folder, 'towns', 'corpus.jsonl')
  writeFileSync(
    corpus,
    `${readFileSync(corpus, 'utf8')}{"_id": "471", "text": ""}\n{"_id": "995", "title": "", "text": " "}\n`,
  )
  const refused = await call('check', 'a.yaml')
  expect(refused.code).toBe(2)
  expect(refused.err).toMatch(
    /corpus\.jsonl:\d+: document "471" has neither text nor title; --allow-empty leaves/,
  )
  const said = '2 documents without text and title are left out'
  for (const target of ['a.yaml', 'towns']) {
    const { code, out } = await call('check', target, '--allow-empty')
    expect(code).toBe(0)
    expect(out).toContain(`note: ${said}\n`)
  }
  const prepared = await call('prepare', 'a.yaml', '--allow-empty')
  expect([prepared.code, prepared.err]).toEqual([0, expect.stringContaining(`note: ${said}\n`)])
  const ran = await call('run', 'a.yaml', '--allow-empty', '--workers', '1')
  expect(ran.code).toBe(0)
  expect(ran.err).toContain(`towns: ${said}\n`)
  expect(readFileSync(join(folder, 'reports', 'a.html'), 'utf8')).toContain(said)
  // What was allowed on the command line stands in the experiment's own config.
  const again = await call('check', 'experiments/a/experiment.yaml')
  expect(again).toMatchObject({ code: 0, err: '' })
  expect(again.out).toContain(said)
  const { code, err } = await call('import', 'towns', '--allow-empty', '-o', 'imported')
  expect(code).toBe(0)
  expect(err.startsWith(`read as beir\n${said}\nfirst document: "d0"`)).toBe(true)
  expect((await call('check', 'imported')).code).toBe(0)
})
