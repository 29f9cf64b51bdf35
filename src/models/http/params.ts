import { env } from 'node:process'
import { z } from 'zod'
import { UserError } from '../../errors.ts'
import { realClock } from './limiter.ts'
import { openServer, type Server } from './server.ts'

export const baseUrl = z
  .url({ protocol: /^https?$/ })
  .refine(holdsNoPassword, 'must hold no name and no password; keys are read from environment variables')

/** No message repeats the value, which may be the key itself. */
const NO_NAME = 'must be the NAME of an environment variable in capital letters, never the key'

export const apiKeyEnv = z
  .string(NO_NAME)
  .regex(/^[A-Z_][A-Z0-9_]*$/, NO_NAME)
  .describe('the NAME of the environment variable with the key')

export const limits = {
  concurrency: z.int().min(1).max(1000).default(4).describe('maximum simultaneous requests'),
  requestsPerMinute: z.int().min(1).optional().describe('maximum requests in any 60 seconds'),
}

/** Address and key, with a vendor's defaults. */
export function addressParams(vendor: {
  /** Base URL; absent if a config must name one. */
  readonly baseUrl?: string
  readonly apiKeyEnv?: string
}) {
  const address = baseUrl.describe('base address of the API')
  const variable = apiKeyEnv.optional()
  return {
    baseUrl: vendor.baseUrl === undefined ? address : address.default(vendor.baseUrl),
    apiKeyEnv: vendor.apiKeyEnv === undefined ? variable : variable.default(vendor.apiKeyEnv as never),
  }
}

interface KeyedParams {
  readonly baseUrl: string
  readonly apiKeyEnv?: string | undefined
  readonly concurrency: number
  readonly requestsPerMinute?: number | undefined
  /** In seconds. */
  readonly timeout?: number
}

/** Server of a model. `who`: subject of the message that the key is not set. */
export function openKeyed(
  { baseUrl, apiKeyEnv, concurrency, requestsPerMinute, timeout }: KeyedParams,
  headers: (key: string | undefined) => Readonly<Record<string, string>>,
  who: string,
): Server {
  const key = readKey(apiKeyEnv, who)
  return openServer({
    baseUrl,
    clock: realClock,
    seed: 0,
    headers: headers(key),
    secrets: key === undefined ? [] : [key],
    limits: { concurrency, requestsPerMinute },
    ...(timeout !== undefined && { timeout: 1000 * timeout }),
  })
}

/**
 * The key is read here alone: it is never part of a config, a hash or a file. Throws a UserError if it is not set.
 */
export function readKey(variable: string | undefined, who: string): string | undefined {
  const key = variable === undefined ? undefined : env[variable]
  if (variable !== undefined && !key)
    throw new UserError(`${who} needs a key in the environment variable ${variable}, which is not set`)
  // Anything but visible ASCII would end as a stack, or send another key.
  if (key !== undefined && !/^[\x21-\x7e]+$/.test(key))
    throw new UserError(
      `${who}: the key in the environment variable ${variable} holds a space, a line break or a character that is not ASCII; set it again`,
    )
  return key
}

function holdsNoPassword(url: string): boolean {
  return !URL.canParse(url) || !(new URL(url).username || new URL(url).password)
}

export const answersAs = z
  .string()
  .min(1)
  .max(200)
  .optional()
  .describe("model name in the server's responses, if it differs from `model`")
