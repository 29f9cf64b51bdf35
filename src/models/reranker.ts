import { z } from 'zod'
import type { Definition } from '../registry.ts'
import type { Artifact } from '../store/artifact.ts'
import type { TermCounts } from '../text/term-counts.ts'
import type { Analyzer } from '../text/tokenize.ts'
import { countTokens } from '../text/tokens.ts'
import type { Json, Query } from '../types.ts'
import type { ChatModel, Message, Usage } from './chat/chat-model.ts'
import { type Fields, keyHeader, tokenCount } from './chat/wires/wire.ts'
import type { AtMost, TokenPrice } from './completions/cost.ts'
import type { Embedder, EmbedderChoice } from './embedder.ts'
import { answeringModel, readJson } from './http/answer.ts'
import { addressParams, answersAs, limits, openKeyed } from './http/params.ts'
import type { Server } from './http/server.ts'
import { dollarsPerMillion } from './prices.ts'

/** Scores chunks of a search by their rows. */
export interface Reranker {
  /** One score per row; greater is better. A score must not depend on other rows. */
  score(query: Query, rows: Uint32Array): ArrayLike<number> | Promise<ArrayLike<number>>
}

export interface RerankerDefinition<S extends z.ZodObject = z.ZodObject> extends Definition<S> {
  /** `prepare.embedder` if undefined. */
  readonly embeds?: (params: z.output<S>) => EmbedderChoice | undefined
  /** Absent for a reranker behind a server. */
  artifact?(params: z.output<S>, corpus: RerankedCorpus): Artifact<Reranker>
  /** Wire format of a server; the params are then `endpointParams`. */
  readonly wire?: RerankWire
}

/** Corpus data that a reranker may read. Row = chunk row. */
interface RerankedCorpus {
  /** Title and text. */
  readonly texts: Artifact<readonly string[]>
  terms(): { readonly counts: Artifact<TermCounts>; readonly analyze: Artifact<Analyzer> }
  vectors(choice?: EmbedderChoice): {
    readonly embedder: Artifact<Embedder>
    readonly chunks: Artifact<{ cosines(rows: ArrayLike<number>, vector: Float32Array): Float32Array }>
  }
}

export function defineReranker<S extends z.ZodObject>(
  definition: RerankerDefinition<S>,
): RerankerDefinition<S> {
  return definition
}

export interface RerankWire {
  /** Maximum passages per request. */
  readonly passages: number
  /** Follows the base address. */
  readonly path: string
  body(request: RerankRequest): Readonly<Record<string, unknown>>
  /** Results of a response, and its usage. */
  read(answer: Fields): { readonly results: unknown; readonly usage: Usage | null }
  readonly score: 'relevance_score' | 'score'
  readonly advice?: string
}

interface RerankRequest {
  readonly model: string
  readonly query: string
  readonly passages: readonly string[]
}

const price = z.strictObject({
  input: dollarsPerMillion.default(0).describe('dollars per million tokens read'),
  searches: z
    .number()
    .min(0)
    .max(1e6)
    .default(0)
    .describe('dollars a thousand searches, as the provider counts them'),
})

const shape = z.strictObject({
  model: z
    .string()
    .min(1)
    .max(200)
    .describe("the server's name of the model; part of the key of every score"),
  ...addressParams({}),
  answersAs,
  revision: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('distinguishes two models of one name; part of the key of every score'),
  price: price.optional().describe('needed with a `budget`; 0 for your own server'),
  timeout: z.number().gt(0).max(3600).default(120).describe('maximum seconds for a response'),
  ...limits,
})

export type EndpointParams = z.output<typeof shape>

/** Params of a recorded reranker that change no score. */
export const recordedEndpointParams = { price: shape.shape.price }

export const endpointParams = (vendor: Parameters<typeof addressParams>[0]) =>
  z.strictObject({ ...shape.shape, ...addressParams(vendor) })

export function identityOfEndpoint(
  kind: string,
  { model, revision }: EndpointParams,
): Readonly<Record<string, Json | undefined>> {
  return { provider: kind, model, revision }
}

export function priceOfEndpoint({ price }: EndpointParams): TokenPrice | null {
  return price ? { input: price.input, output: 0, searches: price.searches } : null
}

