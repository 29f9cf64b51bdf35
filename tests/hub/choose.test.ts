import { describe, expect, test } from 'vitest'
import type { RemoteFile } from '../../src/hub/client.ts'
import { selectBeir, selectDataset, selectModel } from '../../src/hub/select.ts'

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
    `---\nconfigs:\n${configs.map((line) => `- {${line}}\n`).join('')}---\n`

  test('of one configuration are those of its card, or below its folder, or its parts', () => {
    const two = card("config_name: a, data_files: 'x/*'", 'config_name: b')
    const files = ['x/1.csv', 'a/2.csv', 'b/3.csv', 'c/4.csv', '5.csv']
    expect(select(two, 'a', ...files)).toEqual(['x/1.csv'])
    expect(select(two, 'b', ...files)).toEqual(['b/3.csv'])
    expect(select(two, 'c', ...files)).toEqual(['c/4.csv'])
    const parts = card(
      "config_name: de-corpus, data_files: '1.csv'",
      "config_name: de-qrels, data_files: '2.csv'",
      "config_name: en-corpus, data_files: '3.csv'",
    )
    expect(select(parts, 'de', '1.csv', '2.csv', '3.csv')).toEqual(['1.csv', '2.csv'])
    expect(() => select(two, 'd', ...files)).toThrow(
      /^the dataset `o\/d` has no configuration `d`; it has a, b, x, c, 5\.csv$/,
    )
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
