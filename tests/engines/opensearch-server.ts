import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * A small server of OpenSearch's protocol: indexes with mappings, bulk loads, exact vector search, and word search that scores
 * a text by the share of its words that match. `plan` may answer a request in its place. The real server is in the heavy suite.
 */
export interface Asked {
  readonly method: string
  readonly path: string
  readonly body: string
}

type Answer = { readonly status: number; readonly body: unknown }
type Body = Record<string, never>

interface Stored {
  readonly row?: number
  readonly [field: string]: unknown
}

interface Held {
  mapping: Record<string, unknown>
  settings: unknown
  readonly documents: Map<string, Stored>
}

export async function startOpenSearch() {
  const indexes = new Map<string, Held>()
  const requests: Asked[] = []
  const state: { plan: (asked: Asked) => Answer | 'cut' | undefined } = { plan: () => undefined }
  const server = createServer(async (request, response) => {
    const one = { method: request.method ?? '', path: request.url ?? '', body: await bodyOf(request) }
    requests.push(one)
    const planned = state.plan(one)
    if (planned === 'cut') return void request.socket.destroy()
    const { status, body } = planned ?? answer(indexes, one)
    response.writeHead(status, { 'content-type': 'application/json; charset=UTF-8' })
    response.end(request.method === 'HEAD' ? undefined : JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    indexes,
    asked: requests,
    state,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export const refusal = (status: number, type: string, reason: string): Answer => ({
  status,
  body: { error: { type, reason }, status },
})

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = ''
  for await (const part of request.setEncoding('utf8')) body += part
  return body
}

function answer(indexes: Map<string, Held>, { method, path, body }: Asked): Answer {
  const [, name, action] = path.split('?')[0].split('/')
  const index = indexes.get(name)
  if (method === 'DELETE' && index) {
    indexes.delete(name)
    return { status: 200, body: { acknowledged: true } }
  }
  const ok = (body: unknown): Answer => ({ status: 200, body })
  if (name === '') return ok({ version: { distribution: 'opensearch', number: '2.19.1' } })
  if (method === 'PUT' && action === undefined) {
    if (index) return refusal(400, 'resource_already_exists_exception', `index [${name}] already exists`)
    const { mappings, settings } = JSON.parse(body)
    indexes.set(name, { mapping: mappings, settings, documents: new Map() })
    return ok({ acknowledged: true })
  }
  if (!index) return refusal(404, 'index_not_found_exception', `no such index [${name}]`)
  if (action === '_mapping' && method === 'GET') return ok({ [name]: { mappings: index.mapping } })
  if (action === '_mapping') {
    index.mapping = { ...index.mapping, ...JSON.parse(body) }
    return ok({ acknowledged: true })
  }
  if (action === '_count') return ok({ count: index.documents.size, _shards: { total: 1, successful: 1 } })
  if (action === '_refresh') return ok({ _shards: { total: 1, successful: 1, failed: 0 } })
  if (action === '_mget')
    return ok({
      docs: JSON.parse(body).ids.map((id: string) => ({ _id: id, found: index.documents.has(id) })),
    })
  if (action === '_bulk') return ok(load(index, body))
  if (action === '_search') return ok(search(index, JSON.parse(body)))
  return refusal(400, 'unknown', `${method} ${path}`)
}

function load({ documents }: Held, body: string) {
  const lines = body.trimEnd().split('\n')
  const items = []
  for (let i = 0; i < lines.length; i += 2) {
    const { _id } = JSON.parse(lines[i]).index
    documents.set(_id, JSON.parse(lines[i + 1]))
    items.push({ index: { _id, status: 201 } })
  }
  return { errors: false, items }
}

interface Clauses {
  readonly bool: {
    readonly must?: [{ match: Record<string, { query: string }> }]
    readonly filter: ({ terms: { row: number[] } } | { exists: Body })[]
  }
}

function search({ documents }: Held, { query, size }: { query: Body; size: number }) {
  const { script_score: script, bool } = query as {
    script_score?: { query: Clauses; script: { params: { field: string; query_value: number[] } } }
    bool?: Clauses['bool']
  }
  const clauses = script ? script.query.bool : (bool as Clauses['bool'])
  const rows = clauses.filter.flatMap((clause) => ('terms' in clause ? [new Set(clause.terms.row)] : []))
  const [[field, { query: queryText }]] = Object.entries(clauses.must?.[0].match ?? { none: { query: '' } })
  const words = clauses.must && wordsOf(queryText)
  const scored = [...documents]
    .filter(([, { row = -1 }]) => rows.every((set) => set.has(row)))
    .flatMap(([_id, stored]) => {
      const { row = -1 } = stored
      if (script) {
        const { field, query_value: query } = script.script.params
        const vector = stored[field] as number[] | undefined
        return vector ? [{ _id, row, score: (1 + dot(vector, query)) / 2 }] : []
      }
      if (!words) return [{ _id, row, score: 0 }]
      const all = wordsOf(String(stored[field] ?? ''))
      const score = all.filter((word) => words.some((asked) => asked === word)).length / all.length
      return score > 0 ? [{ _id, row, score }] : []
    })
    .sort((a, b) => b.score - a.score || b.row - a.row)
  const hitOf = ({ _id, row, score }: { _id: string; row: number; score: number }) => ({
    _id,
    _score: score,
    sort: [score, row],
  })
  return {
    took: 1,
    timed_out: false,
    _shards: { total: 1, successful: 1, failed: 0 },
    hits: { hits: scored.slice(0, size).map(hitOf) },
  }
}

const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(/\p{L}+|\p{N}+/gu) ?? []
const dot = (a: readonly number[], b: readonly number[]) => a.reduce((sum, value, i) => sum + value * b[i], 0)
