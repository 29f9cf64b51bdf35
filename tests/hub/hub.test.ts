import { createHash, randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { datasetNameOf, hubNameOf, isRemote } from '../../src/hub/names.ts'
import { openHub } from '../../src/hub/open.ts'
import { type Clock, realClock } from '../../src/models/http/clock.ts'
import { temporaryName } from '../../src/store/write.ts'
import { fakeClock } from '../models/fake-server.ts'
import { temporaryFolder } from '../temporary.ts'
import { COMMIT, type FakeRepository, type Fault, fakeHub } from './fake-hub.ts'

const WEIGHTS = randomBytes(300_000)
const MODEL: FakeRepository = {
  files: {
    '.gitattributes': '*.onnx filter=lfs',
    'README.md': '# A model',
    'config.json': '{"model_type": "bert"}',
    'tokenizer.json': '{}',
    'tokenizer_config.json': '{}',
    '1_Pooling/config.json': '{"pooling_mode_mean_tokens": true}',
    'onnx/model.onnx': randomBytes(1000),
    'onnx/model_quantized.onnx': WEIGHTS,
  },
}
const NAME = { repo: 'owner/tiny-model', revision: 'main' }

async function setUp(
  repositories: Record<string, FakeRepository> = { 'models/owner/tiny-model': MODEL },
  options: { token?: string; fault?: Fault; env?: Record<string, string>; idle?: number } = {},
) {
  const hub = await fakeHub(repositories, options)
  const root = temporaryFolder()
  const notices: string[] = []
  const clock = fakeClock()
  const open = (env: Record<string, string> = {}, own: Clock = clock) =>
    openHub({
      env: { HF_ENDPOINT: hub.endpoint, TOUCHSTONE_CACHE: root, ...options.env, ...env },
      notice: (line) => notices.push(line),
      progress: () => {},
      clock: own,
      ...(options.idle !== undefined && { idle: options.idle }),
    })
  return { ...hub, root, notices, clock, open }
}

const weights = ({ folder }: { folder: string }) => readFileSync(join(folder, 'onnx/model_quantized.onnx'))
const filesBelow = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8', withFileTypes: true })
    .filter((one) => one.isFile())
    .map(({ name }) => name)

describe('a model', () => {
  test('is downloaded once: what its precision needs, at a commit, by hash; then no network is asked', async () => {
    const { open, asked, notices, root } = await setUp()
    const first = await open().model(NAME, ['q8'])
    expect(first.folder).toBe(join(root, 'models/owner/tiny-model', COMMIT, 'tiny-model'))
    expect(weights(first).equals(WEIGHTS)).toBe(true)
    expect(Object.keys(first.files).sort()).toEqual([
      ...['1_Pooling/config.json', 'config.json', 'onnx/model_quantized.onnx', 'tokenizer.json'],
      'tokenizer_config.json',
    ])
    const sha256 = createHash('sha256').update(WEIGHTS).digest('hex')
    expect(first.files['onnx/model_quantized.onnx']).toBe(sha256)
    expect(first.name).toBe(`hf:owner/tiny-model@${COMMIT}`)
    expect(notices).toEqual([
      expect.stringMatching(/^downloading hf:owner\/tiny-model: 5 files, 301 kB, from http:\S+ to \/\S+$/),
    ])
    const count = asked.length
    expect(await open({ HF_ENDPOINT: 'http://127.0.0.1:1' }).model(NAME, ['q8'])).toEqual(first)
    expect(open().cachedModel(NAME, ['q8'])).toBe(first.folder)
    expect(open().cachedModel(NAME, ['fp32'])).toBeUndefined()
    expect(asked.length).toBe(count)
    // A file that was altered in the cache, by SHA-256 or as a git blob, is no longer the repository's.
    for (const file of ['onnx/model_quantized.onnx', 'config.json']) {
      const path = join(first.folder, file)
      const whole = readFileSync(path)
      const flipped = Buffer.from(whole)
      flipped[whole.length >> 1] ^= 1
      writeFileSync(path, flipped)
      await expect(open().model(NAME, ['q8'])).rejects.toThrow(
        `${file}: was altered since it was downloaded; delete it, and it is downloaded again`,
      )
      writeFileSync(path, whole)
    }
    expect(asked.length).toBe(count)
    // Another precision is the missing file alone.
    await open().model(NAME, ['fp32'])
    expect(asked.slice(count).map(({ host }) => host)).toEqual(['hub', 'cdn'])
  })

  test('is hashed again only if a file changed, even if its size and its time are restored', async () => {
    const { open } = await setUp()
    const first = await open().model(NAME, ['q8'])
    const place = join(dirname(first.folder), 'hashes.json')
    // Files that were just written may change again within the same tick of the clock.
    expect(existsSync(place)).toBe(false)
    await setTimeout(2100)
    expect(await open().model(NAME, ['q8'])).toEqual(first)
    const kept = JSON.parse(readFileSync(place, 'utf8'))
    const hashes = Object.entries(kept).map(([path, one]) => [path, (one as { sha256: string }).sha256])
    expect(Object.fromEntries(hashes)).toEqual(first.files)
    // A damaged list is made anew.
    writeFileSync(place, '{"config.json": 1')
    expect(await open().model(NAME, ['q8'])).toEqual(first)
    expect(Object.keys(JSON.parse(readFileSync(place, 'utf8'))).sort()).toEqual(
      Object.keys(first.files).sort(),
    )
    // The second call reads what the first has written, not the files.
    kept['config.json'].sha256 = 'f'.repeat(64)
    writeFileSync(place, JSON.stringify(kept))
    expect((await open().model(NAME, ['q8'])).files).toEqual({
      ...first.files,
      'config.json': 'f'.repeat(64),
    })
    // Another precision keeps the hashes of the files that it shares.
    const both = await open().model(NAME, ['q8', 'fp32'])
    expect(both.files).toMatchObject({ 'config.json': 'f'.repeat(64), 'onnx/model.onnx': expect.any(String) })
    for (const file of ['onnx/model_quantized.onnx', 'config.json']) {
      const path = join(first.folder, file)
      const { atime, mtime } = statSync(path)
      const whole = readFileSync(path)
      const flipped = Buffer.from(whole)
      flipped[whole.length >> 1] ^= 1
      writeFileSync(path, flipped)
      utimesSync(path, atime, mtime)
      await expect(open().model(NAME, ['q8'])).rejects.toThrow(`${file}: was altered since it was downloaded`)
      writeFileSync(path, whole)
    }
  })

  test('is hashed again where all files are read, even if nothing shows a change', async () => {
    const { open, root } = await setUp()
    const { folder } = await open().model(NAME, ['q8'])
    await setTimeout(2100)
    await open().model(NAME, ['q8'])
    // A disk that loses a bit changes neither size nor times: the list has the stamp of the damaged file.
    const place = join(dirname(folder), 'hashes.json')
    const kept = JSON.parse(readFileSync(place, 'utf8'))
    const path = join(folder, 'config.json')
    const flipped = readFileSync(path)
    flipped[5] ^= 1
    writeFileSync(path, flipped)
    const { size, mtimeNs, ctimeNs } = statSync(path, { bigint: true })
    kept['config.json'].stamp = [kept['config.json'].stamp.split(' ')[0], size, mtimeNs, ctimeNs].join(' ')
    writeFileSync(place, JSON.stringify(kept))
    await open().model(NAME, ['q8'])
    const env = { HF_HUB_OFFLINE: '1', TOUCHSTONE_CACHE: root }
    const all = openHub({ env, notice() {}, progress() {}, readAll: true })
    await expect(all.model(NAME, ['q8'])).rejects.toThrow('config.json: was altered since it was downloaded')
  })

  test('pins a revision by its commit, and lists no file twice', async () => {
    const commits = { main: COMMIT, 'refs/pr/1': 'b'.repeat(40) }
    const { open } = await setUp({ 'models/owner/tiny-model': { ...MODEL, commits } })
    const { folder } = await open().model({ ...NAME, revision: 'refs/pr/1' }, ['q8'])
    expect(folder).toContain('b'.repeat(40))
    await expect(open().model({ ...NAME, revision: 'v9' }, ['q8'])).rejects.toThrow(
      /^there is no model `owner\/tiny-model` at the revision `v9`; see http:\S+\/tree\/main for what there is/,
    )
  })

  test('sends the token to the hub and to no other host, and writes it nowhere', async () => {
    const token = 'hf_secretSECRET123'
    const gated = { 'models/owner/tiny-model': { ...MODEL, gated: true } }
    const { open, asked, root, notices } = await setUp(gated, { token })
    const { files } = await open({ HF_TOKEN: token }).model(NAME, ['q8'])
    for (const { host, authorization } of asked)
      expect(authorization).toBe(host === 'hub' ? `Bearer ${token}` : undefined)
    expect(asked.some(({ host }) => host === 'cdn')).toBe(true)
    const written = filesBelow(root).join() + notices.join() + JSON.stringify(files)
    expect(written).not.toContain(token)
    const listed = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('.json'),
    )
    for (const file of listed) expect(readFileSync(join(root, file), 'utf8')).not.toContain(token)
  })

  test.each<[string, Record<string, string>, RegExp]>([
    [
      'none',
      {},
      /^the model `owner\/tiny-model`.* is gated: accept its terms at http:\S+ and put your token into .* HF_TOKEN/,
    ],
    ['wrong', { HF_TOKEN: 'hf_other' }, /may not be read with the token in HF_TOKEN; accept its terms/],
    ['not ASCII', { HF_TOKEN: 'hf_ü' }, /^the token in the environment variable HF_TOKEN holds/],
    [
      'unencrypted',
      { HF_TOKEN: 'hf_x', HF_ENDPOINT: 'http://example.org' },
      /^HF_TOKEN is not sent to http:\/\/example.org without encryption/,
    ],
  ])('that is gated is refused with a token that is %s', async (_, env, message) => {
    const { open } = await setUp(
      { 'models/owner/tiny-model': { ...MODEL, gated: true } },
      { token: 'hf_right' },
    )
    const error = await open(env)
      .model(NAME, ['q8'])
      .catch((error) => error)
    expect(error.message).toMatch(message)
    for (const token of Object.values(env))
      if (token.startsWith('hf_')) expect(error.message).not.toContain(token)
  })

  test.each<[string, Record<string, FakeRepository>, Record<string, string>, RegExp]>([
    [
      'is nowhere',
      {},
      {},
      /^the model `owner\/tiny-model` .*is not on the hub, or it is private: check its name at http:\S+; a private one needs HF_TOKEN/,
    ],
    [
      'has no such weights',
      {
        'models/owner/tiny-model': {
          files: { 'config.json': '{}', 'tokenizer.json': '{}', 'onnx/model.onnx': 'x' },
        },
      },
      {},
      /^the model `owner\/tiny-model` lacks onnx\/model_quantized.onnx: its ONNX files are onnx\/model.onnx; name one by `dtype`$/,
    ],
    [
      'has no ONNX',
      { 'models/owner/tiny-model': { files: { 'config.json': '{}', 'pytorch_model.bin': '' } } },
      {},
      /it has no ONNX files; look for an export, as Xenova\/tiny-model/,
    ],
    [
      'leaves its folder',
      { 'models/owner/tiny-model': { files: { ...MODEL.files, '../../evil.json': '{}' } } },
      {},
      /names a file with a path that is refused: \.\.\/\.\.\/evil\.json/,
    ],
    [
      'is offline',
      {},
      { HF_HUB_OFFLINE: '1' },
      /^HF_HUB_OFFLINE is set, so nothing is downloaded\. Without a network, put config\.json, tokenizer\.json, tokenizer_config\.json, onnx\/model_quantized\.onnx of https:\/\/huggingface\.co\/owner\/tiny-model into a folder .* write its path as `model`$/,
    ],
    [
      'is behind a dead address',
      {},
      { HF_ENDPOINT: 'http://127.0.0.1:1' },
      /no answer in 5 attempts; the last: fetch failed .*Without a network, put config\.json/,
    ],
    [
      'is behind no address',
      {},
      { HF_ENDPOINT: 'ftp://user:pw@x' },
      /^the environment variable HF_ENDPOINT must be an http or https address without a name and a password/,
    ],
    [
      'has a cache at a relative path',
      {},
      { TOUCHSTONE_CACHE: 'here' },
      /^the environment variable TOUCHSTONE_CACHE must be an absolute path, not here/,
    ],
  ])('that %s is a message', async (_, repositories, env, message) => {
    const { open, root } = await setUp(repositories)
    await expect((async () => open(env).model(NAME, ['q8']))()).rejects.toThrow(message)
    expect(filesBelow(root).filter((file) => file.includes('.onnx'))).toEqual([])
  })
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
    const { open, asked } = await setUp(undefined, {
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
    expect(weights(await open().model(NAME, ['q8'])).equals(WEIGHTS)).toBe(true)
    const starts = asked.flatMap(({ host, range }) =>
      host === 'cdn' ? [Number(/\d+/.exec(range ?? '')?.[0] ?? 0)] : [],
    )
    expect(starts).toHaveLength(4)
    expect(starts[0]).toBe(0)
    expect(starts[1]).toBeGreaterThan(0)
    expect(starts[2]).toBeGreaterThan(starts[1])
    expect(starts[3]).toBeGreaterThan(0)
  })

  test('goes on from what a killed process left, and begins anew where that is damaged', async () => {
    for (const damaged of [false, true]) {
      const { open, asked, root } = await setUp()
      const target = join(root, 'models/owner/tiny-model', COMMIT, 'tiny-model/onnx/model_quantized.onnx')
      await open().model(NAME, ['fp32'])
      // As a process that is not there any more names its part: its number with another start.
      const dead = temporaryName(target).replace(/-\d+(\.\d+)?-/, `-${process.pid}.1-`)
      const left = Buffer.from(WEIGHTS.subarray(0, 120_000))
      if (damaged) left[5] ^= 1
      writeFileSync(dead, left)
      expect(weights(await open().model(NAME, ['q8'])).equals(WEIGHTS)).toBe(true)
      const ranges = asked.flatMap(({ host, range }) => (host === 'cdn' ? [range] : [])).slice(1)
      expect(ranges).toEqual(damaged ? ['bytes=120000-', undefined] : ['bytes=120000-'])
      expect(readdirSync(dirname(target)).sort()).toEqual(['model.onnx', 'model_quantized.onnx'])
    }
  })

  test('waits where a busy server asks for it, and asks again after errors of the server', async () => {
    const statuses = [429, 503, 500]
    const { open, clock } = await setUp(undefined, {
      fault({ url }, response) {
        const status = url.includes('/revision/') ? statuses.shift() : undefined
        if (status === undefined) return false
        response.writeHead(status, status === 429 ? { 'retry-after': '17' } : {}).end('later')
        return true
      },
    })
    await open().model(NAME, ['q8'])
    expect(clock.waits).toEqual([17_000, 1000, 2000])
  })

  test('that no byte comes of is asked for again', async () => {
    let hung = false
    const { open } = await setUp(undefined, {
      idle: 250,
      fault({ host }) {
        if (host !== 'cdn' || hung) return false
        hung = true
        return true
      },
    })
    expect(weights(await open().model(NAME, ['q8'])).equals(WEIGHTS)).toBe(true)
    expect(hung).toBe(true)
  })

  const send =
    (content: Buffer): Fault =>
    ({ host }, response, wanted) => {
      if (host !== 'cdn' || !wanted) return false
      response.writeHead(200).end(content)
      return true
    }
  const other = Buffer.from(WEIGHTS).fill(0, 0, 10)
  const pointer = Buffer.from(
    `version https://git-lfs.github.com/spec/v1\noid sha256:${'0'.repeat(64)}\nsize 300000\n`,
  )
  test.each<[string, Fault, RegExp]>([
    [
      'another content',
      send(other),
      /sends another content than the repository says \(sha256 [0-9a-f]{12}, not [0-9a-f]{12}\); try again/,
    ],
    [
      'too much',
      send(Buffer.concat([WEIGHTS, WEIGHTS])),
      /^onnx\/model_quantized\.onnx: the hub sends more than the 300000 bytes of this file/,
    ],
    [
      'too little, always',
      send(WEIGHTS.subarray(0, 1000)),
      /no answer in 5 attempts; the last: ended after 1000 of 300000 bytes\. Still missing: onnx\/model_quantized\.onnx \(300 kB\)\. The same command goes on where it broke off; without a network, put/,
    ],
    [
      'a pointer of large file storage',
      send(pointer),
      /sends a pointer of large file storage in place of the file; unset HF_ENDPOINT if it names a mirror/,
    ],
    [
      'another commit',
      ({ url }, response) => {
        if (!url.includes('/resolve/')) return false
        response.writeHead(200, { 'x-repo-commit': 'd'.repeat(40) }).end('x')
        return true
      },
      /the hub sends the commit d{40} and not c0ffee/,
    ],
    [
      'a redirect with a password',
      ({ url }, response) => {
        if (!url.includes('/resolve/')) return false
        response.writeHead(302, { location: 'http://me:pw@127.0.0.1/' }).end()
        return true
      },
      /a redirect to http:\/\/127\.0\.0\.1, which is not followed/,
    ],
    [
      'a page of a portal',
      ({ url }, response) => {
        if (!url.includes('/revision/')) return false
        response.writeHead(200).end('<html>Log in to the network</html>')
        return true
      },
      /is no answer of a hub: it is not JSON but "<html>Log in/,
    ],
    [
      'an expired signature',
      ({ host }, response) => {
        if (host !== 'cdn') return false
        response.writeHead(403).end('expired')
        return true
      },
      /403 expired/,
    ],
  ])('of %s is refused, without its signature, and leaves no file', async (_, fault, message) => {
    const { open, root } = await setUp(undefined, { fault })
    const error = await open()
      .model(NAME, ['q8'])
      .catch((error) => error)
    expect(error.message).toMatch(message)
    expect(error.message).not.toContain('Signature')
    const target = join(root, 'models/owner/tiny-model', COMMIT, 'tiny-model/onnx/model_quantized.onnx')
    expect(existsSync(target)).toBe(false)
  })

  test('by two at once fetches each file once', async () => {
    const { open, asked } = await setUp()
    const both = await Promise.all([1, 2].map(() => open({}, realClock).model(NAME, ['q8'])))
    for (const one of both) expect(weights(one).equals(WEIGHTS)).toBe(true)
    expect(asked.filter(({ host }) => host === 'cdn')).toHaveLength(1)
  })
})

