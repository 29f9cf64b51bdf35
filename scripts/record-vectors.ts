import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { loadConfig } from '../src/config/load.ts'
import { openExperiment } from '../src/experiment/plan/open.ts'
import transformersEmbedder from '../src/models/embedders/transformers.ts'
import { textsToEmbed } from './recording/texts.ts'
import { writeRecording } from './recording/write.ts'

/**
 * Records a real embedder's vectors of every text that a config's trials embed, so that they can be replayed where the
 * model is not: `npm run record -- --model FOLDER --date 2026-11-22`. `--config` and `--out` name another config and
 * file than the quickstart's.
 */
const { values } = parseArgs({
  options: {
    model: { type: 'string' },
    date: { type: 'string' },
    config: { type: 'string', default: 'configs/quickstart.yaml' },
    out: { type: 'string', default: 'datasets/quickstart/all-MiniLM-L6-v2.parquet' },
  },
})
const { model, date, config, out } = values
if (model === undefined || date === undefined || !/^\d{4}-\d\d-\d\d$/.test(date)) {
  console.error(
    'npm run record -- --model FOLDER --date YYYY-MM-DD [--config FILE] [--out FILE]: an ONNX model and the day of recording',
  )
  process.exit(2)
}

const store = mkdtempSync(join(tmpdir(), 'recording-'))
try {
  const set = ['prepare.embedder=lsa']
  const experiment = await loadConfig(config, { set, env: process.env, folder: process.cwd() })
  const texts = await textsToEmbed(await openExperiment(experiment, store))
  const params = transformersEmbedder.params.parse({ model: resolve(model), workers: 1 })
  const artifact = transformersEmbedder.make(params).artifact({
    terms() {
      throw new Error('a pretrained model is fitted on nothing')
    },
  })
  const embedder = await artifact.open('', {})
  const vectors = await embedder.embed(texts, (done, total) => {
    if (process.stderr.isTTY) process.stderr.write(`\r${done} of ${total} texts`)
  })
  writeRecording(out, {
    model: `${basename(model)} (int8)`,
    modelSha256: createHash('sha256')
      .update(readFileSync(join(model, 'onnx', 'model_quantized.onnx')))
      .digest('hex'),
    date,
    texts,
    vectors,
    dims: embedder.dims,
    dtype: 'int8',
  })
  console.log(`${out}: ${texts.length} texts, ${statSync(out).size} bytes`)
} finally {
  rmSync(store, { recursive: true, force: true })
}
