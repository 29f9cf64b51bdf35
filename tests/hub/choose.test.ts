import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { cacheFolder, openCache } from '../../src/hub/cache.ts'
import { openClient, type RemoteFile } from '../../src/hub/client.ts'
import { selectBeir, selectDataset } from '../../src/hub/datasets.ts'
import { megabytes } from '../../src/hub/download.ts'
import { modelFiles, selectModel } from '../../src/hub/models.ts'
import { datasetNameOf, hubNameOf } from '../../src/hub/names.ts'
import { fakeClock } from '../models/fake-server.ts'
import { temporaryFolder } from '../temporary.ts'

const files = (...paths: string[]): RemoteFile[] => paths.map((path) => ({ path, size: 1, blob: path }))
const paths = (list: Iterable<RemoteFile>) => [...list].map(({ path }) => path)

describe('files of a model', () => {
  test('are the required, the helpful, and the weights of each precision with their data', () => {
    const all = [
      ...['config.json', 'tokenizer.json', 'tokenizer_config.json', 'special_tokens_map.json', 'README.md'],
      ...['1_Pooling/config.json', 'sentence_bert_config.json', 'config_sentence_transformers.json'],
      ...['onnx/model.onnx', 'onnx/model.onnx_data', 'onnx/model_quantized.onnx', 'onnx/model_fp16.onnx'],
    ]
    const without = (...left: string[]) => all.filter((path) => !left.includes(path))
    expect(paths(selectModel(files(...all), ['fp32'], 'o/m'))).toEqual(
      without('README.md', 'onnx/model_quantized.onnx', 'onnx/model_fp16.onnx'),
    )
    expect(paths(selectModel(files(...all), ['q8', 'fp16'], 'o/m'))).toEqual(
      without('README.md', 'onnx/model.onnx', 'onnx/model.onnx_data'),
    )
    expect(modelFiles(['q8', 'fp32'])).toEqual([
      ...['config.json', 'tokenizer.json', 'tokenizer_config.json'],
      ...['onnx/model_quantized.onnx', 'onnx/model.onnx'],
    ])
  })

  test('that are missing are all named, with what there is', () => {
    expect(() => selectModel(files('onnx/a.onnx', 'b.onnx', 'config.json'), ['fp32'], 'o/m')).toThrow(
      /^the model `o\/m` lacks tokenizer\.json, onnx\/model\.onnx: its ONNX files are onnx\/a\.onnx, b\.onnx; name one by `dtype`$/,
    )
    expect(() => selectModel(files('tokenizer.json', 'config.json'), ['fp32'], 'o/m')).toThrow(
      /^the model `o\/m` lacks onnx\/model\.onnx: it has no ONNX files; look for an export, as Xenova\/m or onnx-community\/m$/,
    )
  })
})

