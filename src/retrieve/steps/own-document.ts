import { chunkSpans } from '../../corpus/corpus.ts'
import type { Recipe } from '../../corpus/recipe.ts'
import { addTo } from '../../maps.ts'
import { derived } from '../../store/artifact.ts'
import type { Query, Ranking } from '../../types.ts'
import { defineStep, type Expression, sourceById } from '../step.ts'

/** For datasets in which a query is itself a document (BEIR's `ignore_identical_ids`: Thakur et al., NeurIPS 2021). */
const leaveOut = defineStep({
  name: 'own-document',
  yields: 'ranking',
  artifacts: (recipe) => ({ rows: rowsByDocument(recipe) }),
  run([ranking, { id }]: [Ranking, Query], { artifacts: { rows } }): Ranking {
    const chunks = rows.get(id)
    if (!chunks || !ranking.rows.some((row) => chunks.includes(row))) return ranking
    const isOther = (_: number, index: number) => !chunks.includes(ranking.rows[index])
    return { rows: ranking.rows.filter(isOther), scores: ranking.scores.filter(isOther) }
  },
})

export function leaveOutOwn(ranking: Expression<Ranking>): Expression<Ranking> {
  return leaveOut([ranking, sourceById(ranking.recipe)])
}

export function withOwn(ranking: Expression<Ranking>): Expression<Ranking> {
  return ranking.step.name === 'own-document' ? (ranking.inputs[0] as Expression<Ranking>) : ranking
}

function rowsByDocument(recipe: Recipe) {
  return derived('rows_by_document', { chunks: chunkSpans(recipe) }, ({ chunks }) => {
    const rows = new Map<string, number[]>()
    chunks.forEach(({ documentId }, row) => {
      addTo(rows, documentId, row)
    })
    return rows as ReadonlyMap<string, readonly number[]>
  })
}
