import { z } from 'zod'
import { UserError } from '../errors.ts'
import { readBody } from '../models/http/body.ts'
import type { Clock } from '../models/http/limiter.ts'
import { AGAIN, askedPause, isPassing, reason } from '../models/http/server.ts'
import { isStopping, Stopped, throwIfStopping } from '../stopping.ts'
import { parseJson } from '../text/json.ts'

export interface Repository {
  readonly type: 'models' | 'datasets'
  readonly name: string
}

export interface Snapshot {
  readonly commit: string
  readonly files: readonly RemoteFile[]
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

/** Error of a hub that cannot be reached or does not answer: files from elsewhere help. */
export class Unreachable extends UserError {}

export type HubClient = ReturnType<typeof openClient>

const ATTEMPTS = 5
const LONGEST_ANSWER = 64 * 2 ** 20

const snapshotSchema = z.object({
  sha: z.string().regex(/^[0-9a-f]{40}$/),
  siblings: z.array(
    z.object({
      rfilename: z.string(),
      size: z.int().nonnegative(),
      blobId: z.string(),
      lfs: z.object({ sha256: z.string().regex(/^[0-9a-f]{64}$/) }).nullish(),
    }),
  ),
})

/**
 * Reading part of the Hugging Face hub's protocol: a commit with its files, and a file, mostly by a redirect to another host, to which
 * `fetch` sends no token. `idle`: milliseconds without a byte until a request is sent again.
 */
export function openClient(
  env: Readonly<Record<string, string | undefined>>,
  clock: Clock,
  idle: number = 60_000,
) {
  const endpoint = endpointOf(env.HF_ENDPOINT)
  const token = tokenOf(env.HF_TOKEN, endpoint)
  const base = endpoint.href.replace(/(?<!\/)\/+$/, '')
  const quote = (text: string) =>
    (token ? text.replaceAll(token, '***') : text).replace(/\s+/g, ' ').trim().slice(0, 200)
  const stop = stopSignal()
  const pageOf = ({ type, name }: Repository) => `${base}/${type === 'datasets' ? 'datasets/' : ''}${name}`

  /** Sends a GET until `read` has what it needs. `from`: bytes that are there; attempts are counted anew if one adds some. */
  async function get<T>(
    url: string,
    repo: Repository,
    read: (response: Response, alive: () => void) => Promise<T>,
    from = () => 0,
  ): Promise<T> {
    let problem = ''
    let reached = from()
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      let pause = 500 * 2 ** attempt
      const late = new AbortController()
      const why = new DOMException(`no byte came for ${idle / 1000} s`, 'TimeoutError')
      const timer = setTimeout(() => late.abort(why), idle)
      try {
        const response = await fetch(url, {
          headers: {
            // A compressed body has no ranges of the file.
            'accept-encoding': 'identity',
            'user-agent': 'touchstone',
            ...(reached > 0 && { range: `bytes=${reached}-` }),
            ...(token && { authorization: `Bearer ${token}` }),
          },
          signal: AbortSignal.any([late.signal, stop]),
        })
        if (response.ok) return await read(response, () => timer.refresh())
        const { text } = await readBody(response, LONGEST_ANSWER)
        const { status, headers } = response
        problem = `${status} ${quote(headers.get('x-error-message') ?? text)}`
        const code = headers.get('x-error-code')
        const refused = refusal(status, code, repo, pageOf(repo), token !== undefined)
        if (refused !== undefined) throw new UserError(`${refused} (${problem.trim()})`)
        if (status < 500 && !AGAIN.has(status)) throw new UserError(`${url}: ${problem}`)
        pause = Math.min(Math.max(pause, askedPause(headers)), 60_000)
      } catch (error) {
        if (!isPassing(error)) throw error
        problem = quote(reason(error))
        if (from() > reached) attempt = 0
        reached = from()
      } finally {
        clearTimeout(timer)
      }
      if (attempt + 1 < ATTEMPTS) await clock.wait(pause, stop).catch(throwIfStopping)
    }
    throw new Unreachable(`${url}: no answer in ${ATTEMPTS} attempts; the last: ${problem}`)
  }

