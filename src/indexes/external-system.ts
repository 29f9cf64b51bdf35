import { basename, isAbsolute } from 'node:path'
import { hashCommand } from '../models/external/command.ts'
import { type ExternalSystem, startSystem } from '../models/external/system.ts'
import { type Artifact, defineArtifact } from '../store/artifact.ts'
import { chunkLines } from './chunk-lines.ts'
import type { Recipe } from './recipe.ts'
import { textUnits } from './text-units.ts'

export interface ExternalCommand {
  /** A program and its words; files by absolute path. */
  readonly command: readonly string[]
  /** Seconds for an answer. */
  readonly timeout: number
  /** Seconds to get ready. */
  readonly startTimeout: number
}

/**
 * Another system over a recipe's chunks, running. Opening starts it, closing ends it; nothing is kept. Its key holds
 * the content of the files that the command names, not their place.
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
    inputs: { chunks: textUnits(recipe), lines: chunkLines(recipe) },
    async open(_, inputs) {
      const chunks = await inputs.chunks()
      return startSystem({
        ...{ command, timeout, startTimeout },
        hello: { dataset: recipe.dataset ?? null, corpus: await inputs.lines() },
        rowOf: new Map(chunks.map(({ id }, row) => [id, row])),
      })
    },
    close: (system) => system.close(),
  })
}
