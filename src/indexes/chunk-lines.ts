import { closeSync, openSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Artifact, defineArtifact } from '../store/artifact.ts'
import type { Recipe } from './recipe.ts'
import { textUnits } from './text-units.ts'

const FILE = 'chunks.jsonl'
/** Letters that go to the file at once. */
const BLOCK = 2 ** 20

/** The path of a file for other systems: one chunk a line, `{"id", "document", "title", "text"}`, sorted by id bytes. */
export function chunkLines(recipe: Recipe): Artifact<string> {
  return defineArtifact({
    name: 'chunk_lines',
    version: 1,
    params: null,
    inputs: { chunks: textUnits(recipe) },
    async build(folder, inputs) {
      const file = openSync(join(folder, FILE), 'w')
      let block = ''
      for (const { id, documentId, title, text } of await inputs.chunks()) {
        block += `${JSON.stringify({ id, document: documentId, title, text })}\n`
        if (block.length < BLOCK) continue
        writeFileSync(file, block)
        block = ''
      }
      writeFileSync(file, block)
      closeSync(file)
    },
    open: (folder) => join(folder, FILE),
  })
}
