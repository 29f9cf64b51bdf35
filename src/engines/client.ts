import { createRequire } from 'node:module'
import { join } from 'node:path'
import { cwd } from 'node:process'
import { pathToFileURL } from 'node:url'
import type { Embeddings } from '../corpus/dense/embeddings.ts'
import { UserError } from '../errors.ts'

/** Vectors to store in an engine: each has length 1, or is all zeros and never found. */
export interface EngineRows {
  readonly rows: number
  readonly dims: number
  vector(row: number): Float32Array
}

/** Rows per insertion. */
const BATCH = 1000

/** Row numbers of the vectors that are not zero, in batches. */
export function* batchesOf({ rows, vector }: EngineRows): Generator<number[]> {
  let batch: number[] = []
  for (let row = 0; row < rows; row++) {
    if (vector(row).every((value) => value === 0)) continue
    batch.push(row)
    if (batch.length === BATCH) {
      yield batch
      batch = []
    }
  }
  if (batch.length > 0) yield batch
}

/** Embeddings as rows of an engine. */
export function engineRows({ vectors, dims }: Embeddings): EngineRows {
  return {
    rows: vectors.length,
    dims,
    vector(row) {
      const { buffer, byteOffset } = vectors[row]
      // A view into a table may start at an offset that is not a multiple of four.
      return new Float32Array(buffer.slice(byteOffset, byteOffset + 4 * dims))
    },
  }
}

/**
 * Imports an engine's client, an optional package: first from touchstone's own packages, then from the working folder. Throws
 * a UserError with the command that installs it.
 */
export async function clientOf<T>(name: string, version: string): Promise<T> {
  try {
    return (await import(name)) as T
  } catch (error) {
    if (!isMissing(error)) throw error
  }
  try {
    const found = createRequire(join(cwd(), 'any.js')).resolve(name)
    return (await import(pathToFileURL(found).href)) as T
  } catch (error) {
    if (!isMissing(error)) throw error
    throw new UserError(
      `this needs the package ${name}, which is not installed here. In the folder where you call touchstone: npm install ${name}@${version}`,
    )
  }
}

function isMissing(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException
  return code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND'
}
