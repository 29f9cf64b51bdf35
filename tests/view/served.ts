import { request } from 'node:http'
import { onTestFinished } from 'vitest'
import { processes } from '../../src/library/machine.ts'
import { startView } from '../../src/view/server.tsx'

export interface Got {
  readonly status: number
  readonly headers: NodeJS.Dict<string | string[]>
  readonly body: string
}

/** A server over a folder until the test ends, and requests that carry its cookie unless they bring other headers. */
export async function serve(folder: string, every = 20) {
  const errors: unknown[] = []
  const server = await startView({
    folder,
    shown: 'experiments',
    port: 0,
    processes,
    every,
    failed: (error) => errors.push(error),
  })
  onTestFinished(server.close)
  const cookie = `touchstone-${server.port}=${new URL(server.link).searchParams.get('token')}`
  const get = (path: string, headers: Record<string, string> = { cookie }, method = 'GET') =>
    new Promise<Got>((got, failed) => {
      // As it stands: fetch would tidy up the path.
      const asked = request({ host: '127.0.0.1', port: server.port, path, method, headers }, (response) => {
        let body = ''
        response.setEncoding('utf8').on('data', (text: string) => {
          body += text
        })
        response.on('end', () => got({ status: response.statusCode ?? 0, headers: response.headers, body }))
      })
      asked.on('error', failed)
      asked.end()
    })
  /** Contents of a page as they are sent, until `enough` says so. */
  const follow = (path: string, enough: (mains: readonly string[]) => boolean) =>
    new Promise<readonly string[]>((done, failed) => {
      const headers = { cookie, accept: 'text/event-stream' }
      const asked = request({ host: '127.0.0.1', port: server.port, path, headers }, (response) => {
        const mains: string[] = []
        let text = ''
        response.setEncoding('utf8').on('data', (more: string) => {
          text += more
          const events = text.split('\n\n')
          text = events.pop() ?? ''
          for (const event of events) if (event.startsWith('data: ')) mains.push(JSON.parse(event.slice(6)))
          if (!enough(mains)) return
          done(mains)
          response.destroy()
        })
      })
      asked.on('error', failed)
      asked.end()
    })
  return { server, cookie, get, follow, errors }
}
