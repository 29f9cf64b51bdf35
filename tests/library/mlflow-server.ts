import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * A small server of MLflow's REST API, as strict as the real one with names, types and order. `plan` may answer a request in
 * its place. The real server is in the heavy suite.
 */
interface Asked {
  readonly method: string
  readonly path: string
  readonly authorization: string | undefined
}

type Answer = { readonly status: number; readonly body: unknown }
interface Pair {
  readonly key: string
  readonly value: unknown
}
interface StoredRun {
  readonly info: { run_id: string; run_name: string; status: string; artifact_uri: string }
  readonly data: { tags: Pair[]; params: Pair[]; metrics: Pair[] }
}

export async function startMlflow(artifacts = 'mlflow-artifacts:') {
  const state: { plan: (asked: Asked) => Answer | undefined } = { plan: () => undefined }
  const requests: Asked[] = []
  const experiments = new Map<string, string>()
  const runs: (StoredRun & { readonly experiment: string })[] = []
  const files = new Map<string, string>()

  // biome-ignore lint/suspicious/noExplicitAny: the body of any request.
  function answer(path: string, body: any): Answer {
    const ok = (body: unknown): Answer => ({ status: 200, body })
    const [, name] = /^name = '(.*)'$/.exec(body.filter) ?? []
    const [, hash] = /^tags\.`touchstone\.result` = '(.*)' and /.exec(body.filter ?? '') ?? []
    const run = runs.find(({ info }) => info.run_id === body.run_id)
    switch (path) {
      case 'experiments/search': {
        const id = experiments.get(name)
        return ok(id ? { experiments: [{ experiment_id: id, name }] } : {})
      }
      case 'experiments/create':
        experiments.set(body.name, `${experiments.size + 1}`)
        return ok({ experiment_id: `${experiments.size}` })
      case 'runs/create': {
        require(body.tags, /^[/\w.\- :]*$/, 'string')
        const run_id = `run${runs.length}`
        const artifact_uri = `${artifacts}/${body.experiment_id}/${run_id}/artifacts`
        const info = { run_id, run_name: body.run_name, status: 'RUNNING', artifact_uri }
        runs.push({
          experiment: body.experiment_id,
          info,
          data: { tags: body.tags, params: [], metrics: [] },
        })
        return ok({ run: { info } })
      }
      case 'runs/log-batch':
        require(body.params, /^[/\w.\- :]*$/, 'string')
        require(body.metrics, /^[/\w.\- :]*$/, 'number')
        run?.data.params.push(...body.params)
        run?.data.metrics.push(...body.metrics)
        return run ? ok({}) : { status: 404, body: { error_code: 'RESOURCE_DOES_NOT_EXIST' } }
      case 'runs/update':
        if (run) run.info.status = body.status
        return ok({})
      case 'runs/search': {
        const matching = runs.filter(
          ({ experiment, info, data }) =>
            body.experiment_ids.includes(experiment) &&
            (hash === undefined ||
              (info.status === 'FINISHED' && data.tags.some(({ value }) => value === hash))),
        )
        return ok(matching.length > 0 ? { runs: matching } : {})
      }
      default:
        return { status: 404, body: { error_code: 'ENDPOINT_NOT_FOUND' } }
    }
  }

  const server = createServer(async (request, response) => {
    const { method = '', url: path = '' } = request
    const entry = { method, path, authorization: request.headers.authorization }
    requests.push(entry)
    const text = await bodyOf(request)
    const [, artifact] = /^\/api\/2\.0\/mlflow-artifacts\/artifacts\/(.*)$/.exec(path) ?? []
    const send = ({ status, body }: Answer) =>
      response
        .writeHead(status, { 'content-type': 'application/json' })
        .end(typeof body === 'string' ? body : JSON.stringify(body))
    const planned = state.plan(entry)
    if (planned) return send(planned)
    if (artifact !== undefined && method === 'PUT') {
      files.set(artifact, text)
      return send({ status: 200, body: {} })
    }
    if (artifact !== undefined) return send({ status: 200, body: files.get(artifact) ?? '' })
    try {
      send(answer(path.replace('/api/2.0/mlflow/', ''), JSON.parse(text)))
    } catch (error) {
      send({ status: 400, body: { error_code: 'INVALID_PARAMETER_VALUE', message: String(error) } })
    }
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    state,
    asked: requests,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

function require(pairs: readonly Pair[], key: RegExp, type: string): void {
  for (const pair of pairs)
    if (!key.test(pair.key) || typeof pair.value !== type) throw new Error(`Invalid ${JSON.stringify(pair)}`)
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = ''
  for await (const part of request.setEncoding('utf8')) body += part
  return body
}
