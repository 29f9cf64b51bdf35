import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { mongoexportExtractor } from '../../src/corpus/graph/extractors/mongoexport.ts'
import { detectFormat, loadDataset } from '../../src/dataset/load.ts'
import { readQrels } from '../../src/runs/read.ts'
import { temporaryFolder } from '../temporary.ts'

const lines = (...items: unknown[]) => items.map((item) => `${JSON.stringify(item)}\n`).join('')
type Files = Record<string, string | Uint8Array>

const BEIR: Files = {
  'corpus.jsonl': lines({ _id: 'd1', text: 'Lomm lies at Orr.' }, { _id: 'd2', text: 'Tarn lies inland.' }),
  'queries.jsonl': lines({ _id: 'q1', text: 'Where does Lomm lie?' }),
  'qrels/test.tsv': 'q1\td1\t1\n',
}
const IR: Files = {
  'docs.jsonl': lines({ doc_id: 'd1', text: 'Lomm lies at Orr.' }),
  'queries.jsonl': lines({ query_id: 'q1', text: 'Where?' }),
  qrels: 'q1 0 d1 1\n',
}
const MSMARCO: Files = {
  'collection.tsv': '0\tLomm lies at Orr.\n1\tTarn lies inland.\n',
  'queries.dev.tsv': '7\tWhere?\n',
  'qrels.dev.tsv': '7\t0\t0\t1\n',
}
const MONGO: Files = {
  'enriched_chunks.json': lines({ chunk_id: 'c1', text: 'Lomm lies at Orr.' }),
  'questions.json': lines({ query_id: 'q1', query: 'Where?', expected_chunk_ids: ['c1'] }),
}
const BENCH: Files = {
  'novel_questions.json': JSON.stringify([
    {
      id: 'n1',
      source: 'Novel-1',
      question: 'Where?',
      answer: 'Orr',
      evidence: 'Lomm lies at Orr.',
      question_type: 'Fact Retrieval',
    },
  ]),
  'novel.json': JSON.stringify([{ corpus_name: 'Novel-1', context: 'Lomm lies at Orr.' }]),
}
const OPENIE = lines({
  docs: [{ idx: 'c1', passage: 'Lomm\nLomm lies at Orr.', extracted_entities: [], extracted_triples: [] }],
})

const load = (files: Files, name: string, params = {}) =>
  loadDataset({ name, params: { path: '.', ...params } }, temporaryFolder(files))

/** Second files for a role of a folder that is right without them. */
const SECOND: readonly [
  format: string,
  files: Files,
  second: string,
  content: string | Uint8Array,
  params?: object,
][] = [
  ['beir', BEIR, 'corpus.jsonl.gz', gzipSync(lines({ _id: 'd9', text: 'Vesk.' }))],
  ['beir', BEIR, 'queries.jsonl.gz', gzipSync(lines({ _id: 'q1', text: 'Where lies Tarn?' }))],
  ['beir', BEIR, 'qrels/test.tsv.gz', gzipSync('q1\td2\t1\n')],
  ['beir', { ...BEIR, 'qrels/train.tsv': 'q1\td1\t1\n' }, 'qrels/train.tsv.gz', gzipSync('q1\td2\t1\n')],
  [
    'beir',
    { ...BEIR, 'qrels/spans.tsv': 'q1\td1\t0\t4\n' },
    'qrels/spans.tsv.gz',
    gzipSync('q1\td2\t0\t4\n'),
  ],
  ['beir', BEIR, 'corpus.jsonl.gz', 'no gzip'],
  ['ir-datasets', IR, 'docs.jsonl.gz', gzipSync('')],
  ['ir-datasets', IR, 'docs.tsv', 'd1\tTarn lies inland.\n'],
  ['ir-datasets', IR, 'queries.tsv', 'q1\tWho?\n'],
  ['ir-datasets', IR, 'qrels.txt', 'q1 0 d1 0\n'],
  ['msmarco', MSMARCO, 'collection.tsv.gz', gzipSync('0\tVesk\n1\tTarn\n')],
  ['msmarco', MSMARCO, 'queries.dev.tsv.gz', gzipSync('7\tWho?\n')],
  ['msmarco', MSMARCO, 'qrels.dev.tsv.gz', gzipSync('7\t0\t1\t1\n'), { split: 'dev' }],
  ['msmarco', MSMARCO, 'msmarco-docdev-qrels.tsv', '7\t0\t1\t1\n', { split: 'dev' }],
  ['mongoexport', MONGO, 'enriched_chunks.jsonl', lines({ chunk_id: 'c2', text: 'Tarn.' })],
  ['mongoexport', MONGO, 'questions.json.gz', gzipSync(lines({ query_id: 'q2', query: 'Who?' }))],
  ['graphrag-bench', BENCH, 'novel.jsonl', lines({ corpus_name: 'Novel-1', context: 'Tarn.' })],
  ['hipporag', { 'openie_results_ner_a.json': OPENIE }, 'openie_results_ner_b.json', OPENIE],
]

