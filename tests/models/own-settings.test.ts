import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Dtype, hashModel, isFolder } from '../../src/models/transformers/folder.ts'
import { localKey, localName, localOptions, pinLocal } from '../../src/models/transformers/local-params.ts'
import { modelSettings } from '../../src/models/transformers/model-settings.ts'
import { hashOf, sha256 } from '../../src/store/hash.ts'
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

test('takes settings one by one: of the files those that say something', () => {
  const settings = (files: Record<string, unknown>, name = 'mine') => modelSettings(model(name, files))
  const pooling = (modes: object) => settings({ '1_Pooling/config.json': modes }).pooling
  expect(pooling({ pooling_mode_mean_tokens: true, pooling_mode_cls_token: false })).toBe('mean')
  expect(pooling({ pooling_mode_cls_token: true, include_prompt: true })).toBe('cls')
  expect(pooling({ pooling_mode_mean_tokens: false })).toBeUndefined()
  expect(() => pooling({ pooling_mode_mean_tokens: true, pooling_mode_cls_token: true })).toThrow(
    '1_Pooling/config.json: asks for pooling_mode_mean_tokens and pooling_mode_cls_token; only pooling_mode_mean_tokens and pooling_mode_cls_token are known',
  )
  const prefix = (prompts: unknown) => settings({ 'config_sentence_transformers.json': { prompts } }).prefix
  expect(prefix({ query: 'Q ' })).toEqual({ query: 'Q ', passage: '' })
  expect(prefix({ passage: 'P ', document: 'D ', query: 5 })).toEqual({ query: '', passage: 'P ' })
  for (const none of [null, 'Q ', {}, { query: '', document: '' }]) expect(prefix(none)).toBeUndefined()
  const longest = (max_seq_length: unknown) =>
    settings({ 'sentence_bert_config.json': { max_seq_length } }).maxTokens
  expect([1, 100_000, 100_001, 0, -1, 1.5, '512'].map(longest)).toEqual([
    1,
    100_000,
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
  ])
  expect(settings({ 'sentence_bert_config.json': 'null', 'config.json': '[]' })).toEqual({})
  // A known name fills in what the files leave open.
  expect(settings({ '1_Pooling/config.json': { pooling_mode_cls_token: true } }, 'e5-small')).toEqual({
    pooling: 'cls',
    maxTokens: 512,
    prefix: { query: 'query: ', passage: 'passage: ' },
  })
  expect(settings({ 'tokenizer_config.json': { model_max_length: 128 } }, 'e5-small').maxTokens).toBe(512)
  expect(
    settings({
      'tokenizer_config.json': { model_max_length: 128 },
      'config.json': { max_position_embeddings: 64 },
    }),
  ).toEqual({ maxTokens: 128 })
})

test('names every file that a model folder lacks, and a known model that is damaged', () => {
  const wrong = (folder: string, dtype: Dtype = 'fp32') => {
    try {
      hashModel(folder, dtype)
    } catch (error) {
      return (error as Error).message.replace(`${folder}/`, '').replace(`${folder}: `, '')
    }
  }
  expect(
    wrong(model('a', { 'onnx/b.onnx': '', 'onnx/a.onnx': '', 'onnx/c.txt': '', 'config.json': {} }), 'q4'),
  ).toBe(
    'is not a model folder for dtype q4: it lacks tokenizer.json, onnx/model_q4.onnx (its onnx folder has a.onnx, b.onnx)',
  )
  expect(wrong(model('a', { 'tokenizer.json': {} }))).toBe(
    'is not a model folder for dtype fp32: it lacks config.json, onnx/model.onnx',
  )
  expect(wrong(model('a', { 'config.json': {}, 'onnx/model.onnx': '' }))).toBe(
    'is not a model folder for dtype fp32: it lacks tokenizer.json (its onnx folder has model.onnx)',
  )
  expect(wrong(model('a', { 'tokenizer.json': {}, 'onnx/x': '' }))).toMatch(/onnx\/model\.onnx$/)
  const whole = { 'config.json': {}, 'onnx/model.onnx': '' }
  const damaged = { ...whole, 'tokenizer.json': ' '.repeat(466_247) }
  expect(wrong(model('all-MiniLM-L6-v2', damaged))).toMatch(
    /^tokenizer\.json: is damaged: it is as long as the published file of all-MiniLM-L6-v2, and differs from it \(sha256 [0-9a-f]{12}, not be50c3628f2b\); copy or download it again$/,
  )
  expect(wrong(model('other', damaged))).toBeUndefined()
  expect(wrong(join(model('a', { file: '' }), 'file'))).toMatch(/^is not a folder; `model` needs one/)
})

test('is known by its graph, its data and its tokenizer, and by no other file', () => {
  const whole = {
    'config.json': {},
    'tokenizer.json': {},
    'onnx/model.onnx': 'g',
    'onnx/model.onnx_data': 'd',
  }
  const hash = (more: Record<string, unknown> = {}) => hashModel(model('a', { ...whole, ...more }), 'fp32')
  expect(hash({ 'README.md': 'x', 'onnx/model_q4.onnx': 'x', 'onnx/other.onnx_data': 'x' })).toBe(hash())
  const names = ['config.json', 'onnx/model.onnx', 'onnx/model.onnx_data', 'tokenizer.json'] as const
  const content = (file: (typeof names)[number]) =>
    typeof whole[file] === 'string' ? whole[file] : JSON.stringify(whole[file])
  // In the order of names, whatever order a file system lists them in.
  expect(hash()).toBe(hashOf(names.map((file) => [file, sha256(content(file))])))
  const changes = [
    'config.json',
    'tokenizer.json',
    'onnx/model.onnx',
    'onnx/model.onnx_data',
    'tokenizer_config.json',
  ]
  expect(
    new Set([
      hash(),
      ...changes.map((file) => hash({ [file]: 'x' })),
      hash({ 'onnx/model.onnx_data_1': 'x' }),
    ]).size,
  ).toBe(7)
})

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

test.each([
  ['./a', true],
  ['../a', true],
  ['/a', true],
  ['.\\a', true],
  ['C:\\a', true],
  ['C:/a', true],
  ['owner/name', false],
  ['...a', false],
])('%s is a folder: %s', (name, is) => {
  expect(isFolder(name)).toBe(is)
})
