import type { Ranking } from '../types.ts'
import type { Mask } from './mask.ts'
import { rankPairs } from './order.ts'
import { type ItemChunks, project } from './project.ts'

/**
 * Item of the projection `constant`: seed document 003 puts entities, relationships and chunks into one list and cuts
 * it. Its chunks are scored 1 / rank in the whole list.
 */
export interface MixedItem {
  readonly kind: 'entity' | 'relationship' | 'chunk'
  /** Row of its kind. */
  readonly row: number
}

export function chunksOfList(list: readonly MixedItem[], items: number): Ranking {
  const rows: number[] = []
  const scores: number[] = []
  list.slice(0, items).forEach(({ kind, row }, i) => {
    if (kind !== 'chunk' || rows.includes(row)) return
    rows.push(row)
    scores.push(1 / (i + 1))
  })
  return { rows: Uint32Array.from(rows), scores: Float64Array.from(scores) }
}

/** HippoRAG's: each entity, followed by two of its chunks while the list has at most three items. */
export function hippoList(
  entities: ArrayLike<number>,
  chunksOf: (entity: number) => ArrayLike<number>,
  items: number,
) {
  const list: MixedItem[] = []
  for (let i = 0; i < entities.length && list.length < items; i++) {
    list.push({ kind: 'entity', row: entities[i] })
    if (list.length > 3) continue
    const chunks = chunksOf(entities[i])
    for (let c = 0; c < Math.min(2, chunks.length); c++) list.push({ kind: 'chunk', row: chunks[c] })
  }
  return list.slice(0, items)
}

/**
 * Seed document 003's LightRAG: entities and relationships in one list,
 *
 *     entityWeight * cosine of an entity,  (1 - entityWeight) * cosine of a relationship
 *
 * and the chunks behind them, each scored by its best item.
 */
interface ItemSide {
  readonly items: Ranking
  readonly holders: ItemChunks
}

/** Chunks by the best of both sides' weighted scores, those that `mask` keeps. */
export function projectItems(
  entities: ItemSide,
  relationships: ItemSide,
  entityWeight: number,
  depth: number,
  mask?: Mask,
): Ranking {
  const sides = [weighted(entities, entityWeight), weighted(relationships, 1 - entityWeight)]
  const scores = new Map<number, number>()
  for (const { items, holders } of sides) {
    const chunks = project(items, holders, 'max', Number.MAX_SAFE_INTEGER, mask)
    chunks.rows.forEach((row, i) => {
      scores.set(row, Math.max(scores.get(row) ?? Number.NEGATIVE_INFINITY, chunks.scores[i]))
    })
  }
  return rankPairs([...scores.keys()], [...scores.values()], depth)
}

export function listItems(
  entities: Ranking,
  relationships: Ranking,
  entityWeight: number,
  items: number,
): MixedItem[] {
  const list = [
    ...Array.from(entities.rows, (row, i) => ({
      kind: 'entity' as const,
      row,
      score: entityWeight * entities.scores[i],
    })),
    ...Array.from(relationships.rows, (row, i) => ({
      kind: 'relationship' as const,
      row,
      score: (1 - entityWeight) * relationships.scores[i],
    })),
  ]
  list.sort((a, b) => b.score - a.score)
  return list.slice(0, items).map(({ kind, row }) => ({ kind, row }))
}

function weighted({ items, holders }: ItemSide, weight: number): ItemSide {
  return { items: { rows: items.rows, scores: items.scores.map((score) => weight * score) }, holders }
}
