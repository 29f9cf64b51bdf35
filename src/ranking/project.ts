import type { Ranking } from '../types.ts'
import type { Mask } from './mask.ts'
import { rankMap, rankScores } from './order.ts'

/**
 * Projections of scores of entities, relationships or community reports to scores of chunks:
 *
 *     max    the chunk's best item
 *     sum    sum over the chunk's items
 *     share  the best of score * share, share = the part of the item (a community's entities) that the chunk holds
 */
export const PROJECTIONS = ['max', 'sum', 'share'] as const
export type Projection = (typeof PROJECTIONS)[number]

/** Chunks by item: those of item i are `members[offsets[i]]` to `members[offsets[i + 1] - 1]`. */
export interface ItemChunks {
  readonly offsets: Uint32Array
  readonly members: Uint32Array
  /** For each of `members`, the share of the item that the chunk contains, 0 to 1; `share` needs it. */
  readonly shares?: Float64Array
}

/**
 * The chunks that hold the items of `items` (rows are items, in any order), at most `depth` of those that `mask` keeps.
 * Items are added in their order. Scores are finite.
 */
export function project(
  { rows, scores }: Pick<Ranking, 'rows' | 'scores'>,
  holders: ItemChunks,
  how: Projection,
  depth: number,
  mask?: Mask,
): Ranking {
  const { offsets, members } = holders
  const shares = how === 'share' ? holders.shares : undefined
  if (how === 'share' && !shares) throw new Error('the projection `share` needs the shares of its items')
  // No sum and no best of scores can become this again: -0 + 0 is 0.
  const unmet = how === 'sum' ? -0 : Number.NEGATIVE_INFINITY
  const sums = new Float64Array(chunksOf(holders)).fill(unmet)
  for (let i = 0; i < rows.length; i++) {
    const whole = scores[i] + 0
    for (let at = offsets[rows[i]]; at < offsets[rows[i] + 1]; at++) {
      const score = shares ? whole * shares[at] : whole
      if (how === 'sum') sums[members[at]] += score
      // NaN is stored, for rankScores to throw.
      else if (!(score <= sums[members[at]])) sums[members[at]] = score
    }
  }
  const met = Uint8Array.from(sums, (sum, chunk) => (Object.is(sum, unmet) ? 0 : (mask?.kept[chunk] ?? 1)))
  return rankScores(sums, depth, { within: met })
}

const counted = new WeakMap<Uint32Array, number>()

/** One more than the highest chunk that holds anything. */
function chunksOf({ members }: ItemChunks): number {
  const end = counted.get(members) ?? members.reduce((end, chunk) => Math.max(end, chunk + 1), 0)
  counted.set(members, end)
  return end
}

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
  return rankMap(scores, depth)
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
