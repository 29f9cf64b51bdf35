import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { UserError } from '../errors.ts'
import type { Processes } from '../experiment/lock.ts'
import { rendered } from '../report/markup.ts'
import { withCode } from '../report/words.tsx'
import type { Playground } from './ask.tsx'
import { reasonOf } from './describe.ts'
import { findExperiments, servedFolder } from './find.ts'
import { framed, POLICY, type ViewPage } from './frame.tsx'
import { cookieOf, type Guard, newToken, refusalOf, tokenIn } from './guard.ts'
import { ACTS, openLabelRoutes } from './labels.tsx'
import { type Answer, openRoutes, readViewAssets } from './routes.ts'

export interface ViewOptions {
  /** Nothing outside it is served. */
  readonly folder: string
  readonly shown: string
  /** 0 for any free one. */
  readonly port: number
  readonly processes: Processes
  /** Receives unexpected errors. */
  readonly failed: (error: unknown) => void
  /** Without it the server writes no labels. */
  readonly labels?: string
  /** Without it the server runs no trial and adds no question. */
  readonly playground?: Playground
  /** Milliseconds between looks at the files. */
  readonly every?: number
}

export interface ViewServer {
  /** Address of the list, with token. */
  readonly link: string
  readonly port: number
  readonly experiments: number
  linkTo(address: string): string
  close(): Promise<void>
}

const HOST = '127.0.0.1'

const EVERY = 1000

/** Looks after which a comment tests the connection. */
const SILENT = 15

/**
 * Serves a folder of experiments to this machine's browser, to those who know the token. It writes only labels and
 * added questions. Throws a UserError if the folder or the port cannot be used.
 */
export async function startView({ port, ...options }: ViewOptions): Promise<ViewServer> {
  const root = servedFolder(options.folder)
  const { labels, playground } = options
  const others = [...(labels === undefined ? [] : ['labels']), ...(playground ? ['ask'] : [])]
  const routes = openRoutes(root, options.shown, options.processes, others)
  const labelRoutes = labels === undefined ? null : openLabelRoutes(labels, options.processes.now)
  const askRoutes = playground && (await import('./ask.tsx')).openAskRoutes(playground)
  const posts = new Map<string, (body: string) => Promise<Answer>>([
    ...(labelRoutes ? [[ACTS, async (body: string) => labelRoutes.post(body)] as const] : []),
    ...(askRoutes?.posts ?? []),
  ])
  const assets = readViewAssets()
  const token = newToken()
  let guard: Guard = { token, port }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      options.failed(error)
      if (!response.headersSent)
        send(
          response,
          problem(500, 'A bug in Touchstone', 'The page could not be made. The terminal shows why.'),
        )
      else response.end()
    })
  })

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const refusal = refusalOf(request, guard, [...posts.keys()])
    if (refusal) return send(response, problem(refusal.status, 'Not served', refusal.message))
    const post = request.method === 'POST' && posts.get(request.url ?? '')
    if (post) {
      const body = await bodyOf(request)
      if (body === undefined) return
      return send(
        response,
        body === null
          ? problem(413, 'Too large', `The request is larger than ${LARGEST / 1024} kB.`)
          : await shown(() => post(body)),
      )
    }
    const address = (request.url ?? '/').replace(/^\/+/, '/')
    if (!URL.canParse(address, `http://${HOST}`)) return send(response, missing)
    const url = new URL(address, `http://${HOST}`)
    if (tokenIn(request.url ?? '') !== null) {
      url.searchParams.delete('token')
      response.setHeader('Set-Cookie', cookieOf(guard))
      return send(response, { kind: 'redirect', to: `${url.pathname.replace(/^\/+/, '/')}${url.search}` })
    }
    const asset = assets.get(url.pathname)
    if (asset) return send(response, { kind: 'asset', ...asset })
    if (request.headers.accept?.includes('text/event-stream'))
      return sendChanges(response, () => pageAt(url), options.every ?? EVERY)
    send(response, await pageAt(url))
  }

  function pageAt(url: URL): Promise<Answer> {
    return shown(async () => labelRoutes?.get(url) ?? askRoutes?.get(url) ?? (await routes(url)) ?? missing)
  }

  async function shown(make: () => Promise<Answer>): Promise<Answer> {
    try {
      return await make()
    } catch (error) {
      if (!(error instanceof UserError)) throw error
      return problem(422, 'Cannot be shown', reasonOf(error, root))
    }
  }

  const used = await listen()
  guard = { token, port: used }
  const linkTo = (path: string) => `http://${HOST}:${used}${path}?token=${token}`
  return {
    link: linkTo('/'),
    port: used,
    experiments: findExperiments(root).length,
    linkTo,
    async close() {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }

  function listen(): Promise<number> {
    return new Promise((listening, refused) => {
      server.once('error', (error: NodeJS.ErrnoException) => refused(portError(error, port) ?? error))
      server.listen(port, HOST, () => listening((server.address() as AddressInfo).port))
    })
  }
}

