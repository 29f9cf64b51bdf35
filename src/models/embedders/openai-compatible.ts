import { z } from 'zod'
import { defineArtifact } from '../../store/artifact.ts'
import { aroundShape } from '../around.ts'
import { keyHeader } from '../chat/wires/wire.ts'
import { answersAs, apiKeyEnv, baseUrl, limits, openKeyed } from '../http/params.ts'
import { openEndpoint } from '../openai-embeddings.ts'
import { knownModel } from '../transformers/known.ts'
import { defineBuiltInEmbedder } from './index.ts'

const inputType = z.string().min(1).max(100)

export default defineBuiltInEmbedder({
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
  make: ({
    baseUrl,
    model,
    dims,
    apiKeyEnv,
    keyHeader: keyName,
    textsPerRequest,
    inputType,
    answersAs,
    prefix = knownModel(model)?.prefix,
    cut,
    concurrency,
    requestsPerMinute,
  }) => ({
    batch: 256,
    requests: { atOnce: concurrency, texts: textsPerRequest },
    around: { prefix, cut },
    artifact(_, role = 'passage') {
      const type = inputType?.[role]
      return defineArtifact({
        name: 'openai-compatible',
        version: 1,
        params: { baseUrl, model, dims: dims ?? null, ...(type !== undefined && { inputType: type }) },
        inputs: {},
        async open() {
          const server = openKeyed(
            { baseUrl, apiKeyEnv, concurrency, requestsPerMinute },
            (key) => keyHeader(keyName, keyName === 'api-key' ? key : key && `Bearer ${key}`),
            'the embedder `openai-compatible`',
          )
          const embed = openEndpoint({ server, model, answersAs, dims, inputType: type, textsPerRequest })
          const length = dims ?? (await embed(['dims'])).length
          return { model: `${model} at ${new URL(baseUrl).host}`, dims: length, embed }
        },
      })
    },
  }),
})
