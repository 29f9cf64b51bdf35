import type { Ranking } from '../types.ts'
import type { MixedItem } from './mixed-list.ts'
import { rankPairs } from './order.ts'
import { type Holders, project } from './project.ts'

/**
 * Seed document 003's LightRAG: entities and relationships in one list,
 *
 *     entityWeight * cosine of an entity,  (1 - entityWeight) * cosine of a relationship
 *
 * and the chunks behind them, each scored by its best item (or a sum).
 */
export interface ItemSide {
  readonly items: Ranking
  readonly holders: Holders
}

/** Chunks by the projection of both sides' weighted scores. */
export function projectItems(
  entities: ItemSide,
  relationships: ItemSide,
  entityWeight: number,
  projection: 'max' | 'sum' | 'spread',
  depth: number,
): Ranking {
  const sides = [weighted(entities, entityWeight), weighted(relationships, 1 - entityWeight)]
  const scores = new Map<number, number>()
  for (const { items, holders } of sides) {
    const chunks = project(items, holders, projection, Number.MAX_SAFE_INTEGER)
    chunks.rows.forEach((row, i) => {
      const known = scores.get(row)
      const score = chunks.scores[i]
      if (known === undefined) scores.set(row, score)
      else scores.set(row, projection === 'max' ? Math.max(known, score) : known + score)
    })
  }
  return rankPairs([...scores.keys()], [...scores.values()], depth)
}

/** The list itself, best first; equal scores: entities first, then as they were ranked. */
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
