import { env } from 'node:process'
import { setTimeout as wait } from 'node:timers/promises'
import { z } from 'zod'
import { UserError } from '../../errors.ts'
import { defineArtifact } from '../../store/artifact.ts'
import { defineEmbedder } from '../embedder.ts'
import { openEndpoint } from '../openai-embeddings.ts'

/** Any server that speaks OpenAI's embeddings interface; every vector is kept, so a rerun asks nothing. */
export const openaiCompatible = defineEmbedder({
  name: 'openai-compatible',
  summary: "a server with OpenAI's embeddings API, local or remote",
  params: z.strictObject({
    baseUrl: z
      .url({ protocol: /^https?$/ })
      .refine(holdsNoPassword, 'must hold no name and no password; a key is named by `apiKeyEnv`')
      .describe('as http://localhost:11434/v1; /embeddings is appended'),
    model: z.string().min(1).describe("the server's name of the model"),
    dims: z
      .int()
      .min(1)
      .max(100_000)
      .optional()
      .describe('the length of the vectors, where the model can choose it'),
    apiKeyEnv: z
      .string()
      .regex(/^[A-Za-z_][A-Za-z0-9_]*$/)
      .optional()
      .describe('the NAME of the environment variable that holds the key'),
    textsPerRequest: z.int().min(1).max(2048).default(64),
  }),
  batch: 256,
  artifact: ({ baseUrl, model, dims, apiKeyEnv, textsPerRequest }) =>
    defineArtifact({
      name: 'openai-compatible',
      version: 1,
      params: { baseUrl, model, dims: dims ?? null },
      inputs: {},
      async open() {
        // Read here and nowhere else: the key never stands in a config, a key or a file.
        const apiKey = apiKeyEnv === undefined ? undefined : env[apiKeyEnv]
        if (apiKeyEnv !== undefined && !apiKey)
          throw new UserError(
            `the embedder \`openai-compatible\` needs a key in the environment variable ${apiKeyEnv}, which is not set`,
          )
        const embed = openEndpoint({ baseUrl, model, dims, apiKey, textsPerRequest, wait })
        const length = dims ?? (await embed(['dims'])).length
        return { model: `${model} at ${new URL(baseUrl).host}`, dims: length, embed }
      },
    }),
})

/** What is no address at all is refused as one. */
function holdsNoPassword(url: string): boolean {
  return !URL.canParse(url) || !(new URL(url).username || new URL(url).password)
}
