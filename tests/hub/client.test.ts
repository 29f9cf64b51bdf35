import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openClient, type Repository, Unreachable } from '../../src/hub/client.ts'
import { fakeClock } from '../models/fake-server.ts'

type Answer = (request: IncomingMessage, response: ServerResponse, count: number) => void
const COMMIT = 'ab12'.padEnd(40, '0')
const MODEL: Repository = { type: 'models', name: 'o/m' }
const DATA: Repository = { type: 'datasets', name: 'o/d' }

/** A hub with one answer to everything. */
async function hubOf(answer: Answer, env: Record<string, string> = {}) {
  const asked: IncomingMessage[] = []
  const server = createServer((request, response) => {
    asked.push(request)
    answer(request, response, asked.length)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const clock = fakeClock()
  const client = openClient({ env: { HF_ENDPOINT: `${address}/`, ...env }, clock })
  return { client, asked, clock, address, urls: () => asked.map(({ url }) => url) }
}
const send =
  (value: unknown, status = 200, headers: Record<string, string> = {}): Answer =>
  (_, response) =>
    void response.writeHead(status, headers).end(typeof value === 'string' ? value : JSON.stringify(value))
const messageOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'no error',
    (error: Error) => error.message,
  )

describe('a request', () => {
  test('is repeated only after its pause', async () => {
    const { asked, address } = await hubOf((request, response, count) =>
      count > 1 ? send({ sha: COMMIT })(request, response, 0) : send('busy', 503)(request, response, 0),
    )
    let go = () => {}
    const paused = new Promise<void>((resolve) => (go = resolve))
    let begins = () => {}
    const begun = new Promise<void>((resolve) => (begins = resolve))
    const clock = {
      now: () => 0,
      wait() {
        begins()
        return paused
      },
    }
    const found = openClient({ env: { HF_ENDPOINT: address }, clock }).commitOf(MODEL, 'main')
    await begun
    await new Promise(setImmediate)
    await fetch(address)
    expect(asked).toHaveLength(2)
    go()
    expect(await found).toBe(COMMIT)
  })

  test('names repository, revision and commit', async () => {
    const { client, asked, urls, address } = await hubOf(send({ sha: COMMIT }), { HF_TOKEN: ' hf_x ' })
    expect(client.endpoint).toBe(address)
    expect(client.pageOf(MODEL)).toBe(`${address}/o/m`)
    expect(client.pageOf(DATA)).toBe(`${address}/datasets/o/d`)
    expect(await client.commitOf(MODEL, 'refs/pr/1')).toBe(COMMIT)
    expect(await client.commitOf(DATA, 'main')).toBe(COMMIT)
    expect(urls()).toEqual(['/api/models/o/m/revision/refs%2Fpr%2F1', '/api/datasets/o/d/revision/main'])
    expect(asked[0]?.headers).toMatchObject({
      authorization: 'Bearer hf_x',
      'accept-encoding': 'identity',
      'user-agent': 'touchstone',
    })
  })

  test('follows five redirects, each to an address that may be relative', async () => {
    const hops =
      (most: number): Answer =>
      (_, response, count) =>
        count > most
          ? send({ sha: COMMIT })(_, response, 0)
          : response.writeHead(307, { location: `/hop?${count}` }).end()
    const five = await hubOf(hops(5))
    expect(await five.client.commitOf(MODEL, 'main')).toBe(COMMIT)
    expect(five.urls().slice(1)).toEqual([1, 2, 3, 4, 5].map((hop) => `/hop?${hop}`))
    const six = await hubOf(hops(6))
    expect(await messageOf(six.client.commitOf(MODEL, 'main'))).toBe(
      `${six.address}/api/models/o/m/revision/main: more than 5 redirects`,
    )
    for (const status of [301, 302, 303, 307, 308]) {
      const { client } = await hubOf((request, response, count) =>
        count > 1
          ? send({ sha: COMMIT })(request, response, 0)
          : response.writeHead(status, { location: '/x' }).end(),
      )
      expect(await client.commitOf(MODEL, 'main')).toBe(COMMIT)
    }
    for (const [location, said] of [
      [undefined, 'a redirect to nowhere'],
      ['http://[', 'a redirect to nowhere'],
      [
        'ftp://x/y',
        'a redirect to ftp://x, which is not followed: it has no encryption, or a name or password',
      ],
      [
        'http://me@x/y',
        'a redirect to http://x, which is not followed: it has no encryption, or a name or password',
      ],
    ] as const) {
      const { client, address } = await hubOf(send('', 302, location === undefined ? {} : { location }))
      expect(await messageOf(client.commitOf(MODEL, 'main'))).toBe(
        `${address}/api/models/o/m/revision/main: ${said}`,
      )
    }
  })

  test('is sent five times, with longer waits; a server may ask for a minute at most', async () => {
    for (const status of [408, 409, 425, 429, 500, 503]) {
      const { client, clock, asked, address } = await hubOf(send('busy\n now', status))
      const error = await client.commitOf(MODEL, 'main').catch((error: Error) => error)
      expect(error).toBeInstanceOf(Unreachable)
      expect((error as Error).message).toBe(
        `${address}/api/models/o/m/revision/main: no answer in 5 attempts; the last: ${status} busy now`,
      )
      expect(clock.waits).toEqual([500, 1000, 2000, 4000])
      expect(asked).toHaveLength(5)
    }
    const { client, clock } = await hubOf((request, response, count) =>
      count < 4
        ? send('', 429, { 'retry-after': ['1', '0', '90'][count - 1] ?? '' })(request, response, 0)
        : send({ sha: COMMIT })(request, response, 0),
    )
    expect(await client.commitOf(MODEL, 'main')).toBe(COMMIT)
    expect(clock.waits).toEqual([1000, 1000, 60_000])
  })

  const model = 'model `o/m` at the revision `main`'
  test.each<[number, string, string | undefined, string]>([
    [
      403,
      '',
      undefined,
      `the ${model} is gated: accept its terms at PAGE and put your token into the environment variable HF_TOKEN (403 no)`,
    ],
    [
      401,
      'GatedRepo',
      undefined,
      `the ${model} is gated: accept its terms at PAGE and put your token into the environment variable HF_TOKEN (401 no)`,
    ],
    [
      403,
      '',
      'hf_t',
      `the ${model} may not be read with the token in HF_TOKEN; accept its terms at PAGE, or use a token with access (403 no)`,
    ],
    [
      404,
      'RevisionNotFound',
      undefined,
      `there is no ${model}; see PAGE/tree/main for what there is (404 no)`,
    ],
    [
      404,
      'EntryNotFound',
      undefined,
      `a file of the ${model} is not there any more; see PAGE/tree/main (404 no)`,
    ],
    [
      404,
      '',
      undefined,
      `the ${model} is not on the hub, or it is private: check its name at PAGE; a private one needs HF_TOKEN (404 no)`,
    ],
    [401, '', 'hf_t', `the ${model} is not on the hub, or it is private: check its name at PAGE (401 no)`],
    [451, '', undefined, `the ${model} is not available for legal reasons (451 no)`],
    [400, '', undefined, 'ADDRESS/api/models/o/m/revision/main: 400 no'],
  ])('that is refused with %i %s is not sent again', async (status, code, token, message) => {
    const { client, asked, address } = await hubOf(
      send('no', status, { 'x-error-code': code }),
      token === undefined ? {} : { HF_TOKEN: token },
    )
    expect(await messageOf(client.commitOf(MODEL, 'main'))).toBe(
      message.replace('PAGE', `${address}/o/m`).replace('ADDRESS', address),
    )
    expect(asked).toHaveLength(1)
  })

  test('quotes the server without the token, in 200 letters', async () => {
    const { client, address } = await hubOf(
      send('body', 400, { 'x-error-message': `hf_secret  is ${'x'.repeat(300)}` }),
      { HF_TOKEN: 'hf_secret' },
    )
    expect(await messageOf(client.commitOf(MODEL, 'main'))).toBe(
      `${address}/api/models/o/m/revision/main: 400 *** is ${'x'.repeat(193)}`,
    )
  })

  test('answered by another kind of server is refused', async () => {
    const wrong = async (value: unknown) => {
      const { client, address } = await hubOf(send(value))
      return (await messageOf(client.commitOf(MODEL, 'main'))).replace(address, '')
    }
    const place = '/api/models/o/m/revision/main: is no answer of a hub: '
    expect(await wrong(`<html>${'x'.repeat(99)}`)).toBe(
      `${place}it is not JSON but "<html>${'x'.repeat(54)}"`,
    )
    expect(await wrong({ sha: 'main' })).toMatch(new RegExp(`^${place}Invalid string`))
    expect(await wrong({ sha: `${COMMIT}0` })).toMatch(new RegExp(`^${place}Invalid string`))
  })
})

describe('the files of a commit', () => {
  test('are listed page by page, from this hub, without folders', async () => {
    const oid = 'f'.repeat(64)
    const pages = [
      [
        { type: 'directory', path: 'onnx', oid: 'x' },
        { type: 'file', path: 'a.json', size: 5, oid: 'b1' },
      ],
      [
        {
          type: 'file',
          path: 'onnx/m.onnx',
          size: 130,
          oid: 'b2',
          lfs: { oid: `sha256:${oid}`, size: 9000 },
        },
        { type: 'file', path: 'none', oid: 'b3', lfs: null },
      ],
      [{ type: 'file', path: 'z', size: 1, oid: 'b4', lfs: { oid, size: 0 } }],
    ]
    const { client, urls } = await hubOf((request, response, count) =>
      send(
        pages[count - 1],
        200,
        count === 1
          ? { link: '<https://huggingface.co/next?cursor=2>; rel="next"' }
          : count === 2
            ? { link: '<third?cursor=3>;rel=next' }
            : { link: '<https://x/first>; rel="prev"' },
      )(request, response, 0),
    )
    expect(await client.filesOf(DATA, COMMIT)).toEqual([
      { path: 'a.json', size: 5, blob: 'b1' },
      { path: 'onnx/m.onnx', size: 9000, blob: 'b2', sha256: oid },
      { path: 'none', size: 0, blob: 'b3' },
      { path: 'z', size: 0, blob: 'b4', sha256: oid },
    ])
    expect(urls()).toEqual([
      `/api/datasets/o/d/tree/${COMMIT}?recursive=true`,
      '/next?cursor=2',
      '/third?cursor=3',
    ])
  })

  test('stay below their folder, on every system', async () => {
    const refused = async (path: string) => {
      const { client } = await hubOf(send([{ type: 'file', path, oid: 'b' }]))
      return messageOf(client.filesOf(MODEL, COMMIT))
    }
    for (const path of [
      '..',
      'a/../b',
      '/a',
      'a/',
      'a//b',
      './a',
      'a\\b',
      'c:d',
      'a*',
      'a?',
      'a"',
      'a<',
      'a>',
      'a|',
      'a.',
      'a ',
      'a ./b',
      'a\u0001',
      'a\u007f',
    ])
      expect(await refused(path)).toBe(
        `model \`o/m\` names a file with a path that is refused: ${path.replace(/\s+/g, ' ').trim()}`,
      )
    expect(await refused('n'.repeat(1001))).toContain('names a file with a path that is refused')
    for (const path of ['n'.repeat(1000), '...a', '.hidden/b c', 'ä#~'])
      expect(await refused(path)).toBe('no error')
  })
})

describe('a file', () => {
  /** Reads a file, of which `from` bytes are there already. */
  async function read(answer: Answer, from = 0, repo = MODEL, path = 'onnx/a b#.onnx') {
    const { client, asked, clock, address, urls } = await hubOf(answer)
    const taken: [string, number][] = []
    let held = from
    const message = await messageOf(
      client.read(repo, COMMIT, path, {
        from: () => held,
        async take(body, start) {
          const pieces: Uint8Array[] = []
          for await (const piece of body) pieces.push(piece)
          const text = Buffer.concat(pieces).toString()
          taken.push([text, start])
          held = start + text.length
        },
      }),
    )
    return {
      message: message.replace(address, ''),
      taken,
      clock,
      urls: urls(),
      ranges: asked.map(({ headers }) => headers.range),
    }
  }
  const place = `/o/m/resolve/${COMMIT}/onnx/a%20b%23.onnx`

  test('is asked for by its address, and by a range if it is there in part', async () => {
    expect(await read(send('whole'))).toMatchObject({
      ...{ message: 'no error', taken: [['whole', 0]], urls: [place], ranges: [undefined] },
    })
    expect((await read(send('x'), 0, DATA, 'a')).urls).toEqual([`/datasets/o/d/resolve/${COMMIT}/a`])
    expect(await read(send('rest', 206, { 'content-range': 'bytes 3-6/7' }), 3)).toMatchObject({
      ...{ message: 'no error', taken: [['rest', 3]], ranges: ['bytes=3-'] },
    })
    // A server may send more than was asked for, or all of it.
    expect((await read(send('rest', 206, { 'content-range': 'bytes 1-4/5' }), 3)).taken).toEqual([
      ['rest', 1],
    ])
    expect((await read(send('whole'), 3)).taken).toEqual([['whole', 0]])
  })

  test.each<[string, Answer, string]>([
    [
      'from further on',
      send('rest', 206, { 'content-range': 'bytes 4-7/8' }),
      'sent bytes from 4 on where 3 was asked for',
    ],
    ['without a range', send('rest', 206), 'sent a part of the file without saying which'],
    [
      'in another unit',
      send('rest', 206, { 'content-range': 'lines 3-6/7' }),
      'sent a part of the file without saying which',
    ],
  ])('in a part %s is asked for again', async (_, answer, why) => {
    const { message, taken, clock } = await read(answer, 3)
    expect(message).toBe(`${place}: no answer in 5 attempts; the last: ${why}`)
    expect(taken).toEqual([])
    expect(clock.waits).toHaveLength(4)
  })

  test('of which more is there than it has begins anew', async () => {
    const { message, taken, ranges } = await read(
      (request, response, count) => (count === 1 ? send('', 416) : send('whole'))(request, response, 0),
      7,
    )
    expect(message).toBe('no error')
    expect(taken).toEqual([
      ['', 0],
      ['whole', 0],
    ])
    expect(ranges).toEqual(['bytes=7-', undefined])
  })

  test('of another commit is refused at once', async () => {
    const other = 'd'.repeat(40)
    const { message, urls } = await read(send('x', 200, { 'x-repo-commit': other }))
    expect(message).toBe(`${place}: the hub sends the commit ${other} and not ${COMMIT}`)
    expect(urls).toHaveLength(1)
    expect((await read(send('x', 200, { 'x-repo-commit': COMMIT }))).message).toBe('no error')
  })
})

describe('the environment', () => {
  const open = (env: Record<string, string>) => () => openClient({ env, clock: fakeClock() }).endpoint
  test('names an address of http without more than a place', () => {
    expect(open({})()).toBe('https://huggingface.co')
    expect(open({ HF_ENDPOINT: ' ' })()).toBe('https://huggingface.co')
    expect(open({ HF_ENDPOINT: ' https://mirror.example/hf// ' })()).toBe('https://mirror.example/hf')
    for (const address of [
      'mirror',
      'file:///x',
      'https://me@x',
      'https://:pw@x',
      'https://x?a=b',
      'https://x#a',
    ])
      expect(open({ HF_ENDPOINT: address })).toThrow(
        'the environment variable HF_ENDPOINT must be an http or https address without a name and a password, as https://huggingface.co',
      )
  })

  test('holds a token, which goes over https or to this machine', () => {
    for (const HF_ENDPOINT of [
      'https://x',
      'http://localhost',
      'http://127.0.0.1:5',
      'http://127.9.9.9',
      'http://[::1]:5',
    ])
      expect(open({ HF_TOKEN: 'hf_x', HF_ENDPOINT })).not.toThrow()
    for (const HF_ENDPOINT of [
      'http://x',
      'http://localhost.example',
      'http://10.0.0.1',
      'http://127.example',
    ])
      expect(open({ HF_TOKEN: 'hf_x', HF_ENDPOINT })).toThrow(
        `HF_TOKEN is not sent to ${HF_ENDPOINT} without encryption; use an https address as HF_ENDPOINT, or unset HF_TOKEN`,
      )
    expect(open({ HF_TOKEN: ' ', HF_ENDPOINT: 'http://x' })).not.toThrow()
    for (const HF_TOKEN of ['a b', 'ä', 'a\nb', 'a\u007f'])
      expect(open({ HF_TOKEN })).toThrow(
        'the token in the environment variable HF_TOKEN holds a space, a line break or a character that is not ASCII; set it again',
      )
  })
})