/** Sends a page's content after each change. */
async function sendChanges(
  response: ServerResponse,
  make: () => Promise<Answer>,
  every: number,
): Promise<void> {
  response.writeHead(200, { ...HEADERS, 'Content-Type': 'text/event-stream' })
  let last = ''
  for (let silent = 0; !response.closed && !response.destroyed; silent++) {
    const page = await make()
    const main = page.kind === 'page' ? rendered(page.page.main) : ''
    if (main !== last && page.kind === 'page') {
      response.write(`data: ${JSON.stringify(main)}\n\n`)
      ;[last, silent] = [main, 0]
    } else if (silent >= SILENT) {
      response.write(': still here\n\n')
      silent = 0
    }
    await new Promise((again) => setTimeout(again, every))
  }
}

function portError({ code }: NodeJS.ErrnoException, port: number): UserError | undefined {
  if (code === 'EADDRINUSE')
    return new UserError(`--port: port ${port} is in use; choose another, or leave out --port for a free one`)
  if (code === 'EACCES')
    return new UserError(
      `--port: port ${port} needs more rights; choose one from 1024 on, or leave out --port`,
    )
  return undefined
}

const HEADERS = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'X-Frame-Options': 'DENY',
  'Content-Security-Policy': POLICY,
}

function send(response: ServerResponse, answer: Answer): void {
  switch (answer.kind) {
    case 'redirect':
      response.writeHead(303, { ...HEADERS, Location: answer.to })
      response.end()
      return
    case 'asset':
      response.writeHead(200, { ...HEADERS, 'Content-Type': answer.type })
      response.end(answer.text)
      return
    case 'report':
      response.writeHead(200, { ...HEADERS, 'Content-Security-Policy': answer.policy, 'Content-Type': HTML })
      response.end(answer.html)
      return
    case 'page':
      response.writeHead(answer.status ?? 200, {
        ...HEADERS,
        'Content-Type': HTML,
        ...(answer.status === 405 && { Allow: 'GET' }),
      })
      response.end(framed(answer.page, answer.isHome ?? false, answer.script))
  }
}

const HTML = 'text/html; charset=utf-8'

/** Bytes of a request. */
const LARGEST = 256 * 1024

/** Null if it is too large, undefined if the client left. */
async function bodyOf(request: IncomingMessage): Promise<string | null | undefined> {
  const parts: Buffer[] = []
  let size = 0
  try {
    for await (const part of request) {
      size += part.length
      if (size > LARGEST) return null
      parts.push(part)
    }
  } catch (error) {
    if (request.destroyed) return undefined
    throw error
  }
  return Buffer.concat(parts).toString('utf8')
}

const missing = problem(404, 'Not found', 'There is no such page or experiment.')

function problem(status: number, title: string, message: string): Answer {
  const page: ViewPage = {
    title,
    heading: <h1>{title}</h1>,
    main: (
      <section>
        <p class="lead">{withCode(message)}</p>
      </section>
    ),
  }
  return { kind: 'page', status, page }
}
