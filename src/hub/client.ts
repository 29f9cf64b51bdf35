import { z } from 'zod'
import { UserError } from '../errors.ts'
import { readBody } from '../models/http/body.ts'
import type { Clock } from '../models/http/clock.ts'
import { AGAIN, askedPause, Broken, isPassing, reason } from '../models/http/server.ts'
import { isStopping, Stopped, throwIfStopping } from '../stopping.ts'

/**
 * The part of the Hugging Face hub's protocol that reads: `/api/{models,datasets}/REPO/revision/REVISION` gives a commit,
 * `/api/.../tree/COMMIT` its files page by page, and `/REPO/resolve/COMMIT/PATH` a file, mostly by a redirect to a signed
 * address on another host. The token goes to the hub's own host alone.
 */
export interface HubClient {
  /** Address of the hub without a slash at its end. */
  readonly endpoint: string
  commitOf(repo: Repository, revision: string): Promise<string>
  filesOf(repo: Repository, commit: string): Promise<RemoteFile[]>
  /**
   * Gives the bytes of a file from an offset on to `take`, which returns true once it has them all; asks again where a
   * response breaks off. `from` is asked before every request.
   */
  read(repo: Repository, commit: string, path: string, transfer: Transfer): Promise<void>
  /** Page of a repository for people. */
  pageOf(repo: Repository): string
}

export interface Repository {
  readonly type: 'models' | 'datasets'
  readonly name: string
}

export interface RemoteFile {
  /** With `/` between folders; checked, so that it stays below any folder that it is joined to. */
  readonly path: string
  readonly size: number
  /** SHA-256 of a file in large file storage; other files are known by `blob`. */
  readonly sha256?: string
  /** SHA-1 of the file as git hashes it, or of its pointer. */
  readonly blob: string
}

interface Transfer {
  from(): number
  /** Takes the body of a response that begins at `start`. */
  take(body: AsyncIterable<Uint8Array>, start: number): Promise<void>
}

interface ClientOptions {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly clock: Clock
  /** Milliseconds without a byte after which a request is sent again. */
  readonly idle?: number
}

/** The hub cannot be reached, or does not answer: other than for a refusal, files from elsewhere help. */
export class Unreachable extends UserError {}

const ATTEMPTS = 5
const FIRST_WAIT = 500
const LONGEST_WAIT = 60_000
const IDLE = 60_000
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])
const MAX_REDIRECTS = 5
const LONGEST_ANSWER = 64 * 2 ** 20
const MAX_PAGES = 1000
/** Milliseconds between two looks at a request to stop. */
const STOP_LOOK = 100
const QUOTED = 200

const commitSchema = z.object({ sha: z.string().regex(/^[0-9a-f]{40}$/) })
const entrySchema = z.object({
  type: z.string(),
  path: z.string(),
  size: z.number().int().nonnegative().optional(),
  oid: z.string(),
  lfs: z
    .object({
      oid: z.string().regex(/^(?:sha256:)?[0-9a-f]{64}$/),
      size: z.number().int().nonnegative(),
    })
    .nullish(),
})

/** Repository or revision as messages name it, and its page for people. */
interface Asked {
  readonly what: string
  readonly page: string
}

interface FileRequest<T> {
  headers?(): Readonly<Record<string, string>>
  seen?(response: Response): void
  read(response: Response, alive: () => void): Promise<T>
  /** True if the last attempt got further than the one before. */
  progressed?(): boolean
}

