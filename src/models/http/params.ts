import { env } from 'node:process'
import { z } from 'zod'
import { UserError } from '../../errors.ts'

/** Params that everything asked over HTTP shares, so that one name means one thing. */

export const baseUrl = z
  .url({ protocol: /^https?$/ })
  .refine(holdsNoPassword, 'must hold no name and no password; a key is named by `apiKeyEnv`')

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

/** The key, read here and nowhere else: it is never part of a config, a hash or a file. Throws a UserError where it is not set. */
export function readKey(variable: string | undefined, who: string): string | undefined {
  const key = variable === undefined ? undefined : env[variable]
  if (variable !== undefined && !key)
    throw new UserError(`${who} needs a key in the environment variable ${variable}, which is not set`)
  // Header values are visible ASCII: anything else would end as a stack, or send another key.
  if (key !== undefined && !/^[\x21-\x7e]+$/.test(key))
    throw new UserError(
      `${who}: the key in the environment variable ${variable} holds a space, a line break or a character that is not ASCII; set it again`,
    )
  return key
}

/** True if a URL holds no user name and no password; invalid URLs are refused elsewhere. */
function holdsNoPassword(url: string): boolean {
  return !URL.canParse(url) || !(new URL(url).username || new URL(url).password)
}

/** Name under which a server's model answers. */
export const answersAs = z
  .string()
  .min(1)
  .max(200)
  .optional()
  .describe("model name in the server's responses, if it differs from `model`")
