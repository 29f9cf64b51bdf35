import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  hashModel,
  localKey,
  localName,
  localOptions,
  pinLocal,
} from '../../src/models/transformers/local-params.ts'
import { modelSettings } from '../../src/models/transformers/model-settings.ts'
import { describeModels } from '../shared.ts'
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
  const nomic = { pooling: 'mean', prefix: { query: 'search_query: ', passage: 'search_document: ' } }
  expect(modelSettings('nomic-ai/nomic-embed-text-v1.5')).toMatchObject(nomic)
  expect(modelSettings('nomic-ai/nomic-embed-text-v2-moe')).toEqual({ ...nomic, maxTokens: 512 })
  // No instruction goes before a query of bge-m3.
  expect(modelSettings('BAAI/bge-m3')).toEqual({ pooling: 'cls', maxTokens: 8192 })
  expect(modelSettings('owner/unheard-of')).toEqual({})
})

describeModels('params', () => {
  test('a local model is pinned by its files, and filled in with the length that they say', () => {
    const folder = model('mine', {
      'config.json': { max_position_embeddings: 128 },
      'tokenizer.json': {},
      'onnx/model.onnx': 'g',
    })
    const given = { model: folder, dtype: 'fp32' } as const
    const sha256 = hashModel(folder, 'fp32')
    const pinned = { ...given, maxTokens: 128, sha256 }
    expect(pinLocal(given)).toEqual(pinned)
    expect(pinLocal(pinned)).toEqual(pinned)
    expect(pinLocal({ ...given, maxTokens: 7 }).maxTokens).toBe(7)
    expect(() => pinLocal({ ...given, sha256: 'other' })).toThrow(
      `${folder}: the files of the model have changed since this was made`,
    )
    expect(localName(pinned)).toBe(`mine (fp32, ${sha256.slice(0, 12)})`)
    expect(localKey(given)).toEqual({ sha256: undefined, maxTokens: 256, dtype: 'fp32' })
    expect(localOptions(given)).toEqual({ model: folder, maxTokens: 256, dtype: 'fp32' })
  })
})