/** Requests to the hub at `endpoint`, with redirects and repetitions. */
function openTransport({ env, clock, idle = IDLE }: ClientOptions) {
  const endpoint = endpointOf(env.HF_ENDPOINT)
  const token = tokenOf(env.HF_TOKEN, endpoint)
  const quote = (text: string) =>
    (token === undefined ? text : text.replaceAll(token, '***')).replace(/\s+/g, ' ').trim().slice(0, QUOTED)

  /** Response to a GET after redirects. `seen` gets every response on the way. */
  async function follow(
    url: URL,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal,
    seen: (response: Response) => void,
  ): Promise<Response> {
    let at = url
    for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
      const own: Record<string, string> =
        token !== undefined && at.origin === endpoint.origin ? { authorization: `Bearer ${token}` } : {}
      const response = await fetch(at, {
        // A compressed body has no ranges of the file.
        headers: { 'accept-encoding': 'identity', 'user-agent': 'touchstone', ...headers, ...own },
        redirect: 'manual',
        signal,
      })
      seen(response)
      if (!REDIRECTS.has(response.status)) return response
      await response.body?.cancel()
      at = targetOf(at, response.headers.get('location'))
    }
    throw new UserError(`${placeOf(url)}: more than ${MAX_REDIRECTS} redirects`)
  }

  /** Sends a request until `read` has what it needs, with more attempts after one that got further. */
  async function get<T>(url: URL, asked: Asked, request: FileRequest<T>): Promise<T> {
    const stop = watchStop()
    try {
      return await attempts(stop.signal)
    } finally {
      stop.end()
    }

    async function attempts(stopped: AbortSignal): Promise<T> {
      let problem = ''
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
        throwIfStopping()
        let pause = FIRST_WAIT * 2 ** attempt
        const watch = watchIdle(idle)
        try {
          const response = await follow(
            url,
            request.headers?.() ?? {},
            AbortSignal.any([watch.signal, stopped]),
            request.seen ?? (() => {}),
          )
          watch.alive()
          if (response.ok || response.status === 416) return await request.read(response, watch.alive)
          const { text } = await readBody(response, LONGEST_ANSWER)
          const { status, headers } = response
          problem = `${status} ${quote(headers.get('x-error-message') ?? text)}`
          const refused = refusal(status, headers.get('x-error-code') ?? '', asked, token !== undefined)
          if (refused !== undefined) throw new UserError(`${refused} (${problem.trim()})`)
          if (status < 500 && !AGAIN.has(status)) throw new UserError(`${placeOf(url)}: ${problem}`)
          pause = Math.min(Math.max(pause, askedPause(headers)), LONGEST_WAIT)
        } catch (error) {
          if (!isPassing(error)) throw error
          problem = quote(reason(error))
          if (request.progressed?.()) attempt = 0
        } finally {
          watch.end()
        }
        if (attempt + 1 < ATTEMPTS) await clock.wait(pause, stopped).catch(throwIfStopping)
      }
      throw new Unreachable(`${placeOf(url)}: no answer in ${ATTEMPTS} attempts; the last: ${problem}`)
    }
  }

  async function json<T>(url: URL, schema: z.ZodType<T>, asked: Asked) {
    return get(url, asked, {
      async read(response) {
        const { text, whole } = await readBody(response, LONGEST_ANSWER)
        const wrong = (why: string) => new UserError(`${placeOf(url)}: is no answer of a hub: ${why}`)
        if (!whole) throw wrong('it is too long')
        let value: unknown
        try {
          value = JSON.parse(text)
        } catch {
          throw wrong(`it is not JSON but "${quote(text).slice(0, 60)}"`)
        }
        const checked = schema.safeParse(value)
        if (!checked.success) throw wrong(checked.error.issues[0]?.message ?? 'it has another shape')
        return { value: checked.data, link: response.headers.get('link') }
      },
    })
  }

  return { endpoint, quote, get, json }
}

export function openClient(options: ClientOptions): HubClient {
  const { endpoint, quote, get, json } = openTransport(options)
  const base = endpoint.href.replace(/(?<!\/)\/+$/, '')
  const pageOf = ({ type, name }: Repository) => `${base}/${type === 'datasets' ? 'datasets/' : ''}${name}`
  const askedOf = (repo: Repository) => ({
    what: `${repo.type === 'models' ? 'model' : 'dataset'} \`${repo.name}\``,
    page: pageOf(repo),
  })
  const encoded = (path: string) => path.split('/').map(encodeURIComponent).join('/')

  return {
    endpoint: base,
    pageOf,
    async commitOf(repo, revision) {
      const url = new URL(`${base}/api/${repo.type}/${repo.name}/revision/${encodeURIComponent(revision)}`)
      const asked = { ...askedOf(repo), what: `${askedOf(repo).what} at the revision \`${revision}\`` }
      return (await json(url, commitSchema, asked)).value.sha
    },
    async filesOf(repo, commit) {
      const files: RemoteFile[] = []
      let url: URL | undefined = new URL(
        `${base}/api/${repo.type}/${repo.name}/tree/${commit}?recursive=true`,
      )
      for (let page = 0; url !== undefined && page < MAX_PAGES; page++) {
        const { value, link }: { value: z.output<typeof entrySchema>[]; link: string | null } = await json(
          url,
          z.array(entrySchema),
          askedOf(repo),
        )
        for (const { type, path, size, oid, lfs } of value) {
          if (type !== 'file') continue
          if (!isSafePath(path))
            throw new UserError(
              `${askedOf(repo).what} names a file with a path that is refused: ${quote(path)}`,
            )
          files.push({
            path,
            size: lfs?.size ?? size ?? 0,
            blob: oid,
            ...(lfs && { sha256: lfs.oid.replace(/^sha256:/, '') }),
          })
        }
        const next: string | undefined = /<([^<>]+)>\s*;\s*rel="?next"?/.exec(link ?? '')?.[1]
        // A mirror may hand on the hub's own address.
        const found: URL | undefined = next === undefined ? undefined : new URL(next, url)
        url = found && new URL(`${endpoint.origin}${found.pathname}${found.search}`)
      }
      return files
    },
    async read(repo, commit, path, transfer) {
      const url = new URL(`${pageOf(repo)}/resolve/${commit}/${encoded(path)}`)
      let before = transfer.from()
      let reached = before
      await get(url, askedOf(repo), {
        headers(): Record<string, string> {
          before = transfer.from()
          return before > 0 ? { range: `bytes=${before}-` } : {}
        },
        progressed() {
          const further = transfer.from() > reached
          reached = Math.max(reached, transfer.from())
          return further
        },
        seen({ headers }) {
          const sent = headers.get('x-repo-commit')
          if (sent !== null && sent !== commit)
            throw new UserError(`${placeOf(url)}: the hub sends the commit ${quote(sent)} and not ${commit}`)
        },
        async read(response, alive) {
          const { status, headers, body } = response
          if (status === 416) {
            await body?.cancel()
            await transfer.take(empty(), 0)
            throw new Broken('the range is beyond the end of the file')
          }
          const start = status === 206 ? rangeStart(headers.get('content-range')) : 0
          if (start > before) throw new Broken(`sent bytes from ${start} on where ${before} was asked for`)
          await transfer.take(living(body, alive), start)
        },
      })
    },
  }
}

