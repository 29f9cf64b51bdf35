import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { modelSettings } from '../../src/models/transformers/model-settings.ts'
import { temporaryFolder } from '../temporary.ts'

/** A model's folder with these JSON files. */
function model(name: string, files: Readonly<Record<string, unknown>>): string {
  const folder = join(temporaryFolder(), name)
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(join(folder, file, '..'), { recursive: true })
    writeFileSync(join(folder, file), typeof content === 'string' ? content : JSON.stringify(content))
  }
  return folder
}

test("reads sentence-transformers' files before what is known of the name", () => {
  const folder = model('e5-small-v2', {
    '1_Pooling/config.json': { word_embedding_dimension: 384, pooling_mode_cls_token: true },
    'sentence_bert_config.json': { max_seq_length: 300 },
    'config_sentence_transformers.json': { prompts: { query: 'Q ', document: 'D ' } },
    'tokenizer_config.json': { model_max_length: 512 },
  })
  expect(modelSettings(folder)).toEqual({
    pooling: 'cls',
    maxTokens: 300,
    prefix: { query: 'Q ', passage: 'D ' },
  })
})

test('knows e5, bge and nomic by name, on the hub too', () => {
  const e5 = { pooling: 'mean', maxTokens: 512, prefix: { query: 'query: ', passage: 'passage: ' } }
  expect(modelSettings('intfloat/multilingual-e5-small')).toEqual(e5)
  expect(modelSettings(model('multilingual-e5-small', { 'config.json': {} }))).toEqual(e5)
  expect(modelSettings('BAAI/bge-base-en-v1.5')).toMatchObject({ pooling: 'cls', prefix: { passage: '' } })
  expect(modelSettings('nomic-ai/nomic-embed-text-v1.5').prefix?.query).toBe('search_query: ')
  expect(modelSettings('owner/unheard-of')).toEqual({})
})

test('takes as most tokens what the tokenizer or the model can, and no number that means none', () => {
  const folder = model('mine', {
    'tokenizer_config.json': { model_max_length: 1e30 },
    'config.json': { max_position_embeddings: 128 },
  })
  expect(modelSettings(folder)).toEqual({ maxTokens: 128 })
})

test('refuses a pooling that it cannot do, and a file that is not JSON', () => {
  const last = model('last', { '1_Pooling/config.json': { pooling_mode_lasttoken: true } })
  expect(() => modelSettings(last)).toThrow('asks for pooling_mode_lasttoken; only')
  expect(() => modelSettings(model('cut', { 'sentence_bert_config.json': '{' }))).toThrow('is not JSON')
})
