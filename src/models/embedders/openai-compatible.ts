import { setMaxListeners } from 'node:events'
import { z } from 'zod'
import { isStopping, Stopped } from '../../stopping.ts'
import { defineArtifact } from '../../store/artifact.ts'
import { keyHeader } from '../chat/wires/wire.ts'
import { aroundShape, type Embedding, quoted, RefusedText, vectorProblem } from '../embedder.ts'
import { answeringModel, readJson } from '../http/answer.ts'
import { answersAs, apiKeyEnv, baseUrl, limits, openKeyed } from '../http/params.ts'
import { FailedRequest, type Server } from '../http/server.ts'
import { knownModel } from '../transformers/model-settings.ts'
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

interface EndpointOptions {
  readonly server: Server
  readonly model: string
  readonly answersAs?: string | undefined
  /** Sent as `dimensions`: some models shorten their vectors. */
  readonly dims?: number
  /** Sent as `input_type` where given. */
  readonly inputType?: string
  /** Texts a request. */
  readonly textsPerRequest: number
}

const PATH = '/embeddings'
/** Milliseconds for requests in flight after the request to stop. */
const GRACE = 3000
/** Milliseconds between two looks at it. */
const WATCHED = 100

/**
 * Embeds with as many requests at once as the server's limits allow. Throws a UserError for anything but vectors.
 */
export function openEndpoint(options: EndpointOptions): Embedding {
  const { server, model, textsPerRequest } = options
  let dims = options.dims

  function ask(input: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]> {
    return server.post({
      path: PATH,
      signal,
      body: {
        model,
        input,
        dimensions: options.dims,
        encoding_format: 'float',
        input_type: options.inputType,
      },
      async read(response) {
        const vectors = readVectors(await readJson(response, server), input, options, dims)
        dims ??= vectors[0]?.length
        return vectors.map(normalized)
      },
    })
  }

  /**
   * Vectors of the texts from position `from` on. A refused request is sent again in halves, so that one that is
   * too large goes through, and a refused text is found. Throws a RefusedText.
   */
  async function askInHalves(
    input: readonly string[],
    from: number,
    signal: AbortSignal,
  ): Promise<readonly Float32Array[]> {
    try {
      return await ask(input, signal)
    } catch (error) {
      if (!(error instanceof FailedRequest && error.refused)) throw error
      if (input.length === 1) throw new RefusedText(from, input[0], error.message)
      const half = Math.ceil(input.length / 2)
      const first = await askInHalves(input.slice(0, half), from, signal)
      return [...first, ...(await askInHalves(input.slice(half), from + half, signal))]
    }
  }

  return async (texts, progress, signal) => {
    const requests = Array.from({ length: Math.ceil(texts.length / textsPerRequest) }, (_, request) =>
      texts.slice(request * textsPerRequest, (request + 1) * textsPerRequest),
    )
    let done = 0
    const rest = new AbortController()
    const ending = signal ? AbortSignal.any([signal, rest.signal]) : rest.signal
    // Each request that pauses listens.
    setMaxListeners(0, ending)
    let stopping = 0
    const watch = setInterval(() => {
      if (isStopping()) stopping += WATCHED
      if (stopping > GRACE) rest.abort(new Stopped())
    }, WATCHED)
    const answers = await Promise.all(
      requests.map(async (request, index) => {
        try {
          const vectors = await askInHalves(request, index * textsPerRequest, ending)
          done += request.length
          progress?.(done, texts.length)
          return vectors
        } catch (error) {
          if (error instanceof Stopped) return null
          rest.abort(error)
          throw error
        }
      }),
    ).finally(() => clearInterval(watch))
    // The vectors before the first request that was left out count.
    const first = answers.indexOf(null)
    if (first === 0) throw new Stopped()
    const answered = answers.slice(0, first < 0 ? answers.length : first) as (readonly Float32Array[])[]
    const rows = answered.flat()
    const joined = new Float32Array(rows.length * (dims ?? 0))
    rows.forEach((row, position) => {
      joined.set(row, position * row.length)
    })
    return joined
  }
}

/** Vectors in the order of the texts. Each must have `expected` numbers, or as many as the first. */
function readVectors(
  answer: unknown,
  input: readonly string[],
  { server, model, answersAs = model, dims: wantedDims }: EndpointOptions,
  expected: number | undefined,
): readonly (readonly number[])[] {
  const { quote, fail } = server
  const { data, model: named } = (answer ?? {}) as { data?: unknown; model?: unknown }
  if (!Array.isArray(data) || data.length !== input.length)
    throw fail(`answered ${quote(JSON.stringify(answer))} where ${input.length} embeddings were asked for`)
  answeringModel(named, answersAs, server)
  let dims = expected
  const vectors = new Map<number, readonly number[]>()
  data.forEach((entry: { index?: unknown; embedding?: unknown } | null, position) => {
    const index = entry?.index ?? position
    if (!Number.isInteger(index) || (index as number) < 0 || (index as number) >= input.length)
      throw fail(`answered an embedding with index ${quote(JSON.stringify(index))} to ${input.length} texts`)
    if (vectors.has(index as number)) throw fail(`answered the embedding with index ${index} twice`)
    const text = quoted(input[index as number])
    const vector = entry?.embedding
    if (!Array.isArray(vector) || vector.length === 0 || !vector.every((value) => typeof value === 'number'))
      throw fail(`answered an embedding that is not a list of numbers to the text ${text}`)
    const problem = vectorProblem(vector)
    if (problem) throw fail(`answered a vector that ${problem} to the text ${text}`)
    dims ??= vector.length
    if (vector.length !== dims)
      throw fail(
        `answered ${vector.length} numbers to the text ${text} where ${wantedDims ? '`dims` asks for' : 'another text got'} ${dims}`,
      )
    vectors.set(index as number, vector)
  })
  return input.map((_, position) => vectors.get(position) as readonly number[])
}

function normalized(vector: readonly number[]): Float32Array {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0))
  return Float32Array.from(vector, (value) => value / length)
}