describe('a dataset', () => {
  const beir = {
    'datasets/BeIR/scifact': {
      files: {
        'README.md': '# SciFact',
        'scifact.py': '',
        'corpus.jsonl.gz': 'corpus',
        'queries.jsonl.gz': 'queries',
      },
    },
    'datasets/BeIR/scifact-qrels': { files: { 'README.md': '', 'test.tsv': 'test', 'train.tsv': 'train' } },
  }

  test('of two configurations is two folders, in each of which nothing else is', async () => {
    const parts = ['corpus', 'queries', 'qrels'].flatMap((part) =>
      ['de', 'en'].map((one) => `${one}-${part}`),
    )
    const files = Object.fromEntries(parts.map((part) => [`data/${part}.parquet`, part]))
    const configs = parts
      .map((part) => `- {config_name: ${part}, data_files: data/${part}.parquet}\n`)
      .join('')
    const { open } = await setUp({
      'datasets/o/d': { files: { ...files, 'README.md': `---\nconfigs:\n${configs}---\n` } },
    })
    const get = (config: string) => open().dataset({ kind: 'hub', repo: 'o/d', revision: 'main', config })
    const [de, en] = [await get('de'), await get('en')]
    expect(readdirSync(join(de.folder, 'data')).sort()).toEqual(
      parts
        .filter((one) => one.startsWith('de'))
        .map((one) => `${one}.parquet`)
        .sort(),
    )
    expect(readdirSync(join(en.folder, 'data'))).toHaveLength(3)
    expect([de.name, de.folder.endsWith('/d')]).toEqual([`hf:o/d@${COMMIT}#de`, true])
  })

  test('of BEIR becomes a BEIR folder from its two repositories', async () => {
    const { open, root } = await setUp(beir)
    const { folder, sources } = await open().dataset({ kind: 'beir', name: 'scifact' })
    expect(folder.startsWith(join(root, 'datasets/beir/scifact'))).toBe(true)
    expect(folder.endsWith('/scifact')).toBe(true)
    expect(readFileSync(join(folder, 'qrels/test.tsv'), 'utf8')).toBe('test')
    expect(readFileSync(join(folder, 'corpus.jsonl.gz'), 'utf8')).toBe('corpus')
    expect(sources.map(({ repo }) => repo)).toEqual(['BeIR/scifact', 'BeIR/scifact-qrels'])
  })

  test('of BEIR with a file plain and packed has both, of which the reader refuses one', async () => {
    const { files } = beir['datasets/BeIR/scifact']
    const both = { files: { ...files, 'corpus.jsonl': 'another corpus' } }
    const { open } = await setUp({ ...beir, 'datasets/BeIR/scifact': both })
    const { folder } = await open().dataset({ kind: 'beir', name: 'scifact' })
    expect(readdirSync(folder).sort()).toEqual([
      'corpus.jsonl',
      'corpus.jsonl.gz',
      'qrels',
      'queries.jsonl.gz',
    ])
  })

  const card = (configs: string) => `---\nconfigs:\n${configs}---\n# Data\n`
  const files = {
    'en/test-0.parquet': 'e',
    'de/test-0.parquet': 'd',
    'logo.png': 'p',
    'dataset_infos.json': '{}',
  }
  const two = card(
    "- config_name: english\n  data_files: [{split: test, path: 'en/*'}]\n- config_name: german\n  data_files: 'de/**'\n",
  )
  test.each<[string, Record<string, string>, string | undefined, readonly string[] | RegExp]>([
    ['all data files without a card', files, undefined, ['de/test-0.parquet', 'en/test-0.parquet']],
    ['those of a folder', files, 'en', ['en/test-0.parquet']],
    [
      'those of a configuration',
      { ...files, 'README.md': two },
      'english',
      ['README.md', 'en/test-0.parquet'],
    ],
    [
      'none of several configurations',
      { ...files, 'README.md': two },
      undefined,
      /has 2 configurations; name one, as `hf:o\/d#english`: english, german/,
    ],
    [
      'none of an unknown one',
      { ...files, 'README.md': two },
      'germn',
      /has no configuration `germn` \(did you mean "german"\?\); there are english, german/,
    ],
    [
      'the default',
      {
        ...files,
        'README.md': card(
          "- {config_name: a, data_files: 'en/*'}\n- {config_name: b, default: true, data_files: 'de/*'}\n",
        ),
      },
      undefined,
      ['README.md', 'de/test-0.parquet'],
    ],
    [
      'the parts of a retrieval dataset',
      {
        'corpus/a.parquet': 'c',
        'queries/a.parquet': 'q',
        'README.md': card(
          "- {config_name: corpus, data_files: 'corpus/*'}\n- {config_name: queries, data_files: 'queries/*'}\n- {config_name: default, data_files: 'qrels/*'}\n",
        ),
        'qrels/t.jsonl': 'x',
      },
      undefined,
      ['README.md', 'corpus/a.parquet', 'qrels/t.jsonl', 'queries/a.parquet'],
    ],
    [
      'nothing of pictures',
      { 'a.png': 'p', 'load.py': '' },
      undefined,
      /has no Parquet, JSON, CSV or text file; it has a\.png, load\.py/,
    ],
  ])('of any repository: %s', async (_, files, config, expected) => {
    const { open } = await setUp({ 'datasets/o/d': { files } })
    const found = open().dataset({ kind: 'hub', repo: 'o/d', revision: 'main', ...(config && { config }) })
    if (expected instanceof RegExp) await expect(found).rejects.toThrow(expected)
    else expect(Object.keys((await found).files).sort()).toEqual([...expected].sort())
  })
})

