import { z } from 'zod'
import { UserError } from '../../errors.ts'
import { defineArtifact } from '../../store/artifact.ts'
import { hashFile, readText } from '../../store/input.ts'
import { eachJsonLine } from '../../store/json-lines.ts'
import { isMap } from '../../text/json.ts'
import { defineSparseEncoder, type SparseVector } from '../sparse-encoder.ts'
import { quoted } from '../vector-problem.ts'

const WHAT = 'recorded sparse vectors'

const params = z.strictObject({
  path: z
    .string()
    .min(1)
    .meta({ path: true })
    .describe('a file of lines {"text": ..., "vector": {word: weight}}'),
  sha256: z.string().optional().describe("the file's hash; filled in"),
})
type Params = z.output<typeof params>

/** Sparse vectors of any model, made elsewhere; a text that the file does not hold is an error, never a guess. */
export const recordedSparseEncoder = defineSparseEncoder({
  name: 'recorded',
  summary: "any model's sparse vectors from a file of JSON lines; fails if a text is missing",
  params,
  pin,
  artifact(given) {
    const pinned = given.sha256 === undefined ? pin(given) : given
    return defineArtifact({
      name: 'recorded_sparse',
      version: 1,
      // The file's path changes no vector.
      params: { sha256: pinned.sha256 as string },
      inputs: {},
      open() {
        const { path } = pin(pinned)
        const vectors = readSparse(path)
        return {
          encode: async (texts) =>
            texts.map((text) => {
              const vector = vectors.get(text)
              if (!vector) throw new UserError({ file: path, message: `holds no vector of ${quoted(text)}` })
              return vector
            }),
        }
      },
    })
  },
})

function pin(given: Params): Params {
  const found = hashFile(given.path, WHAT)
  if (given.sha256 !== undefined && given.sha256 !== found)
    throw new UserError({ file: given.path, message: 'the recording has changed since this was made' })
  return { ...given, sha256: found }
}

/** Recorded vectors by text. */
function readSparse(path: string): ReadonlyMap<string, SparseVector> {
  const vectors = new Map<string, SparseVector>()
  eachJsonLine(path, readText(path, WHAT), (value, wrong) => {
    const { text, vector } = (value ?? {}) as Readonly<Record<string, unknown>>
    const entries = isMap(vector) ? (Object.entries(vector) as [string, number][]) : []
    const areWeights = entries.every(([, weight]) => Number.isFinite(weight) && weight >= 0)
    if (typeof text !== 'string' || !isMap(vector) || !areWeights)
      return wrong('is not {"text": ..., "vector": {word: weight, ...}} with weights of 0 or more')
    if (vectors.has(text)) return wrong(`holds a second vector of ${quoted(text)}`)
    const kept = entries.filter(([, weight]) => weight > 0)
    vectors.set(text, {
      terms: kept.map(([term]) => term),
      weights: kept.map(([, weight]) => weight),
    })
  })
  return vectors
}
