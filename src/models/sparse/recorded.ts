import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { type Diagnostic, UserError } from '../../errors.ts'
import { defineArtifact } from '../../store/artifact.ts'
import { hashFile } from '../../store/input.ts'
import { defineSparseEncoder, type SparseVector } from '../sparse-encoder.ts'
import { quoted } from '../vector-problem.ts'

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
  summary: "any model's sparse vectors from a file of JSON lines; fails on a text that it does not hold",
  params,
  pin,
  artifact(given) {
    const pinned = given.sha256 === undefined ? pin(given) : given
    return defineArtifact({
      name: 'recorded_sparse',
      version: 1,
      // Where the file lies changes no vector.
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
  const found = hashFile(given.path, 'recorded sparse vectors')
  if (given.sha256 !== undefined && given.sha256 !== found)
    throw new UserError({ file: given.path, message: 'the recording has changed since this was made' })
  return { ...given, sha256: found }
}

/** Recorded vectors by text. Throws a UserError with every invalid line. */
function readSparse(path: string): ReadonlyMap<string, SparseVector> {
  const diagnostics: Diagnostic[] = []
  const vectors = new Map<string, SparseVector>()
  for (const [index, line] of readFileSync(path, 'utf8').split('\n').entries()) {
    if (line.trim() === '') continue
    const found = parsed(line)
    if (found) vectors.set(found.text, found.vector)
    else
      diagnostics.push({
        ...{ file: path, line: index + 1 },
        message: 'is not {"text": ..., "vector": {word: weight, ...}} with weights of 0 or more',
      })
  }
  if (diagnostics.length > 0) throw new UserError(diagnostics)
  return vectors
}

function parsed(line: string): { text: string; vector: SparseVector } | undefined {
  try {
    const { text, vector } = JSON.parse(line) as { text: unknown; vector: Record<string, number> }
    const entries = Object.entries(vector)
    const good = entries.every(([, weight]) => Number.isFinite(weight) && weight >= 0)
    if (typeof text !== 'string' || Array.isArray(vector) || !good) return undefined
    const kept = entries.filter(([, weight]) => weight > 0)
    return { text, vector: { terms: kept.map(([term]) => term), weights: kept.map(([, weight]) => weight) } }
  } catch {
    return undefined
  }
}
