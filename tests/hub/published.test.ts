import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { main } from '../../src/cli/main.ts'
import { standIn } from '../cli/stand-in.ts'
import { describeSharedModels, shared } from '../shared.ts'
import { temporaryFolder } from '../temporary.ts'
import { fakeHub } from './fake-hub.ts'

const root = resolve(import.meta.dirname, '../..')

/** Documents whose words no other has; the last question's gold has none of its words. */
const DOCUMENTS = ['Salt is raked from pans.', 'The ferry crosses the strait.', 'Eels are smoked over alder.']
const QUESTIONS = ['raked salt', 'ferry strait', 'pans']
const lines = (texts: readonly string[], id: string) =>
  gzipSync(texts.map((text, i) => `${JSON.stringify({ _id: `${id}${i}`, title: '', text })}\n`).join(''))
const SET = {
  'datasets/BeIR/scifact': {
    files: { 'corpus.jsonl.gz': lines(DOCUMENTS, 'd'), 'queries.jsonl.gz': lines(QUESTIONS, 'q') },
  },
  'datasets/BeIR/scifact-qrels': {
    files: {
      'test.tsv': `query-id\tcorpus-id\tscore\n${[0, 1, 2].map((i) => `q${i}\td${i}\t1\n`).join('')}`,
    },
  },
}

async function setUp(repositories: Parameters<typeof fakeHub>[0]) {
  const { endpoint } = await fakeHub(repositories)
  const folder = temporaryFolder()
  const env = { HF_ENDPOINT: endpoint, TOUCHSTONE_CACHE: join(folder, 'cache') }
  return async (config: string, expected: string) => {
    const call = async (...words: string[]) => {
      const terminal = standIn({ folder: root, env })
      return { code: await main(words, terminal), out: terminal.stdout(), err: terminal.stderr() }
    }
    const out = join(folder, config)
    const store = ['--store', join(folder, 'store'), '--report', join(folder, `${config}.html`)]
    const ran = await call('run', `configs/published/${config}.yaml`, '-o', out, ...store, '--workers', '1')
    expect(ran.code, ran.err).toBe(0)
    return call('gate', out, '--expected', `configs/published/expected/${expected}.json`)
  }
}

// Two of three questions score 1: .667 is within 2 points of both printed values, .6789 and .6647.
test('a set of BEIR by name is run and judged by the printed values', async () => {
  const judge = await setUp(SET)
  expect(await judge('beir-bm25', 'scifact-bm25')).toMatchObject({ code: 0 })
})

describeSharedModels('models', () => {
  test('a set of BEIR by name with three models, all of which are MiniLM here, is judged', async () => {
    const folder = shared('models', 'all-MiniLM-L6-v2')
    const weights = readFileSync(join(folder, 'onnx', 'model_quantized.onnx'))
    const texts = readdirSync(folder).filter((file) => file.endsWith('.json'))
    const files = Object.fromEntries(texts.map((file) => [file, readFileSync(join(folder, file), 'utf8')]))
    const names = ['all-MiniLM-L6-v2', 'bge-small-en-v1.5', 'bge-base-en-v1.5']
    // A line end more makes another model: equal ones would be one row.
    const models = Object.fromEntries(
      names.map((name, i) => [
        `models/Xenova/${name}`,
        {
          files: {
            ...files,
            'config.json': files['config.json'] + '\n'.repeat(i),
            'onnx/model.onnx': weights,
          },
        },
      ]),
    )
    const judge = await setUp({ ...SET, ...models })
    const judged = await judge('beir-dense', 'scifact-dense')
    expect(judged.code, judged.err).toBe(3)
    for (const row of ['MiniLM', 'bge-small', 'bge-base'])
      expect(judged.out + judged.err).toContain(`naive embedder=${row}`)
  })
})
