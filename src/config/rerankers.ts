import type { Choice } from '../corpus/recipe.ts'
import { type EndpointParams, identityOfEndpoint } from '../models/rerank-endpoint.ts'
import { rerankers } from '../models/rerankers/index.ts'
import { resolve } from '../registry.ts'
import { show } from '../text/schema-words.ts'
import type { Json } from '../types.ts'
import { readChoice, type Variant, withEmbedder } from './choices.ts'
import type { Budget } from './experiment.ts'
import type { NamedChoices } from './model-names.ts'
import { isMap, type Path, type Reading } from './reading.ts'

type Read = { readonly choice: Choice; readonly content: Json }

/** Reads `rerankers`: names, each with a kind and its params. */
export function readRerankers(raw: unknown, reading: Reading, budget?: Budget): NamedChoices {
  const { problems } = reading
  const found = new Map<string, Read>()
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
    if (Object.hasOwn(reading.models.named, name))
      problems.push({ path, on: 'key', message: `a model is called \`${name}\` already; take another name` })
    const variant = readReranker(given, path, reading)
    if (!variant) continue
    found.set(name, variant)
    const { choice } = variant
    const { wire } = resolve(rerankers, choice).definition
    if (wire && budget?.dollars !== undefined && choice.params.price === undefined)
      problems.push({
        ...{ path: [...path, choice.name], on: 'key' },
        message:
          'has no price, and `budget` is in dollars: add `price: {searches: ...}` or `{input: ...}`, 0 for a server of your own',
      })
  }
  return found
}

/** One kind with its params and its embedder, which is itself a choice. */
function readReranker(given: unknown, path: Path, reading: Reading): Read | undefined {
  const { list } = readChoice(given, path, { registry: rerankers }, reading)
  if (list.length > 1)
    reading.problems.push({ path, message: 'has no grid; name several, and vary the `by` of `rerank`' })
  if (list.length !== 1) return undefined
  const [outer] = list
  const { wire } = resolve(rerankers, outer.choice).definition
  if (wire) return { choice: outer.choice, content: endpointContent(outer) }
  const read = withEmbedder(outer, given, path, reading)
  return read && { choice: read.choice, content: [read.choice.name, read.content] }
}

/** Content of a reranker on a server: address, limits and price decide no score. */
function endpointContent({ choice }: Variant): Json {
  return identityOfEndpoint(choice.name, choice.params as object as EndpointParams) as Json
}
