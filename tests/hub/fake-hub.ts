import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** A repository of the fake hub; files of large file storage are those that end in `.gz`, `.onnx` or `.parquet`. */
export interface FakeRepository {
  readonly files: Readonly<Record<string, string | Buffer>>
  /** Commit by revision. */
  readonly commits?: Readonly<Record<string, string>>
  readonly gated?: boolean
}

export interface HubRequest {
  readonly host: 'hub' | 'cdn'
  readonly url: string
  readonly range: string | undefined
  readonly authorization: string | undefined
}

/** Answers a request in place of the server; false to let it answer. */
export type Fault = (request: HubRequest, response: ServerResponse, content: Buffer | undefined) => boolean

export const COMMIT = 'c0ffee'.padEnd(40, '0')
const LARGE = /\.(?:gz|onnx|parquet)$/

/**
 * A server that speaks the Hugging Face hub's protocol as far as it is read here, and a second one on another port
 * to which it redirects for large files, with a signed address. Both are closed when the test ends.
 */
export async function fakeHub(
  repositories: Readonly<Record<string, FakeRepository>>,
  { token, fault = () => false }: { readonly token?: string; readonly fault?: Fault } = {},
) {
  const requests: HubRequest[] = []
  const cdn = await listen((request, response) => {
    const one = { ...seen('cdn', request) }
    requests.push(one)
    const url = new URL(one.url, 'http://cdn')
    const content =
      url.searchParams.get('Signature') === 'signed' ? stored.get(url.pathname.slice(1)) : undefined
    if (fault(one, response, content)) return
    if (content === undefined) return void response.writeHead(403).end('<Error>AccessDenied</Error>')
    sendRanged(response, content, one.range)
  })
  const stored = new Map<string, Buffer>()
  const hub = await listen((request, response) => {
    const one = seen('hub', request)
    requests.push(one)
    const { pathname } = new URL(one.url, 'http://hub')
    const refuse = (status: number, code: string, message: string) =>
      response.writeHead(status, { 'x-error-code': code, 'x-error-message': message }).end(message)
    const api = /^\/api\/(models|datasets)\/([^/]+\/[^/]+)\/revision\/(.+)$/.exec(pathname)
    const file = /^\/(datasets\/)?([^/]+\/[^/]+)\/resolve\/([^/]+)\/(.+)$/.exec(pathname)
    const cached = /^\/api\/resolve-cache\/(models|datasets)\/([^/]+\/[^/]+)\/([^/]+)\/(.+)$/.exec(pathname)
    const type = api?.[1] ?? cached?.[1] ?? (file?.[1] ? 'datasets' : 'models')
    const name = api?.[2] ?? cached?.[2] ?? file?.[2] ?? ''
    const repository = repositories[`${type}/${name}`]
    const path = decodeURIComponent(cached?.[4] ?? file?.[4] ?? '')
    const content = repository && path in repository.files ? Buffer.from(repository.files[path]) : undefined
    if (fault(one, response, content)) return
    if (!repository) return refuse(401, 'RepoNotFound', 'Invalid username or password.')
    if (repository.gated && one.authorization !== `Bearer ${token}`)
      return refuse(
        401,
        'GatedRepo',
        `Access to ${name} is restricted. You must be authenticated to access it.`,
      )
    const commits = repository.commits ?? { main: COMMIT }
    if (api) {
      const sha = commits[decodeURIComponent(api[3])]
      if (sha === undefined) return refuse(404, 'RevisionNotFound', `Invalid rev id: ${api[3]}`)
      const siblings = Object.entries(repository.files).map(([path, text]) =>
        entryOf(path, Buffer.from(text)),
      )
      return void response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ id: name, sha, gated: false, siblings }))
    }
    if (content === undefined) return refuse(404, 'EntryNotFound', 'Entry not found')
    const commit = file?.[3] ?? cached?.[3] ?? ''
    const digest = createHash('sha256').update(content).digest('hex')
    if (LARGE.test(path)) {
      stored.set(digest, content)
      return void response
        .writeHead(302, {
          location: `${cdn.base}/${digest}?Signature=signed&Expires=1&X-Amz-Credential=AKIA`,
          'x-linked-size': String(content.length),
          'x-linked-etag': `"${digest}"`,
          'x-repo-commit': commit,
          'accept-ranges': 'bytes',
        })
        .end('Found. Redirecting')
    }
    if (file) {
      // Small files are cached by the hub, at an address of its own.
      return void response
        .writeHead(307, {
          location: `/api/resolve-cache/${type}/${name}/${commit}/${encodeURIComponent(path)}`,
          'x-repo-commit': commit,
          etag: `"${gitBlob(content)}"`,
        })
        .end()
    }
    response.setHeader('x-repo-commit', commit)
    response.setHeader('etag', `"${gitBlob(content)}"`)
    sendRanged(response, content, one.range)
  })
  onTestFinished(() => {
    for (const { server } of [hub, cdn]) {
      server.close()
      server.closeAllConnections()
    }
  })
  return { asked: requests, endpoint: hub.base, cdn: cdn.base }
}

const seen = (host: 'hub' | 'cdn', { url = '', headers }: IncomingMessage): HubRequest => ({
  host,
  url,
  range: headers.range,
  authorization: headers.authorization,
})

function sendRanged(response: ServerResponse, content: Buffer, range: string | undefined): void {
  const [, start] = /^bytes=(\d+)-$/.exec(range ?? '') ?? []
  if (start !== undefined && Number(start) >= content.length)
    return void response.writeHead(416, { 'content-range': `bytes */${content.length}` }).end()
  const from = Number(start ?? 0)
  const headers = { 'content-length': String(content.length - from), 'accept-ranges': 'bytes' }
  if (start === undefined) response.writeHead(200, headers)
  else
    response.writeHead(206, {
      ...headers,
      'content-range': `bytes ${from}-${content.length - 1}/${content.length}`,
    })
  response.end(content.subarray(from))
}

function entryOf(rfilename: string, content: Buffer) {
  const entry = { rfilename, size: content.length, blobId: gitBlob(content) }
  if (!LARGE.test(rfilename)) return entry
  const sha256 = createHash('sha256').update(content).digest('hex')
  const blobId = gitBlob(Buffer.from(sha256))
  return { ...entry, blobId, lfs: { sha256, size: content.length, pointerSize: 134 } }
}

function gitBlob(content: Buffer): string {
  return createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex')
}

async function listen(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<{ server: Server; base: string }> {
  const server = createServer(answer)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return { server, base: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}
