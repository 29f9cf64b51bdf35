import { createHash, randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openHub } from '../../src/hub/open.ts'
import { temporaryName } from '../../src/store/write.ts'
import { fakeClock } from '../models/fake-server.ts'
import { temporaryFolder } from '../temporary.ts'
import { COMMIT, type FakeRepository, type Fault, fakeHub } from './fake-hub.ts'

const WEIGHTS = randomBytes(300_000)
const MODEL: FakeRepository = {
  files: {
    'README.md': '# A model',
    'config.json': '{"model_type": "bert"}',
    'tokenizer.json': '{}',
    '1_Pooling/config.json': '{"pooling_mode_mean_tokens": true}',
    'onnx/model.onnx': randomBytes(1000),
    'onnx/model_quantized.onnx': WEIGHTS,
  },
}
const NAME = { repo: 'owner/tiny-model', revision: 'main' }

async function setUp(
  repository: FakeRepository | null = MODEL,
  options: { token?: string; fault?: Fault; idle?: number } = {},
) {
  const hub = await fakeHub(repository ? { 'models/owner/tiny-model': repository } : {}, options)
  const root = temporaryFolder()
  const notices: string[] = []
  const clock = fakeClock()
  const open = (env: Record<string, string> = {}, readAll = false) =>
    openHub({
      env: { HF_ENDPOINT: hub.endpoint, TOUCHSTONE_CACHE: root, ...env },
      notice: (line) => notices.push(line),
      progress() {},
      clock,
      readAll,
      ...(options.idle !== undefined && { idle: options.idle }),
    })
  const get = (env: Record<string, string> = {}) => open(env).model(NAME, ['q8'])
  return { ...hub, root, notices, clock, open, get }
}

const weights = ({ folder }: { folder: string }) => readFileSync(join(folder, 'onnx/model_quantized.onnx'))

describe('a model', () => {
  test('is downloaded once: what its precision needs, at a commit, by hash; then no network is asked', async () => {
    const { open, get, asked, notices, root } = await setUp()
    const first = await get()
    expect(first.folder).toBe(join(root, 'models/owner/tiny-model', COMMIT, 'tiny-model'))
    expect(weights(first).equals(WEIGHTS)).toBe(true)
    expect(Object.keys(first.files).sort()).toEqual([
      '1_Pooling/config.json',
      'config.json',
      'onnx/model_quantized.onnx',
      'tokenizer.json',
    ])
    const sha256 = (content: Buffer | string) => createHash('sha256').update(content).digest('hex')
    expect(first.files).toMatchObject({
      'onnx/model_quantized.onnx': sha256(WEIGHTS),
      'tokenizer.json': sha256('{}'),
    })
    expect([first.name, first.sources]).toEqual([
      `hf:owner/tiny-model@${COMMIT}`,
      [{ repo: 'owner/tiny-model', commit: COMMIT }],
    ])
    expect(notices).toEqual([
      expect.stringMatching(/^downloading hf:owner\/tiny-model: 4 files, 301 kB, from http:\S+ to \/\S+$/),
    ])
    const count = asked.length
    const offline = { HF_HUB_OFFLINE: '1' }
    expect(await get(offline)).toEqual(first)
    expect(await open(offline).model({ ...NAME, revision: COMMIT }, ['q8'])).toEqual(first)
    // Another precision is the missing file alone.
    await open().model(NAME, ['fp32'])
    expect(asked.slice(count).map(({ host }) => host)).toEqual(['hub', 'cdn'])
  })

  test('that was altered is refused: a small file always, a large one where all files are read', async () => {
    const { open, get } = await setUp()
    const { folder } = await get()
    for (const [file, readAll] of [
      ['config.json', false],
      ['onnx/model_quantized.onnx', true],
    ] as const) {
      const path = join(folder, file)
      const whole = readFileSync(path)
      const flipped = Buffer.from(whole)
      flipped[whole.length >> 1] ^= 1
      writeFileSync(path, flipped)
      await expect(open({}, readAll).model(NAME, ['q8'])).rejects.toThrow(
        `${file}: was altered; delete it, and it is downloaded again`,
      )
      writeFileSync(path, whole)
    }
    await open({}, true).model(NAME, ['q8'])
  })

  test('sends the token to the hub and to no other host, and writes it nowhere', async () => {
    const token = 'hf_secretSECRET123'
    const { get, asked, root, notices } = await setUp({ ...MODEL, gated: true }, { token })
    const { files } = await get({ HF_TOKEN: token })
    for (const { host, authorization } of asked)
      expect(authorization).toBe(host === 'hub' ? `Bearer ${token}` : undefined)
    expect(asked.some(({ host }) => host === 'cdn')).toBe(true)
    expect(notices.join() + JSON.stringify(files)).not.toContain(token)
    const written = readdirSync(root, { recursive: true, encoding: 'utf8' })
    for (const file of written.filter((file) => file.endsWith('.json')))
      expect(readFileSync(join(root, file), 'utf8') + file).not.toContain(token)
  })

  test.each([
    ['wrong', { HF_TOKEN: 'hf_other' }, /HF_TOKEN/],
    ['not ASCII', { HF_TOKEN: 'hf_ü' }, /not ASCII/],
    ['unencrypted', { HF_TOKEN: 'hf_x', HF_ENDPOINT: 'http://example.org' }, /without encryption/],
  ])('is refused with a token that is %s, which no message shows', async (_, env, reason) => {
    const { get } = await setUp({ ...MODEL, gated: true }, { token: 'hf_right' })
    const error = await (async () => get(env))().catch((error) => error)
    expect(error.message).toMatch(reason)
    expect(error.message).not.toContain(env.HF_TOKEN)
  })

  test.each(['/a', 'a//b', 'a/', './a', 'a/../b', 'a.', 'a /b', 'a\\b', 'a:b', 'a*', 'a\u0001'])(
    'with the path %j is refused',
    async (path) => {
      const { get } = await setUp({ files: { ...MODEL.files, [path]: '{}' } })
      await expect(get()).rejects.toThrow('names a file with a path that is refused')
    },
  )
})