describe('files of a dataset', () => {
  const select = (card: string, config: string | undefined, ...given: string[]) =>
    paths(selectDataset(files(...given), card, 'o/d', config))
  const card = (...configs: string[]) =>
    `---\nconfigs:\n${configs.map((one) => `- {${one}}\n`).join('')}---\n`

  test('are those of data, not descriptions, hidden files or others; the card comes first', () => {
    const data = ['a.parquet', 'b.json', 'c.JSONL.gz', 'd.csv', 'e.tsv.gz', 'f.txt', 'g/h.csv']
    const other = [
      '.hidden.json',
      'dataset_infos.json',
      'dataset_info.json',
      'state.json',
      'x.png',
      'y.csv.zip',
    ]
    expect(select('', undefined, ...data, ...other, 'README.md')).toEqual(['README.md', ...data])
    expect(select(card('config_name: a, data_files: b.json'), undefined, ...data)).toEqual(data)
  })

  test('of one configuration are those of its card, or below its folder, or its parts', () => {
    const two = card("config_name: a, data_files: 'x/*'", 'config_name: b')
    const given = ['x/1.csv', 'a/2.csv', 'b/3.csv', 'c/4.csv', '5.csv']
    expect(select(two, 'a', ...given)).toEqual(['x/1.csv'])
    expect(select(two, 'b', ...given)).toEqual(['b/3.csv'])
    expect(select(two, 'c', ...given)).toEqual(['c/4.csv'])
    const parts = card(
      ...["config_name: de-corpus, data_files: '1.csv'", "config_name: de-qrels, data_files: '2.csv'"],
      "config_name: en-corpus, data_files: '3.csv'",
    )
    expect(select(parts, 'de', '1.csv', '2.csv', '3.csv')).toEqual(['1.csv', '2.csv'])
    expect(() => select(two, 'd', ...given)).toThrow(
      /^the dataset `o\/d` has no configuration `d`.*; there are a, b, x, c$/,
    )
    expect(() => select('', 'd', '5.csv')).toThrow(/^the dataset `o\/d` has no configuration `d`$/)
    const many = Array.from({ length: 21 }, (_, i) => `folder${i}`)
    expect(() => select('', 'd', ...many.map((one) => `${one}/1.csv`))).toThrow(
      new RegExp(`; there are ${many.slice(0, 20).join(', ')}$`),
    )
  })

  test('of several configurations are the default, or a retrieval dataset, or none until one is named', () => {
    const configs = (count: number) => Array.from({ length: count }, (_, i) => `config_name: c${i}`)
    expect(() => select(card(...configs(20)), undefined, 'a.csv')).toThrow(
      /^the dataset `o\/d` has 20 configurations; name one, as `hf:o\/d#c0`: c0, c1, .*, c19$/,
    )
    expect(() => select(card(...configs(21)), undefined, 'a.csv')).toThrow(/: c0, c1, .*, c19, \.\.\.$/)
    const some = [
      "config_name: corpus, data_files: 'a.csv'",
      "config_name: other, default: true, data_files: 'b.csv'",
    ]
    expect(select(card(...some), undefined, 'a.csv', 'b.csv')).toEqual(['b.csv'])
    expect(select(card(...some, 'config_name: queries'), undefined, 'a.csv', 'b.csv')).toEqual([
      'a.csv',
      'b.csv',
    ])
  })

  test('that are none are an error with the first ten of the others', () => {
    const others = Array.from({ length: 11 }, (_, i) => `${i}.png`)
    expect(() => select('', undefined, 'README.md', '.git', ...others)).toThrow(
      new RegExp(
        `^the dataset \`o/d\` has no Parquet, JSON, CSV or text file; it has ${others.slice(0, 10).join(', ')}$`,
      ),
    )
    expect(() => select('', undefined, 'README.md', '.git')).toThrow(
      /has no Parquet, JSON, CSV or text file$/,
    )
  })

  test('of BEIR are lines, or else Parquet, and the labels of every split', () => {
    const parquet = files('corpus/1.parquet', 'corpus/x.md', 'queries/1.parquet', 'other/1.parquet')
    const qrels = files('test.tsv', 'dev.tsv', 'README.md', 'sub/x.tsv')
    const { texts, labels } = selectBeir([...parquet, ...files('queries.jsonl')], qrels, 'nq')
    expect([...texts].map(([{ path }, to]) => [path, to])).toEqual([
      ['corpus/1.parquet', 'corpus/1.parquet'],
      ['queries.jsonl', 'queries.jsonl'],
    ])
    expect([...labels].map(([{ path }, to]) => [path, to])).toEqual([
      ['test.tsv', 'qrels/test.tsv'],
      ['dev.tsv', 'qrels/dev.tsv'],
    ])
    for (const [some, judged] of [
      [files('corpus.jsonl'), qrels],
      [files('queries.jsonl'), qrels],
      [parquet, files('README.md')],
    ])
      expect(() => selectBeir(some, judged, 'nq')).toThrow(
        'the repositories of `beir/nq` have another layout than is known here',
      )
  })
})

test.each([
  [0, '0 kB'],
  [1, '1 kB'],
  [1001, '2 kB'],
  [999_999, '1000 kB'],
  [1_000_000, '1.0 MB'],
  [23_650_000, '23.6 MB'],
])('%i bytes are shown as %s', (bytes, shown) => {
  expect(megabytes(bytes)).toBe(shown)
})

