import { z } from 'zod'
import type { Definition } from '../../../registry.ts'
import type { Json } from '../../../types.ts'
import type { TokenPrice } from '../../completions/cost.ts'
import { dollarsPerMillion } from '../../dollars.ts'
import { realClock } from '../../http/clock.ts'
import { answersAs, apiKeyEnv, baseUrl, limits, readKey } from '../../http/params.ts'
import { openServer } from '../../http/server.ts'
import { LANGUAGE_MODELS } from '../../prices.ts'
import type { ChatModel, ChatParams } from '../chat-model.ts'
import { openChat } from '../open.ts'
import type { Wire } from '../wires/define.ts'

/** A provider of language models. */
export interface ChatProvider extends Definition {
  readonly wire: Wire
  /** Base URL of the vendor's own API; absent if a config must name one. */
  readonly address?: string
}

const price = z.strictObject({
  input: dollarsPerMillion.describe('dollars per million tokens read'),
  output: dollarsPerMillion.describe('dollars per million tokens written'),
  cachedInput: dollarsPerMillion
    .optional()
    .describe("dollars per million tokens read from the provider's cache; default: as `input`"),
})

const shape = z.strictObject({
  model: z.string().min(1).max(200).describe("the provider's name of the model, or its deployment"),
  baseUrl: baseUrl.describe('base address of the API'),
  apiKeyEnv: apiKeyEnv.optional(),
  temperature: z.number().min(0).max(2).optional().describe("default: the server's"),
  maxTokens: z.int().min(1).max(1_000_000).optional().describe('maximum tokens of a completion'),
  seed: z
    .int()
    .min(0)
    .max(2 ** 31 - 1)
    .optional()
    .describe('sent if the provider supports it'),
  reasoningEffort: z
    .string()
    .min(1)
    .max(50)
    .optional()
    .describe("reasoning effort in the provider's terms, as `low`"),
  revision: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('distinguishes two models of one name, as a quantisation; part of the key of every completion'),
  answersAs,
  fallback: z.string().min(1).optional().describe('name in `models` of the model to use if this one refuses'),
  price: price
    .optional()
    .describe('in dollars per million tokens; default: the price table, unless `baseUrl` is changed'),
  timeout: z.number().gt(0).max(3600).default(120).describe('maximum seconds for a response'),
  ...limits,
})

export type ChatProviderParams = z.output<typeof shape>

interface ProviderInput {
  readonly name: string
  readonly summary: string
  readonly wire: Wire
  /** Base URL; absent if a config must name one. */
  readonly baseUrl?: string
  /** The variable in which the provider's own tools look for a key. */
  readonly apiKeyEnv?: string
}

export function defineProvider({
  name,
  summary,
  wire,
  baseUrl: address,
  apiKeyEnv: variable,
}: ProviderInput): ChatProvider {
  const { baseUrl, apiKeyEnv } = shape.shape
  const params = z.strictObject({
    ...shape.shape,
    baseUrl: address === undefined ? baseUrl : baseUrl.default(address),
    apiKeyEnv: variable === undefined ? apiKeyEnv : apiKeyEnv.default(variable as never),
  })
  return { name, summary, wire, params, ...(address !== undefined && { address }) }
}

/**
 * Identity of a model: the params that decide its completions. Address, limits and price are left out, so that a
 * recording replays anywhere.
 */
export function identityOf(
  { name }: ChatProvider,
  params: ChatProviderParams,
): Readonly<Record<string, Json | undefined>> {
  const { model, revision } = params
  return { provider: name, model, revision, ...providerParams(params) }
}

/** Params that are sent with the messages. */
export function providerParams(params: ChatProviderParams): Omit<ChatParams, 'schema'> {
  const { temperature, maxTokens, seed, reasoningEffort } = params
  return { temperature, maxTokens, seed, reasoningEffort }
}

/** The model behind its server. Throws a UserError where its key is not set. */
export function openProvider({ wire }: ChatProvider, params: ChatProviderParams, who: string): ChatModel {
  const { baseUrl, model, answersAs, timeout, concurrency, requestsPerMinute } = params
  const key = readKey(params.apiKeyEnv, who)
  const server = openServer({
    baseUrl,
    clock: realClock,
    seed: 0,
    timeout: 1000 * timeout,
    headers: wire.headers(key),
    secrets: key === undefined ? [] : [key],
    limits: { concurrency, requestsPerMinute },
  })
  return openChat({ server, wire, model, answersAs: answersAs ?? model })
}

/** Its own price, or the table's for this provider at its own address; null where nobody knows. */
export function priceOf(
  { name, address }: ChatProvider,
  { model, price, baseUrl }: ChatProviderParams,
): TokenPrice | null {
  if (price) return price
  if (baseUrl.replace(/(?<!\/)\/+$/, '') !== address) return null
  return LANGUAGE_MODELS.find((known) => known.provider === name && known.model === model) ?? null
}
