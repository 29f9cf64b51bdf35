import type { IndexSummary } from '../results/summary.ts'
import { percent, plural, quantity } from './numbers.ts'

type Counted = Pick<IndexSummary, 'name' | 'counts'>

/**
 * A line for each graph that leaves out most chunks: fewer than half of the chunks have an entity, or a title link.
 * Strategies over it mostly give what they start from, or nothing.
 */
export function thinGraphLines(indexes: readonly Counted[]): string[] {
  return indexes.flatMap(({ name, counts }) => {
    const whose = indexes.length > 1 ? ` of ${name}` : ''
    return [...entityLine(whose, counts), ...titleLine(whose, counts)]
  })
}

function entityLine(whose: string, counts: Counted['counts']): string[] {
  const { chunks, entities, relationships, isolatedChunks, entitiesPerChunk } = counts
  if (entities === 0) return [`The graph${whose} is empty: it has no entity, so nothing can be linked.`]
  if (entities === undefined || 2 * isolatedChunks <= chunks) return []
  return [
    `The graph${whose} covers few chunks: ${plural(entities, 'entity', 'entities')} and ${plural(relationships, 'relationship')}, ${quantity(entitiesPerChunk)} entities per chunk, and ${percent(1 - isolatedChunks / chunks)} % of the chunks have an entity. Graph strategies will mostly return their initial ranking, or nothing.`,
  ]
}

function titleLine(
  whose: string,
  { chunks, titleLinks, chunksWithoutTitleLink }: Counted['counts'],
): string[] {
  if (titleLinks === 0) return [`No passage${whose} mentions another's title: there are no title links.`]
  if (titleLinks === undefined || 2 * chunksWithoutTitleLink <= chunks) return []
  return [
    `The title links${whose} reach ${percent(1 - chunksWithoutTitleLink / chunks)} % of the chunks; title-ppr will mostly return its initial ranking.`,
  ]
}
