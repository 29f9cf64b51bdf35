import type { Graph, Reports } from '../graph/graph.ts'
import { type Artifact, defineArtifact } from '../store/artifact.ts'
import { countTokens } from '../text/tokens.ts'
import type { Evidence } from '../types.ts'
import { graph } from './graph.ts'
import type { Recipe } from './recipe.ts'

/** Entities and relationships as texts for a context, with their tokens: counted when first asked for, then kept. */
export interface EvidenceTexts {
  /** `name (type): description`. */
  entity(row: number): Evidence
  /** `source -> target: description`. */
  relationship(row: number): Evidence
}

/** Nothing is kept on disk: most texts of a large graph are never asked for. */
export function evidenceTexts(recipe: Recipe): Artifact<EvidenceTexts> {
  return defineArtifact({
    name: 'evidence',
    version: 1,
    params: null,
    inputs: { graph: graph(recipe) },
    open: async (_folder, inputs) => createEvidenceTexts(await inputs.graph()),
  })
}

export function createEvidenceTexts({
  entities,
  relationships,
}: Pick<Graph, 'entities' | 'relationships'>): EvidenceTexts {
  const { names, types, descriptions } = entities
  return {
    entity: remember((row) => {
      const type = types[row] === '' ? '' : ` (${types[row]})`
      const text =
        descriptions[row] === '' ? `${names[row]}${type}` : `${names[row]}${type}: ${descriptions[row]}`
      return { kind: 'entity', id: entities.ids[row], text, tokens: countTokens(text) }
    }),
    relationship: remember((row) => {
      const ends = `${names[relationships.sources[row]]} -> ${names[relationships.targets[row]]}`
      const text = `${ends}: ${relationships.descriptions[row]}`
      return { kind: 'relationship', id: relationships.ids[row], text, tokens: countTokens(text) }
    }),
  }
}

/** A community report as evidence: its whole content. */
export function reportEvidence({ ids, contents, tokens }: Reports, row: number): Evidence {
  return { kind: 'report', id: ids[row], text: contents[row], tokens: tokens[row] }
}

function remember(make: (row: number) => Evidence): (row: number) => Evidence {
  const known = new Map<number, Evidence>()
  return (row) => {
    let evidence = known.get(row)
    if (!evidence) {
      evidence = make(row)
      known.set(row, evidence)
    }
    return evidence
  }
}
