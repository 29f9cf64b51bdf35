import { z } from 'zod'
import { defineArtifact } from '../../store/artifact.ts'
import { defineEmbedder } from '../embedder.ts'
import { realClock } from '../http/clock.ts'
import { apiKeyEnv, baseUrl, limits, readKey } from '../http/params.ts'
import { openServer } from '../http/server.ts'
import { openEndpoint } from '../openai-embeddings.ts'

/** Any server that speaks OpenAI's embeddings interface; every vector is kept, so a rerun asks nothing. */
export const openaiCompatible = defineEmbedder({
  name: 'openai-compatible',
  summary: "a server with OpenAI's embeddings API, local or remote",
  params: z.strictObject({
    baseUrl: baseUrl.describe('as http://localhost:11434/v1; /embeddings is appended'),
    model: z.string().min(1).describe("the server's name of the model"),
    dims: z
      .int()
      .min(1)
      .max(100_000)
      .optional()
      .describe('the length of the vectors, where the model can choose it'),
    apiKeyEnv: apiKeyEnv.optional(),
    textsPerRequest: z.int().min(1).max(2048).default(64),
    ...limits,
  }),
  batch: 256,
  artifact: ({ baseUrl, model, dims, apiKeyEnv, textsPerRequest, ...limits }) =>
    defineArtifact({
      name: 'openai-compatible',
      version: 1,
      params: { baseUrl, model, dims: dims ?? null },
      inputs: {},
      async open() {
        const apiKey = readKey(apiKeyEnv, 'the embedder `openai-compatible`')
        const server = openServer({
          ...{ baseUrl, limits, clock: realClock, seed: 0, secrets: apiKey ? [apiKey] : [] },
          headers: apiKey ? { authorization: `Bearer ${apiKey}` } : {},
        })
        const embed = openEndpoint({ server, model, dims, textsPerRequest })
        const length = dims ?? (await embed(['dims'])).length
        return { model: `${model} at ${new URL(baseUrl).host}`, dims: length, embed }
      },
    }),
})
