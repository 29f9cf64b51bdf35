import type { Ranking } from '../types.ts'

/**
 * The projection `constant`: seed document 003 puts entities, relationships and chunks into one list, in that order of
 * scores, and cuts it. What is left of the chunks is a ranking, scored by place in the whole list: 1/place. It is there
 * to be measured: entities and relationships fill the list before any chunk.
 */
export interface MixedItem {
  readonly kind: 'entity' | 'relationship' | 'chunk'
  /** Row of its kind. */
  readonly row: number
}

/** The chunks among the first `items` of a list, each at its first place. */
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

/** HippoRAG's: each entity, followed by two of its chunks while at most three things stand in the list. */
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
