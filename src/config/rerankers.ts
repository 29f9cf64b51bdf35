import { embedders } from '../models/embedders/index.ts'
import { rerankers } from '../models/rerankers/index.ts'
import type { Json } from '../types.ts'
import { readChoice, type Variant } from './choices.ts'
import { show } from './explain.ts'
import { isMap, type Path, type Reading } from './reading.ts'
import type { Rerankers } from './reranker-names.ts'

/** Reads `rerankers`: names, each with a kind and its params. */
export function readRerankers(raw: unknown, reading: Reading): Rerankers {
  const { problems } = reading
  const found = new Map<string, { choice: Variant['choice']; content: Json }>()
  if (raw === undefined) return found
  if (!isMap(raw)) {
    const message = `must be a map of names to rerankers, as {near: {embedding: {embedder: lsa}}}, not ${show(raw)}`
    problems.push({ path: ['rerankers'], message })
    return found
  }
  for (const [name, given] of Object.entries(raw)) {
    const path = ['rerankers', name]
    if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,49}$/.test(name))
      problems.push({
        path,
        on: 'key',
        message: 'a reranker is named by letters, digits, `.`, `_` and `-`, at most 50',
      })
    if (rerankers.byName.has(name))
      problems.push({ path, on: 'key', message: `\`${name}\` is a kind of reranker; take another name` })
    const variant = readReranker(given, path, reading)
    if (variant) found.set(name, variant)
  }
  return found
}

/** One kind with its params, and its embedder, which is a choice of its own. */
function readReranker(given: unknown, path: Path, reading: Reading) {
  const one = (raw: unknown, at: Path, registry: typeof rerankers | typeof embedders) => {
    const { list } = readChoice(raw, at, { registry }, reading)
    if (list.length > 1)
      reading.problems.push({ path: at, message: 'has no grid; name several, and vary the `by` of `rerank`' })
    return list.length === 1 ? list[0] : undefined
  }
  const [kind, params] = isMap(given) ? (Object.entries(given)[0] ?? []) : []
  const named = kind !== undefined && isMap(params) && params.embedder !== undefined
  const outer = one(given, path, rerankers)
  if (!outer || !named) return outer && { choice: outer.choice, content: contentOf(outer) }
  const inner = one(params.embedder, [...path, kind, 'embedder'], embedders)
  if (!inner) return undefined
  const embedder = { name: inner.choice.name, params: inner.choice.params }
  return {
    choice: { ...outer.choice, params: { ...outer.choice.params, embedder } },
    content: [outer.choice.name, { ...outer.content, embedder: contentOf(inner) }],
  }
}

function contentOf({ choice, content }: Variant): Json {
  return [choice.name, content]
}
