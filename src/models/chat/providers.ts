import { z } from 'zod'
import { createRegistry, type Definition } from '../../registry.ts'
import type { Json } from '../../types.ts'
import type { TokenPrice } from '../completions/cost.ts'
import { addressParams, answersAs, limits, openKeyed } from '../http/params.ts'
import { dollarsPerMillion, LANGUAGE_MODELS } from '../prices.ts'
import type { ChatModel, ChatParams } from './chat-model.ts'
import { openChat } from './open.ts'
import { anthropicWire } from './wires/anthropic.ts'
import { googleWire } from './wires/google.ts'
import { koboldcppWire } from './wires/koboldcpp.ts'
import { azureWire, compatibleWire, openaiWire } from './wires/openai.ts'
import type { Wire } from './wires/wire.ts'

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
  ...addressParams({}),
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
  fallbackOnOutage: z
    .boolean()
    .optional()
    .describe('also use `fallback` if this model gives no answer in all attempts; default: the run stops'),
  price: price
    .optional()
    .describe('in dollars per million tokens; default: the price table, unless `baseUrl` is changed'),
  timeout: z.number().gt(0).max(3600).default(120).describe('maximum seconds for a response'),
  ...limits,
})

export type ChatProviderParams = z.output<typeof shape>

const { fallback, fallbackOnOutage } = shape.shape
export const recordedParams = { fallback, fallbackOnOutage, price: shape.shape.price }

interface ProviderInput {
  readonly name: string
  readonly summary: string
  readonly wire: Wire
  /** Base URL; absent if a config must name one. */
  readonly baseUrl?: string
  /** The variable in which the provider's own tools look for a key. */
  readonly apiKeyEnv?: string
}

function defineProvider({ name, summary, wire, baseUrl, apiKeyEnv }: ProviderInput): ChatProvider {
  const params = z.strictObject({ ...shape.shape, ...addressParams({ baseUrl, apiKeyEnv }) })
  return { name, summary, wire, params, ...(baseUrl !== undefined && { address: baseUrl }) }
}

/**
 * Params that decide a model's completions. Without address, limits and price, a recording replays anywhere.
 */
export function identityOf(
  { name }: ChatProvider,
  params: ChatProviderParams,
): Readonly<Record<string, Json | undefined>> {
  const { model, revision } = params
  return { provider: name, model, revision, ...providerParams(params) }
}

export function providerParams(params: ChatProviderParams): Omit<ChatParams, 'schema'> {
  const { temperature, maxTokens, seed, reasoningEffort } = params
  return { temperature, maxTokens, seed, reasoningEffort }
}

export function openProvider({ wire }: ChatProvider, params: ChatProviderParams, who: string): ChatModel {
  const { model, answersAs = model } = params
  return openChat({ server: openKeyed(params, wire.headers, who), wire, model, answersAs })
}

/** Price of the params, or the table's for this provider at its own address; null if unknown. */
export function priceOf(
  { name, address }: ChatProvider,
  { model, price, baseUrl }: ChatProviderParams,
): TokenPrice | null {
  if (price) return price
  if (baseUrl.replace(/(?<!\/)\/+$/, '') !== address) return null
  return LANGUAGE_MODELS.find((price) => price.provider === name && price.model === model) ?? null
}

export const chatProviders = createRegistry<ChatProvider>('model provider', [
  defineProvider({
    name: 'openai',
    summary: "OpenAI's chat completions",
    wire: openaiWire,
    baseUrl: 'https://api.openai.com/v1',
    apiKeyEnv: 'OPENAI_API_KEY',
  }),
  defineProvider({
    name: 'azure',
    summary: "OpenAI's models on Azure; `baseUrl` ends in /openai/v1, `model` names the deployment",
    wire: azureWire,
    apiKeyEnv: 'AZURE_OPENAI_API_KEY',
  }),
  defineProvider({
    name: 'anthropic',
    summary: "Anthropic's messages",
    wire: anthropicWire,
    baseUrl: 'https://api.anthropic.com/v1',
    apiKeyEnv: 'ANTHROPIC_API_KEY',
  }),
  defineProvider({
    name: 'google',
    summary: "Google's Gemini API",
    wire: googleWire,
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
    apiKeyEnv: 'GEMINI_API_KEY',
  }),
  defineProvider({
    name: 'openai-compatible',
    summary: "any server with OpenAI's chat API, local or remote",
    wire: compatibleWire,
  }),
  defineProvider({
    name: 'koboldcpp',
    summary: "KoboldCpp's own endpoint; `model` names the loaded model, which its responses do not",
    wire: koboldcppWire,
    baseUrl: 'http://localhost:5001/api',
  }),
])
