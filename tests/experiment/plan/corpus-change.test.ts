import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { corpusDifferences } from '../../../src/experiment/plan/corpus-change.ts'
import { callsIn } from '../../cli/calls.ts'
import { temporaryFolder } from '../../temporary.ts'
import { writeTowns } from '../experiments.ts'

test('prepare says which documents are new, changed and gone since the last time', async () => {
  const folder = temporaryFolder({ 'a.yaml': 'dataset: towns\ntrials: [bm25]\n' })
  writeTowns(join(folder, 'towns'), { towns: 12 })
  const { call } = callsIn(folder, {})
  const corpus = join(folder, 'towns', 'corpus.jsonl')
  const lines = readFileSync(corpus, 'utf8').trim().split('\n')
  expect((await call('prepare', 'a.yaml')).out).not.toContain('documents since')
  expect((await call('prepare', 'a.yaml')).out).toBe('everything is prepared already\n')

  const other = [
    ...lines.slice(0, 2),
    lines[2].replace('lives by', 'thrives by'),
    ...lines.slice(3),
    '{"_id": "new", "title": "New", "text": "A new town."}',
  ]
  writeFileSync(corpus, `${other.join('\n')}\n`)
  const { out } = await call('prepare', 'a.yaml')
  expect(out).toMatch(
    /^documents since they were last prepared: 1 new \(new\), 1 changed \(d2\)\nbuilt documents/,
  )
  expect((await call('prepare', 'a.yaml')).out).toBe('everything is prepared already\n')

  writeFileSync(corpus, `${lines.join('\n')}\n`)
  expect(JSON.parse((await call('prepare', 'a.yaml', '--json')).out)).toMatchObject({
    built: [],
    documents: { added: [], changed: ['d2'], removed: ['new'] },
  })

  // A damaged note says nothing.
  const [note] = readdirSync(join(folder, '.touchstone', 'corpora'))
  for (const damaged of ['{', 'null', '{"hash": 5}']) {
    writeFileSync(join(folder, '.touchstone', 'corpora', note), damaged)
    expect(await call('prepare', 'a.yaml')).toMatchObject({
      code: 0,
      out: 'everything is prepared already\n',
    })
  }

  // Where the documents of then were removed, nothing can be said.
  writeFileSync(corpus, `${other.join('\n')}\n`)
  const tables = join(folder, '.touchstone', 'documents')
  for (const name of readdirSync(tables)) rmSync(join(tables, name), { recursive: true })
  expect((await call('prepare', 'a.yaml')).out).not.toContain('documents since')
})

test('differences are what was added, changed and removed, and nothing else', () => {
  const corpus = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd', 'e'), fc.constantFrom('x', 'y'))
  const documents = (texts: Record<string, string>) =>
    Object.entries(texts).map(([id, text]) => ({ id, title: '', text, metadata: {} }))
  fc.assert(
    fc.property(corpus, corpus, (before, now) => {
      const { added, changed, removed } = corpusDifferences(documents(before), documents(now))
      const names = ['a', 'b', 'c', 'd', 'e']
      expect(added).toEqual(names.filter((id) => id in now && !(id in before)))
      expect(removed).toEqual(names.filter((id) => id in before && !(id in now)))
      expect(changed).toEqual(names.filter((id) => id in before && id in now && before[id] !== now[id]))
    }),
  )
})
