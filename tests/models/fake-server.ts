import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import type { Clock } from '../../src/models/http/limiter.ts'

/** A request as the server got it. */
export interface Asked {
  readonly url: string
  readonly headers: Readonly<Record<string, unknown>>
  // biome-ignore lint/suspicious/noExplicitAny: what was asked is what the test looks at.
  readonly body: any
}

/** The server's answer to a request: JSON, or a function of the response. */
export type Behaviour =
  | { readonly status?: number; readonly headers?: Record<string, string>; readonly json: unknown }
  | ((response: ServerResponse, asked: Asked) => void)

/** A server on this machine that does to the n-th request what `behave` says; closed when the test ends. */
export async function fakeServer(behave: (n: number, asked: Asked) => Behaviour) {
  const requests: Asked[] = []
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const piece of request) text += piece
    const one = { url: request.url ?? '', headers: request.headers, body: JSON.parse(text) }
    requests.push(one)
    const behaviour = behave(requests.length, one)
    if (typeof behaviour === 'function') return behaviour(response, one)
    const { status = 200, headers = {}, json } = behaviour
    response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(typeof json === 'string' ? json : JSON.stringify(json))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return { asked: requests, baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` }
}

/** Sends events; `cut` breaks the connection after them, else the stream ends as it should. */
export function stream(events: readonly unknown[], cut = false): Behaviour {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const event of events) {
      const named = (event as { type?: string }).type
      const data = typeof event === 'string' ? event : JSON.stringify(event)
      response.write(`${named ? `event: ${named}\n` : ''}data: ${data}\n\n`)
    }
    if (cut) setTimeout(() => response.destroy(), 5)
    else response.end()
  }
}

/** A clock on which waiting takes no time; `waits` are the waits in order. */
export function fakeClock(): Clock & { readonly waits: number[] } {
  let now = 0
  const waits: number[] = []
  return {
    waits,
    now: () => now,
    async wait(milliseconds) {
      waits.push(milliseconds)
      now += milliseconds
    },
  }
}
