import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { main } from '../../src/cli/main.ts'
import { loadConfig } from '../../src/config/load.ts'
import { standIn } from '../cli/stand-in.ts'
import { describeModels } from '../shared.ts'
import { temporaryFolder } from '../temporary.ts'
import { COMMIT, fakeHub } from './fake-hub.ts'

const DOCUMENTS = ['Salt is raked from pans.', 'The ferry crosses the strait.', 'Eels are smoked over alder.']
const lines = (items: readonly unknown[]) =>
  gzipSync(items.map((item) => `${JSON.stringify(item)}\n`).join(''))
const CARD = `---\nconfigs:\n${['de', 'en'].flatMap((part) => ['corpus', 'queries', 'qrels'].map((kind) => `- {config_name: ${part}-${kind}, data_files: [{split: test, path: ${part}-${kind}/test.jsonl}]}\n`)).join('')}---\n`
const REPOSITORIES = {
  'datasets/BeIR/scifact': {
    files: {
      'corpus.jsonl.gz': lines(DOCUMENTS.map((text, i) => ({ _id: `d${i}`, title: '', text, metadata: {} }))),
      'queries.jsonl.gz': lines(DOCUMENTS.map((text, i) => ({ _id: `q${i}`, text, metadata: {} }))),
    },
  },
  'datasets/BeIR/scifact-qrels': {
    files: {
      'test.tsv': 'query-id\tcorpus-id\tscore\nq0\td0\t1\nq1\td1\t1\n',
      'dev.tsv': 'query-id\tcorpus-id\tscore\nq2\td2\t1\n',
    },
  },
  'datasets/owner/set': {
    files: Object.fromEntries(
      ['de', 'en'].flatMap((part) => [
        ['README.md', CARD],
        [`${part}-corpus/test.jsonl`, '{"_id": "d", "title": "", "text": "Salz"}\n'],
        [`${part}-queries/test.jsonl`, '{"_id": "q", "text": "Salz"}\n'],
        [`${part}-qrels/test.jsonl`, '{"query-id": "q", "corpus-id": "d", "score": 1}\n'],
      ]),
    ),
  },
  'models/owner/tiny': {
    commits: { main: COMMIT, v2: 'b'.repeat(40) },
    files: {
      'config.json': '{"model_type": "bert"}',
      'tokenizer.json': '{}',
      'onnx/model_quantized.onnx': 'weights',
      'onnx/model.onnx': 'more',
    },
  },
}

async function setUp(files: Record<string, string> = {}) {
  const { endpoint, asked } = await fakeHub(REPOSITORIES)
  const folder = temporaryFolder(files)
  const env = { HF_ENDPOINT: endpoint, TOUCHSTONE_CACHE: join(folder, 'cache') }
  const call = async (...argv: string[]) => {
    const terminal = standIn({ folder, env })
    return { code: await main(argv, terminal), out: terminal.stdout(), err: terminal.stderr() }
  }
  return { folder, env, call, asked }
}

