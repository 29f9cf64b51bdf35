import { z } from 'zod'
import { UserError } from '../../errors.ts'
import { defineArtifact } from '../../store/artifact.ts'
import { hashFile } from '../../store/input.ts'
import { readVectorRecording } from '../recording.ts'
import { quoted } from '../vector-problem.ts'
import { defineBuiltInEmbedder } from './index.ts'

const params = z.strictObject({
  path: z.string().min(1).meta({ path: true }).describe('a Parquet file of recorded vectors'),
  sha256: z.string().optional().describe("the file's hash; filled in"),
})
type Params = z.output<typeof params>

/** Texts that a message about what is missing names. */
const NAMED = 3

/** The vectors of a real embedder, recorded before; a text that it does not hold is an error, never a guess. */
export default defineBuiltInEmbedder({
  name: 'recorded',
  summary: "a real embedder's vectors replayed from a file; fails if a text is missing",
  params,
  pin,
  make: (params) => ({
    batch: 65_536,
    artifact() {
      const pinned = params.sha256 === undefined ? pin(params) : params
      const { path, sha256 } = pinned
      return defineArtifact({
        name: 'recorded',
        version: 1,
        // The file's path changes no vector.
        params: { sha256: sha256 as string },
        inputs: {},
        async open() {
          pin(pinned)
          const recording = await readVectorRecording(path)
          const { model, dims } = recording.source
          return {
            model: `${model}, recorded ${recording.date}`,
            dims,
            async embed(texts) {
              const missing = texts.filter((text) => !recording.has(text))
              if (missing.length > 0) throw new UserError({ file: path, message: describe(missing) })
              const vectors = new Float32Array(texts.length * dims)
              texts.forEach((text, index) => {
                vectors.set(recording.vector(text), index * dims)
              })
              return vectors
            },
          }
        },
      })
    },
  }),
})

function pin(params: Params): Params {
  const hash = hashFile(params.path, 'recorded vectors')
  if (params.sha256 !== undefined && params.sha256 !== hash)
    throw new UserError({ file: params.path, message: 'the recording has changed since this was made' })
  return { ...params, sha256: hash }
}

function describe(missing: readonly string[]): string {
  const named = missing.slice(0, NAMED).map(quoted)
  const more = missing.length > NAMED ? ` and ${missing.length - NAMED} more` : ''
  return `holds no vector of ${named.join(', ')}${more}; record the vectors again, or use the embedder itself`
}
