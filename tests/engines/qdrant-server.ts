import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * A small server of Qdrant's protocol, as its reference describes it: collections, aliases, points, exact search by cosine.
 * No server of Qdrant is in a package registry. `plan` may answer a request in its place.
 */
interface Collection {
  readonly params: { readonly vectors: object }
  readonly points: Map<number, number[]>
  readonly payloads?: ReadonlyMap<number, Readonly<Record<string, string>>>
  readonly aliases: string[]
}

interface Asked {
  readonly method: string
  readonly path: string
  readonly key: string | undefined
  readonly body: Body
}

type Answer = { readonly status: number; readonly body: unknown }

export async function startQdrant() {
  const collections = new Map<string, Collection>()
  const asked: Asked[] = []
  const state: { plan: (asked: Asked) => Answer | 'cut' | undefined } = { plan: () => undefined }
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const part of request.setEncoding('utf8')) text += part
    const key = request.headers['api-key']
    const body: Body = text === '' ? {} : JSON.parse(text)
    const one = { method: request.method ?? '', path: request.url ?? '', key: key?.toString(), body }
    asked.push(one)
    const planned = state.plan(one)
    if (planned === 'cut') return void request.socket.destroy()
    const { status, body: said } = planned ?? answer(collections, one)
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(said))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    ...{ collections, asked, state },
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export const refusal = (status: number, error: string): Answer => ({
  status,
  body: { status: { error }, time: 0 },
})

const ok = (result: unknown): Answer => ({ status: 200, body: { result, status: 'ok', time: 0.002 } })

interface Body {
  readonly actions?: { create_alias: { collection_name: string; alias_name: string } }[]
  readonly points?: { id: number; vector: number[] }[]
  readonly query?: number[]
  readonly limit?: number
  readonly filter?: { must: [{ has_id?: number[]; key?: string; match?: { any: string[] } }] }
  readonly with_vector?: boolean
}

function answer(collections: Map<string, Collection>, { method, path, body }: Asked): Answer {
  const [, root, name, part, action] = path.split('?')[0].split('/')
  if (root === '') return { status: 200, body: { title: 'qdrant', version: '1.17.0' } }
  if (name === 'aliases') {
    for (const { create_alias: made } of body.actions ?? [])
      collections.get(made.collection_name)?.aliases.push(made.alias_name)
    return ok(true)
  }
  const held = collections.get(name)
  if (method === 'PUT' && part === undefined) {
    if (held) return refusal(409, `Wrong input: Collection \`${name}\` already exists!`)
    collections.set(name, {
      params: body as unknown as Collection['params'],
      points: new Map(),
      aliases: [],
    })
    return ok(true)
  }
  if (!held) return refusal(404, `Not found: Collection \`${name}\` doesn't exist!`)
  if (method === 'DELETE') return ok(collections.delete(name))
  if (part === undefined)
    return ok({ status: 'green', points_count: held.points.size, config: { params: held.params } })
  if (part === 'aliases')
    return ok({ aliases: held.aliases.map((alias_name) => ({ alias_name, collection_name: name })) })
  if (action === 'count') return ok({ count: held.points.size })
  if (action === 'query') return ok({ points: near(held, body) })
  if (action === 'scroll')
    return ok({ points: kept(held, body).slice(0, body.limit).map(pointOf(held, body)) })
  const { size } = held.params.vectors as { size: number }
  const wrong = body.points?.find(({ vector }) => vector.length !== size)
  if (wrong)
    return refusal(
      400,
      `Wrong input: Vector dimension error: expected dim: ${size}, got ${wrong.vector.length}`,
    )
  for (const { id, vector } of body.points ?? []) held.points.set(id, vector)
  return ok({ operation_id: 1, status: 'completed' })
}

/** Points that a filter keeps: all without one. */
function kept({ points, payloads }: Collection, { filter }: Body): [number, number[]][] {
  const [{ has_id, key = '', match }] = filter?.must ?? [{ has_id: undefined, match: undefined }]
  return [...points].filter(
    ([id]) => (has_id?.includes(id) ?? true) && (match?.any.includes(payloads?.get(id)?.[key] ?? '') ?? true),
  )
}

const pointOf =
  ({ payloads }: Collection, { with_vector }: Body) =>
  ([id, vector]: [number, number[]]) => ({ id, payload: payloads?.get(id), ...(with_vector && { vector }) })

function near(held: Collection, body: Body) {
  const { query = [], limit } = body
  return kept(held, body)
    .map(([id, vector]) => ({
      ...{ id, payload: held.payloads?.get(id) },
      score: vector.reduce((sum, value, i) => sum + value * query[i], 0),
    }))
    .sort((a, b) => b.score - a.score)
    .slice(0, limit)
}
