import { join } from 'node:path'
import { UserError } from '../../errors.ts'
import { resolve } from '../../registry.ts'
import { type Artifact, defineArtifact, derived } from '../../store/artifact.ts'
import { didYouMean } from '../../text/nearest.ts'
import { denseIndex } from '../dense/dense.ts'
import { laterNeighbours, nearestOfEach } from '../dense/near.ts'
import type { Recipe } from '../recipe.ts'
import { buildCsr, type Csr, readCsr, writeCsr } from './csr.ts'
import { graph, relationshipsTable } from './extraction.ts'
import { extractors } from './extractors/index.ts'
import { byEdges, byEntities, byRelationships, type Kinds, type Neighbors } from './neighbors.ts'
import { titleLinks } from './titles.ts'

export const NEIGHBORS = ['relationships', 'entities', 'titles', 'similar'] as const

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
 * Check of `relations`. Opening it throws a UserError if the graph has no such relationship, and no extractor may
 * find one.
 */
export function askedRelations(
  recipe: Recipe,
  { relations = [], without = [] }: Kinds,
): Artifact<unknown> | undefined {
  const relationNames = [...relations, ...without]
  if (relationNames.length === 0) return undefined
  const possible = (recipe.graph ?? []).flatMap((choice) => {
    const { definition, params } = resolve(extractors, choice)
    return definition.make(params).relations ?? []
  })
  return derived(
    'asked_relations',
    { relationships: relationshipsTable(recipe) },
    ({ relationships }) => {
      const kinds = [...new Set([...possible, ...relationships.relations.flat()])].sort()
      const missing = relationNames.filter((name) => !kinds.includes(name))
      if (missing.length === 0) return null
      const there = kinds.length === 0 ? 'its relationships are of no kind' : `there are ${kinds.join(', ')}`
      throw new UserError(
        missing.map((name) => ({
          message: `the graph has no relation \`${name}\`${didYouMean(name, kinds)}; ${there}`,
        })),
      )
    },
    { asked: relationNames, possible },
  )
}

/**
 * Semantic-similarity edges: each chunk chooses its `most` nearest others with a cosine of at least `threshold`. The
 * weight is the cosine.
 */
interface Similarity {
  readonly threshold: number
  readonly most: number
}

export const SIMILAR: Similarity = { threshold: 0.8, most: 10 }

const FILE = 'similar.safetensors'

export function similarChunks(recipe: Recipe, { threshold, most }: Similarity): Artifact<Csr> {
  const whole = recipe.index ? { ...recipe, index: undefined } : recipe
  return defineArtifact({
    name: 'similar_chunks',
    version: 1,
    params: { threshold, most },
    inputs: { chunks: denseIndex(whole) },
    async build(folder, inputs, { progress }) {
      const index = await inputs.chunks()
      const { sources, targets, weights } = nearestOfEach(
        index.rows,
        laterNeighbours(index, threshold),
        most,
        { progress: (done, total) => progress('similar chunks', done, total) },
      )
      const chosen = new Set(Array.from(sources, (source, i) => source * index.rows + targets[i]))
      const edges = Array.from(sources.keys()).filter(
        (i) => sources[i] < targets[i] || !chosen.has(targets[i] * index.rows + sources[i]),
      )
      const of = (column: ArrayLike<number>) => edges.map((i) => column[i])
      const ends = { sources: of(sources), targets: of(targets), weights: of(weights) }
      writeCsr(join(folder, FILE), buildCsr(index.rows, ends))
    },
    open: (folder) => readCsr(join(folder, FILE)).csr,
  })
}
