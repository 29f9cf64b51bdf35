import { expect, test } from 'vitest'
import { setUp } from './set-up.ts'

const CONFIG = `
name: nameless
dataset: plain
prepare: {chunk: passages, embedder: lsa, graph: [structure]}
trials: [naive, hipporag]
measures: [recall@5]
`
const TEXTS = [
  'salt is raked from pans',
  'peat is dried on racks',
  'sheep graze wet hills',
  'apples are pressed',
]

/** A dataset of which no passage has a title or a heading. */
function nameless() {
  return setUp(CONFIG, {
    'plain/corpus.jsonl': TEXTS.map((text, i) => `${JSON.stringify({ _id: `d${i}`, text })}\n`).join(''),
    'plain/queries.jsonl': `${JSON.stringify({ _id: 'q', text: 'raked salt' })}\n`,
    'plain/qrels/test.tsv': 'q\td0\t1\n',
  })
}

test('plan, run and, once graphs are there, check say what a graph lacks and what memory a run takes', async () => {
  const { call } = nameless()
  const empty = 'warning: The graph is empty: it has no entity, so nothing can be linked.'
  const memory = /peak memory: about 0\.\d GB to prepare, 0\.\d GB to run/
  const before = await call('check', 'a.yaml')
  expect(before.out).toMatch(memory)
  expect(before.out).not.toContain('warning')
  const planned = await call('plan', 'a.yaml')
  expect(planned.err).toMatch(memory)
  expect(planned.err).toContain(empty)
  const ran = await call('run', 'a.yaml', '--workers', '1')
  expect([ran.code, ran.err]).toEqual([0, expect.stringContaining(empty)])
  expect((await call('check', 'a.yaml')).out).toContain(empty)
})