describe('a download', () => {
  const cut = (response: Parameters<Fault>[1], content: Buffer, from: number, to: number, status = 200) => {
    const range = { 'content-range': `bytes ${from}-${content.length - 1}/${content.length}` }
    response.writeHead(status, {
      'content-length': String(content.length - from),
      ...(status === 206 && range),
    })
    response.write(content.subarray(from, to), () => response.destroy())
    return true
  }

  test('that breaks off goes on by a range, also where a server ignores ranges once', async () => {
    let times = 0
    const { get, asked } = await setUp(MODEL, {
      fault({ host, range }, response, content) {
        if (host !== 'cdn' || !content) return false
        times++
        const from = Number(/\d+/.exec(range ?? '')?.[0] ?? 0)
        if (times === 1) return cut(response, content, 0, 100_000)
        if (times === 2) return cut(response, content, from, from + 50_000, 206)
        // The whole file in answer to a range.
        return times === 3 ? cut(response, content, 0, 200_000) : false
      },
    })
    expect(weights(await get()).equals(WEIGHTS)).toBe(true)
    const starts = asked.flatMap(({ host, range }) =>
      host === 'cdn' ? [Number(/\d+/.exec(range ?? '')?.[0] ?? 0)] : [],
    )
    expect(starts).toHaveLength(4)
    expect(starts[1]).toBeGreaterThan(0)
    expect(starts[2]).toBeGreaterThan(starts[1])
  })

  test('goes on from what a killed process left, and begins anew where that is damaged', async () => {
    for (const damaged of [false, true]) {
      const { open, get, asked, root } = await setUp()
      const target = join(root, 'models/owner/tiny-model', COMMIT, 'tiny-model/onnx/model_quantized.onnx')
      await open().model(NAME, ['fp32'])
      // As a process that is not there any more names its part: its number with another start.
      const dead = temporaryName(target).replace(/-\d+(\.\d+)?-/, `-${process.pid}.1-`)
      const left = Buffer.from(WEIGHTS.subarray(0, 120_000))
      if (damaged) left[5] ^= 1
      writeFileSync(dead, left)
      expect(weights(await get()).equals(WEIGHTS)).toBe(true)
      const ranges = asked.flatMap(({ host, range }) => (host === 'cdn' ? [range] : [])).slice(1)
      expect(ranges).toEqual(damaged ? ['bytes=120000-', undefined] : ['bytes=120000-'])
      expect(readdirSync(dirname(target)).sort()).toEqual(['model.onnx', 'model_quantized.onnx'])
    }
  })

  test('waits where a busy server asks for it, and gives up after five attempts', async () => {
    const statuses = [429, 503, 500]
    const { get, clock } = await setUp(MODEL, {
      fault({ url }, response) {
        const status = url.includes('/revision/') ? statuses.shift() : undefined
        if (status === undefined) return false
        response.writeHead(status, { 'retry-after': '7' }).end('busy')
        return true
      },
    })
    expect(weights(await get()).equals(WEIGHTS)).toBe(true)
    expect(clock.waits).toEqual([7000, 7000, 7000])
    const busy = await setUp(MODEL, { fault: (_, response) => !!response.writeHead(503).end('busy\n now') })
    await expect(busy.get()).rejects.toThrow('no answer in 5 attempts; the last: 503 busy now')
    expect(busy.clock.waits).toEqual([500, 1000, 2000, 4000])
  })

  test.each<[string, (content: Buffer) => Buffer | string, string]>([
    ['another content', (content) => randomBytes(content.length), 'than the repository says'],
    ['more', (content) => Buffer.concat([content, content]), 'sends more than the 300000 bytes'],
    ['half of it, each time', () => 'version https://git-lfs', 'ended after 23 of 300000 bytes'],
  ])('of %s is refused', async (_, sent, message) => {
    const { get, root } = await setUp(MODEL, {
      fault: ({ host }, response, content) => host === 'cdn' && !!content && !!response.end(sent(content)),
    })
    await expect(get()).rejects.toThrow(message)
    const names = readdirSync(root, { recursive: true, encoding: 'utf8' })
    expect(names.filter((name) => name.endsWith('model_quantized.onnx'))).toEqual([])
  })

  test('from a server of another kind is refused, without the token in the message', async () => {
    const { get } = await setUp(MODEL, { fault: (_, response) => !!response.end('<html> hf_secret') })
    await expect(get({ HF_TOKEN: 'hf_secret' })).rejects.toThrow('is no answer of a hub but "<html> ***"')
  })
})