describe('names', () => {
  test.each([
    ['irds:nano-beir/fiqa/x', '. '],
    [
      'irds:beir/cqadupstack/gis/x',
      '; it has `irds:beir/cqadupstack/android`, `irds:beir/cqadupstack/english`',
    ],
    ['irds:beir/nq/all', ''],
    ['irds:beir/scifact/test/x', ''],
    ['irds:beir/webis-touche2020/v3', '; it has `irds:beir/webis-touche2020/v2`. '],
    [
      'irds:msmarco-passage',
      '; it has `irds:msmarco-passage/train/judged`, `irds:msmarco-passage/dev/small`',
    ],
    ['irds:beir/scifakt', ' (did you mean "beir/scifact"?)'],
    ['irds:other/nq', ''],
  ])('%s is exported by hand', (name, hint) => {
    expect(() => datasetNameOf(name)).toThrow(
      `\`${name}\` is not downloaded, because the hub holds no equal data that Touchstone knows${hint}`,
    )
  })

  test.each(['train', 'dev', 'test'])('irds:beir/fever/%s is a split of BEIR', (split) => {
    expect(datasetNameOf(`irds:beir/fever/${split}`)).toEqual({ kind: 'beir', name: 'fever', split })
  })

  test('a configuration and a revision follow the repository, and a wrong one says so', () => {
    expect(hubNameOf('hf:o/n#c')).toEqual({ repo: 'o/n', revision: 'main', config: 'c' })
    expect(() => hubNameOf('o/n--x#c')).toThrow(
      /^`o\/n--x#c` is no name on the hub; it is `hf:owner\/name`, with `@revision` after it for another revision than main, and `#config` at the end$/,
    )
    for (const name of ['o/n@a//b', 'o/n@a/.b', 'o/n@a..b', 'o/n@a/'])
      expect(() => hubNameOf(name)).toThrow(/for another revision than main$/)
  })
})

describe('the cache', () => {
  test.each<[Record<string, string>, string]>([
    [{ TOUCHSTONE_CACHE: '/t', XDG_CACHE_HOME: '/x', HOME: '/h' }, '/t'],
    [{ TOUCHSTONE_CACHE: '', XDG_CACHE_HOME: '/x', HOME: '/h' }, '/x/touchstone'],
    [{ XDG_CACHE_HOME: 'x', HOME: '/h' }, '/h/.cache/touchstone'],
    [{ HOME: '/h' }, '/h/.cache/touchstone'],
    [{ HOME: '' }, join(homedir(), '.cache/touchstone')],
  ])('of %j is %s', (env, folder) => {
    expect(cacheFolder(env)).toBe(folder)
  })

  test('keeps revisions and files of a commit, and names a damaged file', () => {
    const root = temporaryFolder()
    const cache = openCache(root)
    const repo = { type: 'models', name: 'o/m' } as const
    const commit = 'a'.repeat(40)
    expect([cache.commitOf(repo, commit), cache.commitOf(repo, 'main'), cache.filesOf(repo, commit)]).toEqual(
      [...[commit, undefined, undefined]],
    )
    cache.keepCommit(repo, 'refs/pr/1', commit)
    cache.keepFiles(repo, commit, files('a'))
    expect([cache.commitOf(repo, 'refs/pr/1'), cache.filesOf(repo, commit)]).toEqual([commit, files('a')])
    expect(cache.folderOf(repo, commit)).toBe(join(root, 'models/o/m', commit, 'm'))
    expect(cache.folderOf(repo, commit, 'c')).toBe(join(root, 'models/o/m', commit, 'config-c', 'm'))
    cache.keepCommit(repo, 'main', 'no commit')
    expect(() => cache.commitOf(repo, 'main')).toThrow(
      `${join(root, 'models/o/m/refs/main.json')}: is damaged; delete it, and it is downloaded again`,
    )
  })
})

