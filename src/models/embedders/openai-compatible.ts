import { z } from 'zod'
import { defineArtifact } from '../../store/artifact.ts'
import { aroundShape } from '../around.ts'
import { defineBuiltInEmbedder } from '../embedder.ts'
import { realClock } from '../http/clock.ts'
import { answersAs, apiKeyEnv, baseUrl, limits, readKey } from '../http/params.ts'
import { openServer } from '../http/server.ts'
import { openEndpoint } from '../openai-embeddings.ts'
import { knownModel } from '../transformers/known.ts'

const inputType = z.string().min(1).max(100)

/** Any server that speaks OpenAI's embeddings interface; every vector is stored, so a rerun asks nothing. */
export const openaiCompatibleEmbedder = defineBuiltInEmbedder({
  name: 'openai-compatible',
  summary: "a server with OpenAI's embeddings API, local or remote",
  params: z.strictObject({
    baseUrl: baseUrl.describe('as http://localhost:11434/v1; /embeddings is appended'),
    model: z.string().min(1).describe("the server's name of the model"),
    answersAs,
    dims: z.int().min(1).max(100_000).optional().describe('length of the vectors, if the model supports it'),
    apiKeyEnv: apiKeyEnv.optional(),
    keyHeader: z
      .enum(['authorization', 'api-key'])
      .default('authorization')
      .describe('header of the key: `api-key` for Azure, else `authorization` (Bearer)'),
    inputType: z
      .strictObject({ query: inputType, passage: inputType })
      .optional()
      .describe(
        'value of `input_type` for queries and for passages, for servers that add the prefix themselves',
      ),
    ...aroundShape,
    textsPerRequest: z.int().min(1).max(2048).default(64).describe('texts sent in one request'),
    ...limits,
  }),
  batch: 256,
  requests: ({ concurrency, textsPerRequest }) => ({ atOnce: concurrency, texts: textsPerRequest }),
  around: ({ model, prefix = knownModel(model)?.prefix, cut }) => ({ prefix, cut }),
  artifact(
    { baseUrl, model, dims, apiKeyEnv, keyHeader, textsPerRequest, inputType, answersAs, ...rest },
    _,
    role = 'passage',
  ) {
    const limits = { concurrency: rest.concurrency, requestsPerMinute: rest.requestsPerMinute }
    const type = inputType?.[role]
    return defineArtifact({
      name: 'openai-compatible',
      version: 1,
      params: { baseUrl, model, dims: dims ?? null, ...(type !== undefined && { inputType: type }) },
      inputs: {},
      async open() {
        const apiKey = readKey(apiKeyEnv, 'the embedder `openai-compatible`')
        const server = openServer({
          baseUrl,
          limits,
          clock: realClock,
          seed: 0,
          secrets: apiKey ? [apiKey] : [],
          headers: apiKey ? { [keyHeader]: keyHeader === 'api-key' ? apiKey : `Bearer ${apiKey}` } : {},
        })
        const embed = openEndpoint({ server, model, answersAs, dims, inputType: type, textsPerRequest })
        const length = dims ?? (await embed(['dims'])).length
        return { model: `${model} at ${new URL(baseUrl).host}`, dims: length, embed }
      },
    })
  },
})