test('a dataset by its name: size first, once, with commits and hashes in the manifest', async () => {
  const config = 'name: a\ndataset: beir/scifact\ntrials: [bm25]\nmeasures: [recall@1]\n'
  const { folder, call, asked } = await setUp({ 'a.yaml': config })
  const ran = await call('run', 'a.yaml', '--workers', '1')
  expect([ran.code, ran.err]).toEqual([
    0,
    expect.stringMatching(/^downloading beir\/scifact: 4 files, 1 kB, from http:\S+ to \S+\/scifact\n/),
  ])
  const read = (file: string) => JSON.parse(readFileSync(join(folder, 'experiments/a', file), 'utf8'))
  expect(read('summary.json').datasets).toMatchObject([{ name: 'scifact', documents: 3, queries: 2 }])
  expect(read('manifest.json').downloads).toEqual([
    {
      name: 'beir/scifact',
      sources: [
        { repo: 'BeIR/scifact', commit: COMMIT },
        { repo: 'BeIR/scifact-qrels', commit: COMMIT },
      ],
      files: {
        'corpus.jsonl.gz': expect.stringMatching(/^[0-9a-f]{64}$/),
        'queries.jsonl.gz': expect.any(String),
        'qrels/test.tsv': expect.stringMatching(/^[0-9a-f]{64}$/),
        'qrels/dev.tsv': expect.any(String),
      },
    },
  ])
  expect(readFileSync(join(folder, 'reports/a.html'), 'utf8')).toContain(`BeIR/scifact-qrels@${COMMIT}`)

  // Another split is the same download; so are `check` and `import` of the name.
  const count = asked.length
  const dev = await call('check', 'a.yaml', '--set', 'dataset={beir: {path: beir/scifact, split: dev}}')
  expect([dev.code, dev.err]).toEqual([0, ''])
  expect(await call('check', 'a.yaml', '--set', 'dataset={beir: {path: beir/scifact, split: dev}}')).toEqual(
    dev,
  )
  expect((await call('check', 'beir/scifact')).out).toContain('scifact: 3 documents, 2 queries')
  expect((await call('import', 'beir/scifact', '-o', 'mine')).code).toBe(0)
  expect(asked.length).toBe(count)
})

test('a dataset of the hub by its name opens in the format that its files have', async () => {
  const { folder, call } = await setUp({
    'a.yaml': "dataset: {hf: {path: 'hf:owner/set', config: de}}\ntrials: [bm25]\nmeasures: [recall@1]\n",
  })
  const checked = await call('check', 'hf:owner/set#de')
  expect([checked.code, checked.out]).toEqual([0, expect.stringContaining('set: 1 documents, 1 queries')])
  expect(await call('run', 'a.yaml', '--workers', '1')).toMatchObject({ code: 0 })
  const manifest = JSON.parse(readFileSync(join(folder, 'experiments/a/manifest.json'), 'utf8'))
  expect(manifest.downloads[0].name).toBe(`hf:owner/set@${COMMIT}#de`)
  expect((await call('check', 'hf:owner/set')).err).toMatch(
    /has 6 configurations; name one, as `hf:owner\/set#de-corpus`/,
  )
})

describeModels('models', () => {
  test('a model by its name, in any place of a config, is its folder', async () => {
    const config = `dataset: data
prepare:
  embedder:
    grid:
      short: hf:owner/tiny
      long: {transformers: {model: owner/tiny@v2, dtype: fp32, pooling: cls}}
  graphEmbedder: hf:owner/tiny@v2
rerankers:
  cross: {transformers: {model: 'hf:owner/tiny@v2'}}
trials: [naive, {naive: {}, name: again, after: [{rerank: {by: cross}}]}]
`
    const { folder, env } = await setUp({
      'a.yaml': config,
      'data/corpus.jsonl': '{"_id": "a", "text": "b"}\n',
    })
    const loaded = await loadConfig('a.yaml', { set: [], env, folder }).catch((error) => error)
    expect(loaded.message ?? '').toBe('')
    const at = (commit: string) => join(folder, 'cache/models/owner/tiny', commit, 'tiny')
    const params = loaded.recipes.map(({ embedder }: { embedder: { params: object } }) => embedder.params)
    expect(params).toMatchObject([
      { model: at(COMMIT), dtype: 'q8', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
      { model: at('b'.repeat(40)), dtype: 'fp32', pooling: 'cls' },
    ])
    expect(loaded.recipes[0].graphEmbedder.params.model).toBe(at('b'.repeat(40)))
    expect(loaded.rerankers.cross.params.model).toBe(at('b'.repeat(40)))
    expect(loaded.downloads.map(({ name }: { name: string }) => name)).toEqual([
      `hf:owner/tiny@${COMMIT}`,
      `hf:owner/tiny@${'b'.repeat(40)}`,
      `hf:owner/tiny@${'b'.repeat(40)}`,
    ])
    expect(JSON.stringify(loaded.downloads)).not.toContain(folder)
  })
})
