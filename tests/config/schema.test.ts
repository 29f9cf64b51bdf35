import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loadConfig } from '../../src/config/load.ts'
import { readPrices } from '../../src/config/schema.ts'
import { temporaryFolder } from '../temporary.ts'

test('a price is the one of the table, or the one that is written', () => {
  expect(readPrices(undefined)).toBeNull()
  expect(readPrices('none' as never)).toBeNull()
  expect(readPrices('gpt-5-mini')).toEqual({
    model: 'gpt-5-mini',
    input: 0.25,
    output: 2,
    date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    source: expect.stringContaining('gpt-5-mini'),
  })
  expect(readPrices({ model: 'm', input: 1, output: 2 })).toEqual({
    model: 'm',
    input: 1,
    output: 2,
    date: null,
    source: 'the config',
  })
  expect(readPrices({ model: 'm', input: 1, output: 2, date: '2026-01-02' })?.date).toBe('2026-01-02')
})

test('names of rerankers and models do not mean two things', async () => {
  const folder = temporaryFolder({ 'data/corpus.jsonl': '' })
  const said = (config: string) =>
    loadConfig('a.yaml', { text: `dataset: data\ntrials: [bm25]\n${config}`, set: [], env: {}, folder }).then(
      () => ['no error'],
      (error: Error) => error.message.replaceAll(`${join(folder)}/`, '').split('\n'),
    )
  const reranker = '{transformers: {model: none}}'
  expect(await said(`rerankers: {transformers: ${reranker}}`)).toContainEqual(
    expect.stringContaining('`transformers` is a kind of reranker; take another name'),
  )
  expect(await said(`models: {near: {openai: {model: m}}}\nrerankers: {near: ${reranker}}`)).toContainEqual(
    expect.stringContaining('a model is called `near` already; take another name'),
  )
})