  return {
    endpoint: base,
    snapshot(repo: Repository, revision: string): Promise<Snapshot> {
      const at = `${base}/api/${repo.type}/${repo.name}/revision/${encodeURIComponent(revision)}`
      return get(`${at}?blobs=true`, repo, async (response) => {
        const { text } = await readBody(response, LONGEST_ANSWER)
        const { data } = snapshotSchema.safeParse(parseJson(text).value)
        if (!data) throw new UserError(`${at}: is no answer of a hub but "${quote(text).slice(0, 60)}"`)
        const files = data.siblings.map(({ rfilename: path, size, blobId: blob, lfs }): RemoteFile => {
          if (!isSafePath(path))
            throw new UserError(`\`${repo.name}\` names a file with a path that is refused: ${quote(path)}`)
          return { path, size, blob, ...(lfs && { sha256: lfs.sha256 }) }
        })
        return { commit: data.sha, files }
      })
    },
    /**
     * Reads a file. `take` gets a body from the byte `start`, calls `alive` for each piece, and throws a Broken if it ends early. `from`:
     * bytes that are there.
     */
    read(
      repo: Repository,
      commit: string,
      path: string,
      from: () => number,
      take: (body: AsyncIterable<Uint8Array>, start: number, alive: () => void) => Promise<void>,
    ): Promise<void> {
      const url = `${pageOf(repo)}/resolve/${commit}/${path.split('/').map(encodeURIComponent).join('/')}`
      const read = ({ status, body }: Response, alive: () => void) =>
        take(body ?? new ReadableStream(), status === 206 ? from() : 0, alive)
      return get(url, repo, read, from)
    },
  }
}

/** Message for a refusal that trying again does not change; undefined for other statuses. */
function refusal(status: number, code: string | null, repo: Repository, page: string, hasToken: boolean) {
  const subject = `${repo.type === 'models' ? 'model' : 'dataset'} \`${repo.name}\``
  if (status === 403 || code === 'GatedRepo')
    return hasToken
      ? `the ${subject} may not be read with the token in HF_TOKEN; accept its terms at ${page}, or use a token with access`
      : `the ${subject} is gated: accept its terms at ${page} and put your token into the environment variable HF_TOKEN`
  if (code === 'RevisionNotFound')
    return `the ${subject} has no such revision; see ${page}/tree/main for what there is`
  if (status !== 401 && status !== 404) return undefined
  return `the ${subject} is not on the hub, or it is private: check its name at ${page}${hasToken ? '' : '; a private one needs HF_TOKEN'}`
}

function stopSignal(): AbortSignal {
  const controller = new AbortController()
  setInterval(() => isStopping() && controller.abort(new Stopped()), 100).unref()
  return controller.signal
}

function endpointOf(address: string | undefined): URL {
  const text = address?.trim() || 'https://huggingface.co'
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url && /^https?:$/.test(url.protocol) && !url.username && !url.password && !url.search && !url.hash)
    return url
  throw new UserError(
    'the environment variable HF_ENDPOINT must be an http or https address without a name and a password, as https://huggingface.co',
  )
}

/** The token, if it can be sent: over https, or within this machine. */
function tokenOf(secret: string | undefined, { protocol, hostname, origin }: URL): string | undefined {
  const token = secret?.trim()
  if (!token) return undefined
  if (!/^[\x21-\x7e]+$/.test(token))
    throw new UserError(
      'the token in the environment variable HF_TOKEN holds a space, a line break or a character that is not ASCII; set it again',
    )
  if (protocol === 'https:' || /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname)) return token
  throw new UserError(
    `HF_TOKEN is not sent to ${origin} without encryption; use an https address as HF_ENDPOINT, or unset HF_TOKEN`,
  )
}

/** False for paths that could leave a folder or mean something else on another system. */
function isSafePath(path: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused.
  const isPlain = path.length <= 1000 && !/[\u0000-\u001f\u007f\\:*?"<>|]/.test(path)
  return isPlain && path.split('/').every((part) => part !== '' && !/[. ]$/.test(part))
}
