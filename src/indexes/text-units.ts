import { join } from 'node:path'
import { chunkDocuments } from '../dataset/chunk.ts'
import { resolveChunker } from '../dataset/chunkers/index.ts'
import { type Artifact, defineArtifact } from '../store/artifact.ts'
import { readTextUnits, writeTextUnits } from '../tables/text-units.ts'
import type { Chunk } from '../types.ts'
import type { Recipe } from './recipe.ts'

const FILE = 'text_units.parquet'

/** The chunks of a recipe, sorted by id bytes: a chunk's row is its place in this array. */
export function textUnits({ documents, chunk }: Recipe): Artifact<readonly Chunk[]> {
  const { chunker, params } = resolveChunker(chunk)
  return defineArtifact({
    name: 'text_units',
    version: 1,
    params: { chunker: chunker.name, version: chunker.version, params },
    inputs: { documents },
    async build(folder, inputs, { progress }) {
      writeTextUnits(join(folder, FILE), chunkDocuments(await inputs.documents(), chunk, progress))
    },
    open: (folder) => readTextUnits(join(folder, FILE)),
  })
}
