import { homedir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { cacheFolder, openCache } from '../../src/hub/cache.ts'
import type { RemoteFile } from '../../src/hub/client.ts'
import { selectBeir, selectDataset } from '../../src/hub/datasets.ts'
import { selectModel } from '../../src/hub/models.ts'
import { datasetNameOf, hubNameOf, isRemote } from '../../src/hub/names.ts'
import { temporaryFolder } from '../temporary.ts'

const files = (...paths: string[]): RemoteFile[] => paths.map((path) => ({ path, size: 1, blob: path }))
const paths = (list: Iterable<RemoteFile>) => [...list].map(({ path }) => path)

test('files of a model are the required, the helpful, and the weights of each precision with their data', () => {
  const all = [
    'config.json',
    'tokenizer.json',
    'tokenizer_config.json',
    'special_tokens_map.json',
    'README.md',
    '1_Pooling/config.json',
    'sentence_bert_config.json',
    'config_sentence_transformers.json',
    'onnx/model.onnx',
    'onnx/model.onnx_data',
    'onnx/model_quantized.onnx',
    'onnx/model_fp16.onnx',
  ]
  const without = (...left: string[]) => all.filter((path) => !left.includes(path))
  expect(paths(selectModel(files(...all), ['fp32'], 'o/m'))).toEqual(
    without('README.md', 'onnx/model_quantized.onnx', 'onnx/model_fp16.onnx'),
  )
  expect(paths(selectModel(files(...all), ['q8', 'fp16'], 'o/m'))).toEqual(
    without('README.md', 'onnx/model.onnx', 'onnx/model.onnx_data'),
  )
  expect(() => selectModel(files('onnx/a.onnx', 'b.onnx', 'config.json'), ['fp32'], 'o/m')).toThrow(
    'lacks tokenizer.json, onnx/model.onnx: its ONNX files are onnx/a.onnx, b.onnx; name one by `dtype`',
  )
  expect(() => selectModel(files('tokenizer.json', 'config.json'), ['fp32'], 'o/m')).toThrow(
    'it has no ONNX files; look for an export, as Xenova/m or onnx-community/m',
  )
})

describe('files of a dataset', () => {
  const select = (card: string, config: string | undefined, ...given: string[]) =>
    paths(selectDataset(files(...given), card, 'o/d', config))
  const card = (...configs: string[]) =>
    `---\nconfigs:\n${configs.map((one) => `- {${one}}\n`).join('')}---\n`

  test('are those of data, not descriptions, hidden files or others; the card comes first', () => {
    const data = ['a.parquet', 'b.json', 'c.JSONL.gz', 'd.csv', 'e.tsv.gz', 'f.txt', 'g/h.csv']
    const others = ['.hidden.json', 'dataset_infos.json', 'state.json', 'x.png', 'y.csv.zip']
    expect(select('', undefined, ...data, ...others, 'README.md')).toEqual(['README.md', ...data])
    expect(select(card('config_name: a, data_files: b.json'), undefined, ...data)).toEqual(data)
    expect(() => select('', undefined, 'README.md', 'a.png')).toThrow(
      'has no Parquet, JSON, CSV or text file; it has README.md, a.png',
    )
  })

  test('of one configuration are those of its card, or below its folder, or its parts', () => {
    const two = card("config_name: a, data_files: 'x/*'", 'config_name: b')
    const given = ['x/1.csv', 'a/2.csv', 'b/3.csv', 'c/4.csv', '5.csv']
    expect(select(two, 'a', ...given)).toEqual(['x/1.csv'])
    expect(select(two, 'b', ...given)).toEqual(['b/3.csv'])
    expect(select(two, 'c', ...given)).toEqual(['c/4.csv'])
    const parts = card(
      "config_name: de-corpus, data_files: '1.csv'",
      "config_name: de-qrels, data_files: '2.csv'",
      "config_name: en-corpus, data_files: '3.csv'",
    )
    expect(select(parts, 'de', '1.csv', '2.csv', '3.csv')).toEqual(['1.csv', '2.csv'])
    expect(() => select(two, 'd', ...given)).toThrow(
      /^the dataset `o\/d` has no configuration `d`; it has a, b, x, c, 5\.csv$/,
    )
  })

  test('of several configurations are the default, or a retrieval dataset, or none until one is named', () => {
    expect(() => select(card('config_name: c0', 'config_name: c1'), undefined, 'a.csv')).toThrow(
      /^the dataset `o\/d` has 2 configurations; name one, as `hf:o\/d#c0`: c0, c1$/,
    )
    const some = [
      "config_name: corpus, data_files: 'a.csv'",
      "config_name: other, default: true, data_files: 'b.csv'",
    ]
    expect(select(card(...some), undefined, 'a.csv', 'b.csv')).toEqual(['b.csv'])
    const both = card(...some, 'config_name: queries')
    expect(select(both, undefined, 'a.csv', 'b.csv')).toEqual(['a.csv', 'b.csv'])
  })

  test('of BEIR are lines, or else Parquet, and the labels of every split', () => {
    const parquet = files('corpus/1.parquet', 'corpus/x.md', 'queries/1.parquet', 'other/1.parquet')
    const qrels = files('test.tsv', 'dev.tsv', 'README.md', 'sub/x.tsv')
    const { texts, labels } = selectBeir([...parquet, ...files('queries.jsonl')], qrels, 'nq')
    expect([paths(texts), paths(labels)]).toEqual([
      ['corpus/1.parquet', 'queries.jsonl'],
      ['test.tsv', 'dev.tsv'],
    ])
    expect(() => selectBeir(parquet, files('README.md'), 'nq')).toThrow('`beir/nq` have another layout')
  })
})

test.each<[string, unknown]>([
  ['hf:owner/name', { kind: 'hub', repo: 'owner/name', revision: 'main' }],
  ['hf:owner/name#en', { kind: 'hub', repo: 'owner/name', revision: 'main', config: 'en' }],
  ['hf:owner/name@refs/pr/1#en', { kind: 'hub', repo: 'owner/name', revision: 'refs/pr/1', config: 'en' }],
  ['beir/nfcorpus', { kind: 'beir', name: 'nfcorpus' }],
  ['beir/scifacts', /BEIR has no dataset `scifacts` on the hub \(did you mean "scifact"\?\)/],
  ['hf:name', /`hf:name` is no name on the hub; it is `hf:owner\/name`/],
  ['hf:owner/../x', /is no name on the hub/],
  ['hf:owner/name@../../x', /is no name on the hub/],
  ['hf:o/n@a//b', /is no name on the hub/],
])('the name %s', (text, expected) => {
  expect(isRemote(text)).toBe(true)
  if (expected instanceof RegExp) expect(() => datasetNameOf(text)).toThrow(expected)
  else expect(datasetNameOf(text)).toEqual(expected)
})

test('a path is no name, and a model needs no prefix on the command line', () => {
  for (const path of ['./hf', 'data/beir', 'beir/a/b', '/beir/scifact', 'C:\\hf'])
    expect(isRemote(path)).toBe(false)
  expect(hubNameOf('owner/name@v1')).toEqual({ repo: 'owner/name', revision: 'v1' })
})

test.each<[Record<string, string>, string]>([
  [{ TOUCHSTONE_CACHE: '/t', XDG_CACHE_HOME: '/x', HOME: '/h' }, '/t'],
  [{ TOUCHSTONE_CACHE: '', XDG_CACHE_HOME: '/x', HOME: '/h' }, '/x/touchstone'],
  [{ XDG_CACHE_HOME: 'x', HOME: '/h' }, '/h/.cache/touchstone'],
  [{ HOME: '' }, join(homedir(), '.cache/touchstone')],
])('the cache of %j is %s', (env, folder) => {
  expect(cacheFolder(env)).toBe(folder)
})

test('the cache has a file for each revision, and names a damaged one', () => {
  const root = temporaryFolder()
  const cache = openCache(root)
  const repo = { type: 'models', name: 'o/m' } as const
  const commit = 'a'.repeat(40)
  expect(cache.read(repo, 'main')).toBeUndefined()
  cache.write(repo, 'refs/pr/1', { commit, files: files('a') })
  expect(cache.read(repo, 'refs/pr/1')).toEqual({ commit, files: files('a') })
  expect(cache.folderOf(repo, commit)).toBe(join(root, 'models/o/m', commit, 'm'))
  expect(cache.folderOf(repo, commit, 'c')).toBe(join(root, 'models/o/m', commit, 'config-c', 'm'))
  cache.write(repo, 'main', { commit: 'no commit', files: [] })
  expect(() => cache.read(repo, 'main')).toThrow(
    `${join(root, 'models/o/m/revisions/main.json')}: is damaged; delete it, and it is downloaded again`,
  )
})