test.each<[string, unknown]>([
  ['hf:owner/name', { kind: 'hub', repo: 'owner/name', revision: 'main' }],
  ['hf:owner/name@refs/pr/1#en', { kind: 'hub', repo: 'owner/name', revision: 'refs/pr/1', config: 'en' }],
  ['beir/nfcorpus', { kind: 'beir', name: 'nfcorpus' }],
  ['irds:beir/scifact/test', { kind: 'beir', name: 'scifact', split: 'test' }],
  ['irds:beir/nq', { kind: 'beir', name: 'nq' }],
  ['irds:msmarco-passage/dev/small', { kind: 'beir', name: 'msmarco', split: 'dev' }],
  ['irds:msmarco-passage/trec-dl-2019/judged', { kind: 'beir', name: 'msmarco', split: 'test' }],
  ['irds:beir/cqadupstack/gis', { kind: 'hub', repo: 'mteb/cqadupstack-gis', revision: 'main' }],
  ['irds:nano-beir/fiqa', { kind: 'hub', repo: 'zeta-alpha-ai/NanoFiQA2018', revision: 'main' }],
  ['irds:beir/webis-touche2020/v2', { kind: 'beir', name: 'webis-touche2020' }],
  ['irds:beir/webis-touche2020', /no equal data .*; it has `irds:beir\/webis-touche2020\/v2`/],
  ['irds:beir/cqadupstack', /no equal data .*; it has `irds:beir\/cqadupstack\/android`/],
  ['irds:nq', /no equal data .*; it has `irds:beir\/nq`/],
  ['irds:msmarco-passage/dev', /no equal data .*; it has .*`irds:msmarco-passage\/dev\/small`/],
  ['irds:constructor', /no equal data that Touchstone knows\. /],
  ['beir/scifacts', /BEIR has no dataset `scifacts` on the hub \(did you mean "scifact"\?\)/],
  ['hf:name', /`hf:name` is no name on the hub; it is `hf:owner\/name`/],
  ['hf:owner/../x', /is no name on the hub/],
  ['hf:owner/name@../../x', /is no name on the hub/],
  [
    'irds:msmarco-passage/trec-dl-2020/judged',
    /ir_datasets export msmarco-passage\/trec-dl-2020\/judged docs --format jsonl > FOLDER\/docs\.jsonl[\s\S]*qrels > FOLDER\/qrels\.txt/,
  ],
  ['irds:x; rm -rf /', /is no name of ir_datasets/],
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