async function* empty(): AsyncGenerator<Uint8Array> {}

async function* living(body: Response['body'], alive: () => void): AsyncGenerator<Uint8Array> {
  for await (const piece of body ?? []) {
    alive()
    yield piece
  }
}

/** First byte of `bytes 100-199/200`. */
function rangeStart(header: string | null): number {
  const [, start] = /^bytes (\d+)-/.exec(header ?? '') ?? []
  if (start === undefined) throw new Broken('sent a part of the file without saying which')
  return Number(start)
}

/** Aborts, by `Stopped`, once the process is asked to stop. */
function watchStop() {
  const controller = new AbortController()
  const timer = setInterval(() => {
    if (isStopping()) controller.abort(new Stopped())
  }, STOP_LOOK)
  return { signal: controller.signal, end: () => clearInterval(timer) }
}

/** Aborts a request that receives nothing for a while. */
function watchIdle(milliseconds: number) {
  const controller = new AbortController()
  const stop = () =>
    controller.abort(new DOMException(`no byte came for ${milliseconds / 1000} s`, 'TimeoutError'))
  let timer = setTimeout(stop, milliseconds)
  return {
    signal: controller.signal,
    alive() {
      clearTimeout(timer)
      timer = setTimeout(stop, milliseconds)
    },
    end: () => clearTimeout(timer),
  }
}

function endpointOf(given: string | undefined): URL {
  const text = given?.trim() || 'https://huggingface.co'
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash)
    throw new UserError(
      `the environment variable HF_ENDPOINT must be an http or https address without a name and a password, as https://huggingface.co`,
    )
  return url
}

/** The token, if it can be sent: over https, or within this machine. */
function tokenOf(given: string | undefined, endpoint: URL): string | undefined {
  const token = given?.trim()
  if (!token) return undefined
  if (!/^[\x21-\x7e]+$/.test(token))
    throw new UserError(
      'the token in the environment variable HF_TOKEN holds a space, a line break or a character that is not ASCII; set it again',
    )
  const isLocal = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(endpoint.hostname)
  if (endpoint.protocol === 'http:' && !isLocal)
    throw new UserError(
      `HF_TOKEN is not sent to ${endpoint.origin} without encryption; use an https address as HF_ENDPOINT, or unset HF_TOKEN`,
    )
  return token
}

/** Target of a redirect: any host, but never from https to http, and never with a name or a password. */
function targetOf(from: URL, location: string | null): URL {
  if (!location || !URL.canParse(location, from.href))
    throw new UserError(`${placeOf(from)}: a redirect to nowhere`)
  const next = new URL(location, from)
  const safe = next.protocol === 'https:' || (next.protocol === 'http:' && from.protocol === 'http:')
  if (!safe || next.username || next.password)
    throw new UserError(
      `${placeOf(from)}: a redirect to ${next.protocol}//${next.host}, which is not followed: it has no encryption, or a name or password`,
    )
  return next
}

/** Address without its query, which may hold a signature. */
function placeOf({ origin, pathname }: URL): string {
  return `${origin}${pathname}`
}

/** Message for a refusal that trying again does not change; undefined for other statuses. */
function refusal(status: number, code: string, { what, page }: Asked, hasToken: boolean): string | undefined {
  if (status === 403 || code === 'GatedRepo')
    return hasToken
      ? `the ${what} may not be read with the token in HF_TOKEN; accept its terms at ${page}, or use a token with access`
      : `the ${what} is gated: accept its terms at ${page} and put your token into the environment variable HF_TOKEN`
  if (code === 'RevisionNotFound') return `there is no ${what}; see ${page}/tree/main for what there is`
  if (code === 'EntryNotFound') return `a file of the ${what} is not there any more; see ${page}/tree/main`
  if (status === 401 || status === 404)
    return `the ${what} is not on the hub, or it is private: check its name at ${page}${hasToken ? '' : '; a private one needs HF_TOKEN'}`
  return status === 451 ? `the ${what} is not available for legal reasons` : undefined
}

/** False for paths that could leave a folder or mean something else on another system. */
function isSafePath(path: string): boolean {
  return (
    path.length <= 1000 &&
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused.
    !/[\u0000-\u001f\u007f\\:*?"<>|]/.test(path) &&
    path.split('/').every((part) => part !== '' && part !== '.' && part !== '..' && !/[. ]$/.test(part))
  )
}