describe('two files for one role are refused', () => {
  test.each(SECOND)('%s: %#', async (format, files, second, content, params = {}) => {
    await load(files, format, params)
    const names = Object.keys(files).map((name) => name.replaceAll('.', '\\.'))
    await expect(load({ ...files, [second]: content }, format, params)).rejects.toThrow(
      new RegExp(
        `(?:${[...names, second].join('|')}): has the same role as (?:${[...names, second].join('|')}); move one of them`,
      ),
    )
  })

  test('a file and its own .gz are one', async () => {
    for (const name of Object.keys(BEIR)) {
      const copy = { ...BEIR, [`${name}.gz`]: gzipSync(BEIR[name]) }
      expect((await load(copy, 'beir')).hash).toBe((await load(BEIR, 'beir')).hash)
    }
    const { documents } = await load(
      { ...MSMARCO, 'collection.tsv.gz': gzipSync(MSMARCO['collection.tsv']) },
      'msmarco',
    )
    expect(documents).toHaveLength(2)
  })

  test('a file of Parquet next to that of JSON is the same text of GraphRAG-Bench', async () => {
    const { documents } = await load({ ...BENCH, 'novel.parquet': 'not read' }, 'graphrag-bench')
    expect(documents.map(({ text }) => text)).toEqual(['Lomm lies at Orr.'])
  })

  test('the format is found all the same, and the message names both files', async () => {
    const folder = temporaryFolder({
      ...MONGO,
      'enriched_chunks.jsonl': lines({ chunk_id: 'c2', text: 'x' }),
    })
    expect(detectFormat(folder)).toBe('mongoexport')
    const error = await loadDataset({ name: 'mongoexport', params: { path: folder } }, folder).catch(
      ({ message }: Error) => message,
    )
    expect(error).toBe(
      `${join(folder, 'enriched_chunks.jsonl')}: has the same role as enriched_chunks.json; move one of them out of the folder`,
    )
  })

  test('edges of a pipeline are not counted twice', () => {
    const edges = lines({ source_id: 'a', target_id: 'b', relation: 'at' })
    const path = temporaryFolder({ 'graph_edges.json': edges, 'graph_edges.jsonl': edges })
    expect(readFileSync(join(path, 'graph_edges.json'), 'utf8')).toBe(edges)
    expect(() => mongoexportExtractor.files?.({ path, where: {} })).toThrow(
      'has the same role as graph_edges.json',
    )
  })
})

test('qrels of a BEIR folder are read plain or packed, and two of them are refused', async () => {
  const packed = temporaryFolder({ 'qrels/test.tsv.gz': gzipSync('q1\td2\t1\n') })
  expect((await readQrels(packed)).value.qrels.get('q1')).toEqual(new Map([['d2', 1]]))
  const both = temporaryFolder({
    'qrels/test.tsv': 'q1\td1\t1\n',
    'qrels/test.tsv.gz': gzipSync('q1\td2\t1\n'),
  })
  await expect(readQrels(both)).rejects.toThrow(
    'test.tsv.gz: has the same role as qrels/test.tsv; move one of them',
  )
})