/**
 * Reranker as a model: the first message is the query, others are passages; the text is a JSON list of scores.
 */
export function openRerankEndpoint(wire: RerankWire, params: EndpointParams, who: string): ChatModel {
  const headers = (key: string | undefined) => keyHeader('authorization', key && `Bearer ${key}`)
  return rerankOver(openKeyed(params, headers, who), wire, params)
}

export function rerankOver(
  server: Server,
  wire: RerankWire,
  { model, answersAs = model }: Pick<EndpointParams, 'model' | 'answersAs'>,
): ChatModel {
  const { fail, quote } = server

  function ask(query: string, passages: readonly string[], signal?: AbortSignal) {
    return server.post({
      path: wire.path,
      body: wire.body({ model, query, passages }),
      signal,
      advice: wire.advice,
      async read(response) {
        const answer: Fields = (await readJson(response, server)) ?? {}
        const { results, usage } = wire.read(answer)
        const scores = scoresOf(results, passages.length, answer)
        answeringModel(answer.model, answersAs, server)
        return { scores, usage }
      },
    })
  }

  function scoresOf(results: unknown, length: number, answer: Fields): number[] {
    if (!Array.isArray(results) || results.length !== length)
      throw fail(`answered ${quote(JSON.stringify(answer))} where ${length} scores were asked for`)
    const scores = new Map<number, number>()
    for (const result of results as readonly Fields[]) {
      const index = result?.index
      const score = result?.[wire.score]
      if (!Number.isInteger(index) || index < 0 || index >= length)
        throw fail(
          `answered a result with index ${quote(JSON.stringify(index) ?? 'none')} to ${length} passages`,
        )
      if (scores.has(index)) throw fail(`answered the result with index ${index} twice`)
      if (!Number.isFinite(score))
        throw fail(`answered the ${wire.score} ${quote(JSON.stringify(score) ?? 'none')}, which is no number`)
      scores.set(index, score)
    }
    return Array.from({ length }, (_, index) => scores.get(index) as number)
  }

  return {
    async complete([query, ...rest], _params, { signal } = {}) {
      const passages = rest.map(({ content }) => content)
      const parts: Awaited<ReturnType<typeof ask>>[] = []
      for (let from = 0; from < passages.length; from += wire.passages)
        parts.push(await ask(query.content, passages.slice(from, from + wire.passages), signal))
      return {
        text: JSON.stringify(parts.flatMap(({ scores }) => scores)),
        model,
        finish: 'stop',
        usage: sumOf(parts.map(({ usage }) => usage)),
      }
    },
  }
}

function sumOf(usages: readonly (Usage | null)[]): Usage | null {
  const counted = usages.flatMap((usage) => usage ?? [])
  if (counted.length < usages.length || counted.length === 0) return null
  const searches = counted.reduce((sum, usage) => sum + (usage.searches ?? 0), 0)
  const input = counted.reduce((sum, usage) => sum + usage.input, 0)
  return { input, output: 0, ...(searches > 0 && { searches }) }
}

/** Tokens per document and documents per search, as Cohere counts. */
const DOCUMENT = 500
const SEARCH = 100

/**
 * Upper bounds of scoring passages, each read with the query. A passage of more than 500 tokens, with the query,
 * counts as several documents.
 */
export function rerankAtMost([query, ...passages]: readonly Message[], passagesPerRequest: number): AtMost {
  const queryTokens = countTokens(query.content)
  const tokens = passages.map(({ content }) => queryTokens + countTokens(content))
  let searches = 0
  for (let from = 0; from < tokens.length; from += passagesPerRequest) {
    const documents = tokens
      .slice(from, from + passagesPerRequest)
      .reduce((sum, length) => sum + Math.ceil(length / DOCUMENT), 0)
    searches += Math.ceil(documents / SEARCH)
  }
  return { input: tokens.reduce((sum, length) => sum + length, 0), output: 0, searches }
}

export function rerankUsage(input: unknown, searches?: unknown): Usage | null {
  const [read, units] = [tokenCount(input), tokenCount(searches)]
  return read + units === 0 ? null : { input: read, output: 0, ...(units > 0 && { searches: units }) }
}
