// CPU time of a cross-encoder of MiniLM's size for 20 passages: an embedding model with an untrained head, since its time does not
// depend on the weights of the head. npx tsx scripts/cross-encoder/time.ts path/to/all-MiniLM-L6-v2 path/to/dataset
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createRetriever } from '../../src/library/create-retriever.ts'
import { withHead } from '../../tests/fixtures/onnx.ts'

const QUERIES = 8
const [source, dataset] = process.argv.slice(2).map((path) => resolve(path))
if (dataset === undefined) throw new Error('name the folder of a model, and a dataset in BEIR form')

const folder = mkdtempSync(join(tmpdir(), 'touchstone-cross-encoder-'))
try {
  writeModel(join(folder, 'model'))
  const config = join(folder, 'a.yaml')
  writeFileSync(
    config,
    `dataset: ${JSON.stringify(dataset)}
rerankers: {cross: {transformers: {model: model}}}
trials: [bm25, {name: cross, bm25: {}, after: [{rerank: {by: cross, top: 20, keep: 5}}]}]
`,
  )
  const questions = readFileSync(join(dataset, 'queries.jsonl'), 'utf8').trim().split('\n')
  const texts = questions.slice(0, QUERIES + 1).map((line) => JSON.parse(line).text as string)
  for (const trial of ['bm25', 'cross']) {
    const retriever = await createRetriever(config, { trial })
    const times: number[] = []
    for (const text of texts) {
      const before = process.cpuUsage()
      await retriever.retrieve(text)
      const { user, system } = process.cpuUsage(before)
      times.push((user + system) / 1000)
    }
    await retriever.close()
    // The first query warms up.
    const sorted = times.slice(1).sort((a, b) => a - b)
    const median = (sorted[QUERIES / 2 - 1] + sorted[QUERIES / 2]) / 2
    console.log(
      `${trial}: ${median.toFixed(1)} ms of CPU time a query (median of ${QUERIES}), fastest ${sorted[0].toFixed(1)}`,
    )
  }
} finally {
  rmSync(folder, { recursive: true })
}

/** The model of `source` with a head of ones: the logit is the sum of the first token's numbers, by 1,000. */
function writeModel(to: string): void {
  mkdirSync(join(to, 'onnx'), { recursive: true })
  for (const file of ['tokenizer.json', 'tokenizer_config.json']) cpSync(join(source, file), join(to, file))
  const config = JSON.parse(readFileSync(join(source, 'config.json'), 'utf8'))
  const architectures = ['BertForSequenceClassification']
  writeFileSync(join(to, 'config.json'), JSON.stringify({ ...config, architectures }))
  const dims: number = config.hidden_size
  const head = withHead(readFileSync(join(source, 'onnx/model_quantized.onnx')), {
    nodes: [
      {
        op: 'Gather',
        reads: ['last_hidden_state', 'head_first'],
        gives: 'head_token',
        attributes: { axis: 1 },
      },
      { op: 'MatMul', reads: ['head_token', 'head_weights'], gives: 'logits' },
    ],
    constants: [
      { name: 'head_first', dims: [], values: [0], type: 'int64' },
      { name: 'head_weights', dims: [dims, 1], values: new Array(dims).fill(0.001), type: 'float' },
    ],
    output: { name: 'logits', dims: ['batch', 'labels'] },
  })
  writeFileSync(join(to, 'onnx/model_quantized.onnx'), head)
}
