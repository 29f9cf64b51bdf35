import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { main } from '../../src/cli/main.ts'
import { standIn } from '../cli/stand-in.ts'
import { describeModels } from '../shared.ts'
import { temporaryFolder } from '../temporary.ts'
import { COMMIT, fakeHub } from './fake-hub.ts'

const FILES = { 'config.json': '{}', 'tokenizer.json': '{}', 'onnx/model_quantized.onnx': 'weights' }
const MODELS = {
  'models/owner/tiny': { files: FILES },
  'models/Xenova/bge-small-en-v1.5': { files: FILES },
  'models/Xenova/multilingual-e5-small': { files: FILES },
}

async function setUp(files: Record<string, string> = {}) {
  const { endpoint, asked } = await fakeHub(MODELS)
  const folder = temporaryFolder(files)
  const init = async (words: readonly string[], typed?: string, env = {}) => {
    const cache = { HF_ENDPOINT: endpoint, TOUCHSTONE_CACHE: join(folder, 'cache'), ...env }
    const terminal = standIn({ folder, env: cache, ...(typed !== undefined && { typed }) })
    const code = await main(['init', ...words], terminal)
    const config = join(folder, words[0], 'touchstone.yaml')
    const text = existsSync(config) ? readFileSync(config, 'utf8') : ''
    const [, embedder] = /^ {2}embedder: (.*?)(?: #.*)?$/m.exec(text) ?? []
    return { code, out: terminal.stdout(), err: terminal.stderr(), embedder }
  }
  return { asked, init, folder }
}

describeModels('init with a model', () => {
  test('init downloads what the user agrees to, pins it, and takes it by itself the next time', async () => {
    const { init } = await setUp()
    const pinned = `hf:Xenova/bge-small-en-v1.5@${COMMIT}`
    const yes = await init(['a'], 'y')
    expect(yes.err).toContain('downloading hf:Xenova/bge-small-en-v1.5: 3 files, 1 kB')
    expect(yes.embedder).toBe(pinned)
    expect(await init(['b'])).toMatchObject({
      embedder: pinned,
      out: expect.stringContaining('which has been downloaded before'),
    })
    expect(await init(['c', '--embedder', 'lsa'])).toMatchObject({ embedder: 'lsa', err: '' })
  })

  test('init takes the model that --embedder names: a folder, a name on the hub', async () => {
    const model = Object.fromEntries(
      Object.entries(FILES).map(([file, text]) => [`models/mine/${file}`, text]),
    )
    const { init } = await setUp(model)
    expect((await init(['a', '--embedder', 'models/mine'])).embedder).toBe(
      '{ transformers: { model: "../models/mine" } }',
    )
    expect((await init(['.', '--embedder', './models/mine'])).embedder).toBe(
      '{ transformers: { model: "./models/mine" } }',
    )
    expect((await init(['b', '--embedder', 'hf:owner/tiny'])).embedder).toBe(`hf:owner/tiny@${COMMIT}`)
    const refused = async (model: string) => {
      const { code, err, embedder } = await init(['c', '--embedder', model])
      expect([code, embedder]).toEqual([2, undefined])
      return err
    }
    expect(await refused('./absent')).toContain('--embedder ./absent: there is no such folder')
    expect(await refused('models')).toContain('is not a model folder for dtype q8: it lacks config.json')
    expect(await refused('hf:owner/absent')).toContain('is not on the hub, or it is private')
  })
})
