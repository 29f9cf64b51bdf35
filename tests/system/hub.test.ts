import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { start, until } from '../experiment/killing.ts'
import { COMMIT, type Fault, fakeHub } from '../hub/fake-hub.ts'
import { temporaryFolder } from '../temporary.ts'

const WEIGHTS = randomBytes(3_000_000)
const MODEL = {
  'models/owner/tiny': {
    files: { 'config.json': '{}', 'tokenizer.json': '{}', 'onnx/model_quantized.onnx': WEIGHTS },
  },
}

async function setUp(fault: Fault) {
  const hub = await fakeHub(MODEL, { fault })
  const cache = temporaryFolder({
    'a.yaml': 'dataset: data\nprepare: {embedder: "hf:owner/tiny"}\ntrials: [naive]\n',
    'data/corpus.jsonl': '{"_id": "a", "text": "b"}\n',
  })
  const begin = () =>
    start(cache, ['prepare', 'a.yaml'], { HF_ENDPOINT: hub.endpoint, TOUCHSTONE_CACHE: cache })
  const onnx = join(cache, 'models/owner/tiny', COMMIT, 'tiny/onnx')
  const partial = () =>
    existsSync(onnx)
      ? readdirSync(onnx).reduce(
          (sum, file) => sum + (statSync(join(onnx, file), { throwIfNoEntry: false })?.size ?? 0),
          0,
        )
      : 0
  const whole = () => readFileSync(join(onnx, 'model_quantized.onnx')).equals(WEIGHTS)
  return { ...hub, begin, onnx, partial, whole }
}

test('a download that a kill ends goes on with the same command', async () => {
  let holds = true
  const { asked, begin, onnx, partial, whole } = await setUp(({ host }, response, content) => {
    if (host !== 'cdn' || !content || !holds) return false
    // Half of the file, and then nothing.
    response
      .writeHead(200, { 'content-length': String(content.length) })
      .write(content.subarray(0, 1_500_000))
    return true
  })
  const first = begin()
  await until(() => partial() === 1_500_000, 'half of the file')
  first.process.kill('SIGKILL')
  await first.ended
  expect(partial()).toBe(1_500_000)
  holds = false
  await begin().ended
  expect(asked.filter(({ host }) => host === 'cdn').map(({ range }) => range)).toEqual([
    undefined,
    'bytes=1500000-',
  ])
  expect(whole()).toBe(true)
  expect(readdirSync(onnx)).toEqual(['model_quantized.onnx'])
})
