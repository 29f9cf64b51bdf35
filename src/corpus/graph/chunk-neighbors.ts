import { UserError } from '../../errors.ts'
import { resolve } from '../../registry.ts'
import { type Artifact, derived } from '../../store/artifact.ts'
import { didYouMean } from '../../text/nearest.ts'
import { SIMILAR, type Similarity, similarChunks } from '../dense/similar-chunks.ts'
import type { Recipe } from '../recipe.ts'
import { graph, relationshipsTable } from './artifacts.ts'
import { extractors } from './extractors/index.ts'
import { byEdges, byEntities, byRelationships, type Kinds, type Neighbors } from './neighbors.ts'
import { titleLinks } from './title-links.ts'

export const NEIGHBORS = ['relationships', 'entities', 'titles', 'similar'] as const

/** Kinds of relationships (`over: relationships`), or minimum similarity (`over: similar`). */
export type NeighborOptions = Kinds & Partial<Similarity>

export function chunkNeighbors(
  recipe: Recipe,
  over: (typeof NEIGHBORS)[number],
  options: NeighborOptions = {},
): Artifact<Neighbors> {
  const name = 'chunk_neighbors'
  if (over === 'titles')
    return derived(name, { links: titleLinks(recipe) }, ({ links }) => byEdges(links.csr), { over })
  if (over === 'similar') {
    const similar = similarChunks(recipe, { ...SIMILAR, ...picked(options, ['threshold', 'most']) })
    return derived(name, { similar }, ({ similar }) => byEdges(similar), { over })
  }
  const kinds: Kinds = over === 'relationships' ? picked(options, ['relations', 'without']) : {}
  const isAll = Object.keys(kinds).length === 0
  return derived(
    name,
    { graph: graph(recipe) },
    ({ graph }) =>
      over === 'entities' ? byEntities(graph) : byRelationships(graph, isAll ? undefined : kinds),
    { over, ...(isAll ? {} : { kinds }) },
  )
}

function picked<K extends keyof NeighborOptions>(
  options: NeighborOptions,
  names: readonly K[],
): Pick<NeighborOptions, K> {
  const there = names.filter((name) => options[name] !== undefined)
  return Object.fromEntries(there.map((name) => [name, options[name]])) as Pick<NeighborOptions, K>
}

/**
 * Check of `relations`. Opening it throws a UserError if the graph has no relationship of one of these kinds, and no
 * extractor that may find it.
 */
export function askedRelations(
  recipe: Recipe,
  { relations = [], without = [] }: Kinds,
): Artifact<unknown> | undefined {
  const asked = [...relations, ...without]
  if (asked.length === 0) return undefined
  const possible = (recipe.graph ?? []).flatMap((choice) => {
    const { definition, params } = resolve(extractors, choice)
    return definition.make(params).relations ?? []
  })
  return derived(
    'asked_relations',
    { relationships: relationshipsTable(recipe) },
    ({ relationships }) => {
      const kinds = [...new Set([...possible, ...relationships.relations.flat()])].sort()
      const missing = asked.filter((name) => !kinds.includes(name))
      if (missing.length === 0) return null
      const there = kinds.length === 0 ? 'its relationships are of no kind' : `there are ${kinds.join(', ')}`
      throw new UserError(
        missing.map((name) => ({
          message: `the graph has no relation \`${name}\`${didYouMean(name, kinds)}; ${there}`,
        })),
      )
    },
    { asked, possible },
  )
}
