import { join } from 'node:path'
import { expect } from 'vitest'
import { extractGraph } from '../../../src/corpus/graph/extraction.ts'
import { extractors } from '../../../src/corpus/graph/extractors/index.ts'
import { UserError } from '../../../src/errors.ts'
import { resolve } from '../../../src/registry.ts'
import { temporaryFolder } from '../../temporary.ts'
import { chunksOf } from './chunks.ts'

/** Graphs of other programs, read over a small corpus. */

export const TOWNS = chunksOf([
  ['Lomm', 'Lomm lies at the strait of Orr. It has a harbour.'],
  ['Tarn', 'Tarn lies inland near a lake.'],
  ['Vesk', 'Vesk is a city with many cranes.'],
])

export async function graphOf(name: string, file: string, content: string, input = TOWNS) {
  const path = join(temporaryFolder({ [file]: content }), file)
  return read(name, path, input)
}

export async function read(name: string, path: string, input = TOWNS) {
  const chosen = resolve(extractors, { name, params: { path } })
  const notices = await chosen.definition.make(chosen.params).check?.(input.documents)
  const { graph, counts } = await extractGraph(input, [chosen])
  const { entities, relationships: r } = graph
  const edges = Array.from(r.sources, (source, row) => {
    const kinds = r.relations[row].join('+')
    return `${entities.names[source]} -${kinds}-> ${entities.names[r.targets[row]]} ${r.weights[row]}`
  })
  const at = entities.names.map((name, row) => {
    const { offsets, members } = graph.chunksOfEntity
    return `${name}: ${[...members.subarray(offsets[row], offsets[row + 1])].join(' ')}`
  })
  return { graph, edges: edges.sort(), at: at.sort(), counts: counts[name], notices }
}

export async function refusal(name: string, file: string, content: string, input = TOWNS): Promise<string> {
  const error = await graphOf(name, file, content, input).catch((error) => error)
  expect(error).toBeInstanceOf(UserError)
  return (error as UserError).diagnostics.map(({ line, message }) => `${line ?? '-'}: ${message}`).join('\n')
}
