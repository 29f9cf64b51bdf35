import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import type { QueryTrace } from '../../src/experiment/ask.ts'
import { callsInTowns } from '../cli/calls.ts'

const folder = resolve('configs/systems')

test('rag-ing.yaml reranks by a cross-encoder, as its head says', async () => {
  const { folder: at, call } = callsInTowns('')
  const config = join(folder, 'rag-ing.yaml')
  const question = 'How was ERR-4100 solved?'
  const ask = async (...more: string[]) => {
    const argv = ['ask', config, question, '--store', join(at, 'store'), '--depth', '30', '--json', ...more]
    const { code, out, err } = await call(...argv)
    expect({ code, err }).toEqual({ code: 0, err: '' })
    const { sources, steps }: QueryTrace = JSON.parse(out)
    return {
      steps: steps.map(({ step }) => step),
      found: sources.map(({ chunk, score }) => [chunk.id, score] as const),
    }
  }
  const model = resolve('tests/fixtures/cross-encoder')
  const cross = await ask(
    '--set',
    `rerankers={cross: {transformers: {model: ${model}, dtype: fp32}}}`,
    '--set',
    'trials.0.after.1.rerank.by=cross',
  )
  const [words, whole] = [await ask(), await ask('-t', 'without rerank')]
  expect(cross.steps).toEqual(words.steps)
  expect(cross.steps.slice(-4)).toEqual(['fuse', 'domain-codes', 'score-candidates', 'rerank'])
  expect(whole.found.length).toBeGreaterThan(20)
  // The sigmoid of a logit each, of five among the first twenty.
  expect(cross.found).toHaveLength(5)
  const first = whole.found.slice(0, 20).map(([id]) => id)
  for (const [id, score] of cross.found) {
    expect(first).toContain(id)
    expect(score).toBeGreaterThan(0)
    expect(score).toBeLessThan(1)
  }
  expect(cross.found).not.toEqual(words.found)
})

test('rag-service.yaml retrieves in the order of its seed document, and each part of the query can be switched off', async () => {
  const { folder: at, call } = callsInTowns('')
  const config = join(folder, 'rag-service.yaml')
  const question = 'health of lure order after HEALING?'
  const ask = async (trial: string) => {
    const argv = [
      'ask',
      config,
      question,
      '-t',
      trial,
      '--store',
      join(at, 'store'),
      '--depth',
      '30',
      '--json',
    ]
    const { steps, notes, sources }: QueryTrace = JSON.parse((await call(...argv)).out)
    const scoreOf = ({ ranked }: QueryTrace['sources'][number], step: string) =>
      ranked.find((entry) => entry.step === step)?.score ?? null
    const named = sources.find(({ chunk }) => chunk.title === 'Lure Order')
    return {
      notes,
      chunks: sources.map(({ chunk }) => chunk.id),
      steps: steps.map(({ step }) => step),
      dense: named && scoreOf(named, 'dense'),
      words: named && scoreOf(named, 'bm25'),
    }
  }
  const [rag, relevant] = [await ask('rag'), await ask('relevant alone')]
  const searches = ['embed-query', 'dense', 'bm25', 'align', 'fuse']
  expect(relevant.steps).toEqual(['normalize-keywords', 'expand-synonyms', ...searches, 'min-cosine'])
  const recased = 'health of Lure Order after HEALING?'
  expect(rag.notes).toEqual({
    'query after normalize-keywords': recased,
    'query after expand-synonyms': recased,
    'words after expand-synonyms': `${recased} hit points regain hit points`,
  })
  // Relevance is filtered after the fusion: the rest keeps its order.
  expect(relevant.chunks.length).toBeGreaterThan(0)
  expect(relevant.chunks.length).toBeLessThan(rag.chunks.length)
  expect(relevant.chunks).toEqual(rag.chunks.filter((id) => relevant.chunks.includes(id)))

  const [uncased, unexpanded] = [await ask('without keywords'), await ask('without synonyms')]
  expect(uncased.notes).toEqual({ 'words after expand-synonyms': `${question} hit points regain hit points` })
  expect(unexpanded.notes).toEqual({ 'query after normalize-keywords': recased })
  expect((await ask('without both')).notes).toEqual({})
  // Vectors are searched with the keywords' spelling and without synonyms; BM25 with synonyms, in any case.
  expect(rag.dense).toBeGreaterThan(uncased.dense as number)
  expect(rag.dense).toBe(unexpanded.dense)
  expect(rag.words).toBe(uncased.words)
  expect(rag.chunks).not.toEqual(unexpanded.chunks)
})
