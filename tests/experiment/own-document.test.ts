import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { callsIn } from '../cli/calls.ts'
import { temporaryFolder } from '../temporary.ts'

const lines = (...items: unknown[]) => items.map((item) => `${JSON.stringify(item)}\n`).join('')
const ARGUMENTS = [
  ['School uniforms reduce bullying because pupils look alike', 'School uniforms do not reduce bullying'],
  ['Nuclear power is clean because it emits no carbon', 'Nuclear power is not clean since waste stays'],
  ['Zoos protect species because they breed rare animals', 'Zoos do not protect species'],
  ['Taxes on sugar improve health since people drink less', 'Taxes on sugar do not improve health'],
]
const texts = ARGUMENTS.flat()
const corpus = texts.map((text, index) => ({ _id: `arg${index}`, text }))
const questions = corpus.filter((_, index) => index % 2 === 0)
const FILES = {
  'arguana/corpus.jsonl': lines(...corpus),
  'arguana/queries.jsonl': lines(...questions),
  'arguana/qrels/test.tsv': questions.map(({ _id }, index) => `${_id}\targ${2 * index + 1}\t1\n`).join(''),
  // Another system's run, in which each question finds itself first.
  'rules.yaml': 'rules: [{any: [zoos], arm: dense}]\notherwise: plain\n',
  'other.trec': questions
    .map(({ _id }, index) => `${_id} Q0 ${_id} 1 2 other\n${_id} Q0 arg${2 * index + 1} 2 1 other\n`)
    .join(''),
}
const config = (dataset: string, trials: string) => `dataset: ${dataset}
prepare: {chunk: passages, embedder: lsa, graph: [rules, titles]}
trials: ${trials}
measures: [recall@1, ndcg@10, mrr@10]
compare: {draws: 100}
runs: [{path: other.trec, name: other}]
`
const ALL = `
  - bm25
  - naive
  - hybrid
  - title-ppr
  - {bm25: {}, name: reranked, after: [{rerank: {by: lexical}}]}
  - {bm25: {}, name: filtered, filter: {where: {source: [arg0, arg1, arg2, arg3, arg4, arg5, arg6, arg7]}}}
  - whole-corpus
  - {router: {rules: rules.yaml, arms: {plain: bm25, dense: naive}}}
`

async function ran(dataset: string, trials: string) {
  const folder = temporaryFolder({ ...FILES, 'a.yaml': config(dataset, trials) })
  const calls = callsIn(folder)
  const { code, err } = await calls.run('out')
  const summary = calls.summaryOf('out')
  return { ...calls, code, err, summary }
}

const DROP = '{beir: {path: arguana, ownDocument: drop}}'

describe('a question that is itself a document', () => {
  test('is left out of every trial, of exported rankings and of what is asked', async () => {
    const { folder, call, code, summary } = await ran(DROP, ALL)
    expect(code).toBe(0)
    for (const { name, measures } of summary.trials)
      expect([name, measures['recall@1'].mean]).toEqual([name, name === 'whole-corpus' ? 0.25 : 1])
    // The router's arms are found among the trials.
    expect(summary.routing[0].missing).toEqual([])
    const exported = await call('export', 'out', '--trial', 'bm25', '-o', 'bm25.trec')
    expect(exported.code).toBe(0)
    const sent = readFileSync(join(folder, 'bm25.trec'), 'utf8').trim().split('\n')
    expect(sent.filter((line) => line.split(' ')[0] === line.split(' ')[2])).toEqual([])
    const asking = await call('ask', 'a.yaml', texts[0], '--json', '--trial', 'bm25')
    const sources = JSON.parse(asking.out).sources.map(
      ({ chunk }: { chunk: { documentId: string } }) => chunk.documentId,
    )
    expect(sources[0]).toBe('arg1')
    expect(sources).not.toContain('arg0')
    // A question of somebody else has no document of its own.
    const other = await call('ask', 'a.yaml', `${texts[0]}?`, '--json', '--trial', 'bm25')
    expect(JSON.parse(other.out).sources[0].chunk.documentId).toBe('arg0')
  })
})
