import { closeSync, openSync, writeFileSync } from 'node:fs'
import { basename, isAbsolute, join } from 'node:path'
import { hashCommand } from '../models/external/command.ts'
import { type ExternalSystem, startSystem } from '../models/external/system.ts'
import { type Artifact, defineArtifact } from '../store/artifact.ts'
import { chunkSpans, textUnits } from './corpus.ts'
import type { Recipe } from './recipe.ts'

export interface ExternalCommand {
  /** Program and arguments; files by absolute path. */
  readonly command: readonly string[]
  /** Seconds to wait for an answer to a query. */
  readonly timeout: number
  /** Seconds to wait until the system is ready. */
  readonly startTimeout: number
}

/**
 * Runs another system over a recipe's chunks: opening starts it, closing ends it, nothing is stored. Its key covers the
 * content of the files that the command names, not their paths.
 */
export function externalSystem(
  recipe: Recipe,
  { command, timeout, startTimeout }: ExternalCommand,
): Artifact<ExternalSystem> {
  return defineArtifact({
    name: 'external',
    version: 1,
    params: {
      command: command.map((word) => (isAbsolute(word) ? basename(word) : word)),
      files: hashCommand(command),
      timeout,
      startTimeout,
    },
    inputs: { chunks: chunkSpans(recipe), lines: chunkLines(recipe) },
    async open(_, inputs) {
      const chunks = await inputs.chunks()
      return startSystem({
        command,
        timeout,
        startTimeout,
        hello: { dataset: recipe.dataset ?? null, corpus: await inputs.lines() },
        rowOf: new Map(chunks.map(({ id }, row) => [id, row])),
      })
    },
    close: (system) => system.close(),
  })
}

const FILE = 'chunks.jsonl'
/** UTF-16 units written at once. */
const BLOCK = 2 ** 20

/** Path of a JSONL file for other systems: `{"id", "document", "title", "text"}` per chunk, sorted by id bytes. */
function chunkLines(recipe: Recipe): Artifact<string> {
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
