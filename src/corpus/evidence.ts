import { join } from 'node:path'
import { readArrays, writeArrays } from '../store/arrays.ts'
import { type Artifact, defineArtifact } from '../store/artifact.ts'
import { countTokens } from '../text/tokens.ts'
import type { Evidence } from '../types.ts'
import { graph } from './graph/extraction.ts'
import type { Graph, Reports } from './graph/graph.ts'
import type { Recipe } from './recipe.ts'

/** o200k tokens of the text of an entity and a relationship, by row. */
export interface EvidenceSizes {
  readonly entity: (row: number) => number
  readonly relationship: (row: number) => number
}

export interface EvidenceTexts {
  entity(row: number): Evidence
  relationship(row: number): Evidence
  readonly sizes: EvidenceSizes
}

const FILE = 'tokens.safetensors'

/** Texts of entities and relationships. Tokens are counted when preparing, so that workers need no tokenizer. */
export function evidenceTexts(recipe: Recipe): Artifact<EvidenceTexts> {
  return defineArtifact({
    name: 'evidence',
    version: 1,
    params: null,
    inputs: { graph: graph(recipe) },
    async build(folder, inputs) {
      const opened = await inputs.graph()
      const { entity, relationship } = textsOf(opened)
      const tokens = (size: number, text: (row: number) => string) =>
        Uint32Array.from({ length: size }, (_, row) => countTokens(text(row)))
      writeArrays(join(folder, FILE), {
        entities: tokens(opened.entities.size, entity),
        relationships: tokens(opened.relationships.size, relationship),
      })
    },
    async open(folder, inputs) {
      const opened = await inputs.graph()
      const { entity, relationship } = textsOf(opened)
      const { entities, relationships } = readArrays(join(folder, FILE)).arrays
      const evidence = (
        kind: 'entity' | 'relationship',
        ids: readonly string[],
        text: (row: number) => string,
        tokens: ArrayLike<number>,
      ) => remember((row): Evidence => ({ kind, id: ids[row], text: text(row), tokens: tokens[row] }))
      return {
        entity: evidence('entity', opened.entities.ids, entity, entities),
        relationship: evidence('relationship', opened.relationships.ids, relationship, relationships),
        sizes: { entity: (row) => entities[row], relationship: (row) => relationships[row] },
      }
    },
  })
}

function textsOf({ entities, relationships }: Pick<Graph, 'entities' | 'relationships'>) {
  const { names, types, descriptions } = entities
  return {
    entity(row: number): string {
      const type = types[row] === '' ? '' : ` (${types[row]})`
      return descriptions[row] === '' ? `${names[row]}${type}` : `${names[row]}${type}: ${descriptions[row]}`
    },
    relationship(row: number): string {
      const ends = `${names[relationships.sources[row]]} -> ${names[relationships.targets[row]]}`
      return `${ends}: ${relationships.descriptions[row]}`
    },
  }
}

export function reportEvidence({ ids, contents, tokens }: Reports, row: number): Evidence {
  return { kind: 'report', id: ids[row], text: contents[row], tokens: tokens[row] }
}

/** Gives one object per row, since readers compare them by identity. */
function remember(make: (row: number) => Evidence): (row: number) => Evidence {
  const made = new Map<number, Evidence>()
  return (row) => {
    let evidence = made.get(row)
    if (!evidence) {
      evidence = make(row)
      made.set(row, evidence)
    }
    return evidence
  }
}