describe('a client', () => {
  type Answer = { status?: number; headers?: Record<string, string>; json?: unknown; text?: string }
  async function open(
    answer: (url: string, response: ServerResponse) => Answer,
    env: Record<string, string> = {},
  ) {
    const asked: { url: string; authorization?: string }[] = []
    const server = createServer(({ url = '', headers: { authorization } }, response) => {
      asked.push({ url, ...(authorization && { authorization }) })
      const { status = 200, headers = {}, json, text } = answer(url, response)
      response.writeHead(status, headers).end(text ?? JSON.stringify(json ?? {}))
    })
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    onTestFinished(() => {
      server.close()
      server.closeAllConnections()
    })
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const clock = fakeClock()
    return { asked, base, clock, client: openClient({ env: { HF_ENDPOINT: `${base}//`, ...env }, clock }) }
  }
  const repo = { type: 'datasets', name: 'o/d' } as const
  const sha = 'a'.repeat(40)

  test('reads the pages of a tree at its own host, without folders; sizes are those of the content', async () => {
    const { asked, base, client } = await open((url) => {
      const oid = 'b'.repeat(64)
      if (url.includes('cursor'))
        return {
          json: [{ type: 'file', path: 'c', oid: '3', lfs: { oid: `sha256:${oid}`, size: 9 }, size: 1 }],
        }
      const link = '<https://huggingface.co/api/datasets/o/d/tree/x?cursor=2>; rel="next"'
      return {
        headers: { link },
        json: [
          { type: 'directory', path: 'a', oid: '1' },
          { type: 'file', path: 'a/b', oid: '2', size: 5, lfs: null },
          { type: 'file', path: 'e', oid: '4' },
        ],
      }
    })
    expect(await client.filesOf(repo, 'x')).toEqual([
      { path: 'a/b', size: 5, blob: '2' },
      { path: 'e', size: 0, blob: '4' },
      { path: 'c', size: 9, blob: '3', sha256: 'b'.repeat(64) },
    ])
    expect(asked).toEqual([
      { url: '/api/datasets/o/d/tree/x?recursive=true' },
      { url: '/api/datasets/o/d/tree/x?cursor=2' },
    ])
    expect([client.endpoint, client.pageOf(repo), client.pageOf({ type: 'models', name: 'o/m' })]).toEqual([
      ...[base, `${base}/datasets/o/d`, `${base}/o/m`],
    ])
  })

  test.each([
    ...[
      '',
      '/a',
      'a//b',
      'a/',
      './a',
      'a/../b',
      'a.',
      'a /b',
      'a\\b',
      'a:b',
      'a*',
      'a?',
      'a"',
      'a<',
      'a>',
      'a|',
    ],
    ...['a\u0000', 'a\u001f', 'a\u007f', 'x'.repeat(1001)],
  ])('refuses the path of a file: %j', async (path) => {
    const { client } = await open(() => ({ json: [{ type: 'file', path, oid: '1' }] }))
    await expect(client.filesOf(repo, 'x')).rejects.toThrow(
      'dataset `o/d` names a file with a path that is refused: ',
    )
  })

  test.each(['x'.repeat(1000), '.hidden', 'a b/c.d', 'ü/…'])('takes the path of a file: %j', async (path) => {
    const { client } = await open(() => ({ json: [{ type: 'file', path, oid: '1' }] }))
    expect(await client.filesOf(repo, 'x')).toEqual([{ path, size: 0, blob: '1' }])
  })

  test.each<[number, string, Record<string, string>, string]>([
    [
      403,
      '',
      {},
      'is gated: accept its terms at PAGE and put your token into the environment variable HF_TOKEN',
    ],
    [
      401,
      'GatedRepo',
      { HF_TOKEN: 't' },
      'may not be read with the token in HF_TOKEN; accept its terms at PAGE, or use a token with access',
    ],
    [404, 'RevisionNotFound', {}, 'see PAGE/tree/main for what there is'],
    [404, 'EntryNotFound', {}, 'is not there any more; see PAGE/tree/main'],
    [
      401,
      '',
      {},
      'is not on the hub, or it is private: check its name at PAGE; a private one needs HF_TOKEN',
    ],
    [404, '', { HF_TOKEN: 't' }, 'is not on the hub, or it is private: check its name at PAGE ('],
    [451, '', {}, 'is not available for legal reasons ('],
    [400, '', {}, '/api/datasets/o/d/revision/main: 400 why it is'],
  ])('says what to do after %i %s with %j', async (status, code, env, message) => {
    const { asked, base, client } = await open(
      () => ({ status, headers: { 'x-error-code': code, 'x-error-message': 'why  it is' }, text: 'body' }),
      env,
    )
    const page = message.replaceAll('PAGE', `${base}/datasets/o/d`)
    await expect(client.commitOf(repo, 'main')).rejects.toThrow(page)
    expect(asked).toEqual([
      { url: '/api/datasets/o/d/revision/main', ...(env.HF_TOKEN && { authorization: 'Bearer t' }) },
    ])
  })

  test.each<[Answer, string]>([
    [{ text: 'not  JSON t' }, 'is no answer of a hub: it is not JSON but "not JSON t"'],
    [{ text: 'x'.repeat(100) }, `it is not JSON but "${'x'.repeat(60)}"`],
    [{ json: { sha: 'A'.repeat(40) } }, 'is no answer of a hub: Invalid string'],
    [{ json: { sha: `${sha}0` } }, 'is no answer of a hub: Invalid string'],
  ])('refuses what is no commit: %j', async (answer, message) => {
    const { base, client } = await open(() => answer)
    await expect(client.commitOf(repo, 'a/b')).rejects.toThrow(`${base}/api/datasets/o/d/revision/a%2Fb: `)
    await expect(client.commitOf(repo, 'a/b')).rejects.toThrow(message)
  })

  test('follows five redirects and no more; none to nowhere, with a name, or to another protocol', async () => {
    const chain = (hops: number) =>
      open((url) => {
        const hop = Number(/hop=(\d+)/.exec(url)?.[1] ?? 0)
        return hop < hops ? { status: 302, headers: { location: `/?hop=${hop + 1}` } } : { json: { sha } }
      })
    expect(await (await chain(5)).client.commitOf(repo, 'main')).toBe(sha)
    await expect((await chain(6)).client.commitOf(repo, 'main')).rejects.toThrow(
      '/revision/main: more than 5 redirects',
    )
    for (const [location, message] of [
      ['', 'a redirect to nowhere'],
      ['http://', 'a redirect to nowhere'],
      [
        'http://u@localhost/x',
        'a redirect to http://localhost, which is not followed: it has no encryption, or a name or password',
      ],
      ['http://:p@localhost/x', 'which is not followed'],
      ['ftp://localhost/x', 'a redirect to ftp://localhost, which is not followed'],
    ]) {
      const { asked, client } = await open(() => ({ status: 301, headers: { location } }))
      await expect(client.commitOf(repo, 'main')).rejects.toThrow(message)
      expect(asked).toHaveLength(1)
    }
  })

  test('asks five times, with longer waits; as long as the server asks for, and a minute at most', async () => {
    const { asked, base, client, clock } = await open(() => ({ status: 500, text: 'down' }))
    await expect(client.commitOf(repo, 'main')).rejects.toThrow(
      `${base}/api/datasets/o/d/revision/main: no answer in 5 attempts; the last: 500 down`,
    )
    expect([asked.length, clock.waits]).toEqual([5, [500, 1000, 2000, 4000]])
    const waits = ['0', '2', '500']
    const busy = await open(() => {
      const wait = waits.shift()
      return wait === undefined ? { json: { sha } } : { status: 429, headers: { 'retry-after': wait } }
    })
    expect(await busy.client.commitOf(repo, 'main')).toBe(sha)
    expect(busy.clock.waits).toEqual([500, 2000, 60_000])
  })

  test.each<[Record<string, string>, string | undefined]>([
    [{ HF_ENDPOINT: ' ' }, undefined],
    [{ HF_ENDPOINT: 'https://hub.example/x/?q=1' }, 'HF_ENDPOINT must be an http or https address'],
    [{ HF_ENDPOINT: 'https://hub.example/#x' }, 'HF_ENDPOINT must be an http or https address'],
    [{ HF_ENDPOINT: 'https://u@hub.example' }, 'HF_ENDPOINT must be an http or https address'],
    [{ HF_ENDPOINT: 'https://:p@hub.example' }, 'HF_ENDPOINT must be an http or https address'],
    [{ HF_ENDPOINT: 'hub.example' }, 'HF_ENDPOINT must be an http or https address'],
    [
      { HF_ENDPOINT: 'http://hub.example', HF_TOKEN: 't' },
      'HF_TOKEN is not sent to http://hub.example without',
    ],
    [{ HF_ENDPOINT: 'http://hub.example', HF_TOKEN: ' ' }, undefined],
    [{ HF_ENDPOINT: 'http://localhost', HF_TOKEN: 't' }, undefined],
    [{ HF_ENDPOINT: 'http://[::1]:80', HF_TOKEN: 't' }, undefined],
    [
      { HF_ENDPOINT: 'https://hub.example', HF_TOKEN: 't u' },
      'the token in the environment variable HF_TOKEN holds a space',
    ],
  ])('of %j', (env, message) => {
    const opening = () => openClient({ env, clock: fakeClock() }).endpoint
    if (message === undefined)
      expect(opening()).toBe(env.HF_ENDPOINT.trim().replace(':80', '') || 'https://huggingface.co')
    else expect(opening).toThrow(message)
  })
})
