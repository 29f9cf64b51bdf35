import { join } from 'node:path'
import { oncePer } from '../../maps.ts'
import { type Mask, maskOf } from '../../ranking/mask.ts'
import { resolve } from '../../registry.ts'
import { readArrays, writeArrays } from '../../store/arrays.ts'
import { type Artifact, defineArtifact, derived } from '../../store/artifact.ts'
import { titledText } from '../../text/tokenize.ts'
import { chunkColumns } from '../corpus.ts'
import type { Recipe } from '../recipe.ts'
import { splitText } from './chunk.ts'
import { chunkers } from './chunkers/index.ts'
import { contextOf } from './contexts/index.ts'

/**
 * Searched texts: one per chunk or, with `prepare.index`, one per small unit of a chunk. A found unit is ranked as
 * its chunk (small-to-big).
 */
interface Units {
  /** Chunk row of each unit, ascending; each chunk has one or more. */
  readonly parents: Uint32Array
  /** UTF-16 offsets of each unit in its chunk's text. */
  readonly starts: Uint32Array
  readonly ends: Uint32Array
}

const FILE = 'units.safetensors'

export function units(recipe: Recipe): Artifact<Units> | undefined {
  if (!recipe.index) return undefined
  const { index } = recipe
  const { definition, params } = resolve(chunkers, index)
  return defineArtifact({
    name: 'units',
    version: 1,
    params: { chunker: definition.name, version: definition.version, code: definition.code, params },
    inputs: { chunks: chunkColumns(recipe, 'id', 'title', 'text', 'metadata') },
    async build(folder, inputs, { progress }) {
      const chunks = await inputs.chunks()
      const pieces = chunks.flatMap((chunk, row) => {
        if (row % 1000 === 0) progress('units', row, chunks.length)
        return splitText(chunk, index).map((piece) => ({ ...piece, row }))
      })
      writeArrays(join(folder, FILE), {
        parents: Uint32Array.from(pieces, ({ row }) => row),
        starts: Uint32Array.from(pieces, ({ start }) => start),
        ends: Uint32Array.from(pieces, ({ end }) => end),
      })
    },
    open: (folder) => readArrays<Units>(join(folder, FILE)).arrays,
  })
}

/** Texts that are embedded and indexed, one per unit: the context's prefix, a newline, the unit. */
export function indexedTexts(recipe: Recipe): Artifact<readonly string[]> {
  const { definition, params } = contextOf(recipe)
  const { prefix, texts } = definition.make(params)
  const cut = units(recipe)
  const contextText = texts?.(recipe)
  return derived(
    'indexed_texts',
    {
      chunks: chunkColumns(recipe, 'title', 'section', 'text'),
      ...(cut && { units: cut }),
      ...(contextText && { beside: contextText }),
    },
    ({ chunks, units, beside }) => {
      const textOf = (row: number, text: string) =>
        titledText({ title: prefix(chunks[row], beside?.[row] ?? ''), text })
      if (!units) return chunks.map(({ text }, row) => textOf(row, text))
      return Array.from(units.parents, (row, unit) =>
        textOf(row, chunks[row].text.slice(units.starts[unit], units.ends[unit])),
      )
    },
    // Params of a context only affect the extra text that it reads, which is an input.
    { context: definition.name, version: definition.version, params: {} },
  )
}

/** Masks over units from masks over chunks. */
export function unitMasks(parents: Uint32Array): (mask: Mask) => Mask {
  return oncePer(({ kept }: Mask) => maskOf(Uint8Array.from(parents, (row) => kept[row])))
}
