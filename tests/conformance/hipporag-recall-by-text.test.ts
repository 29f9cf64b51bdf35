import { expect, test } from 'vitest'
import { DIALECTS } from '../../src/metrics/dialects.ts'
import { parseMeasure } from '../../src/metrics/parse.ts'
import { goldByQuery, scoreRankings } from '../../src/metrics/score-run.ts'
import { describeForm } from './forms.ts'

interface Case {
  readonly k_list: readonly number[]
  readonly gold_docs: readonly (readonly string[])[]
  readonly retrieved_docs: readonly (readonly string[])[]
  readonly pooled_rounded4: Readonly<Record<string, number>>
  readonly per_query: readonly Readonly<Record<string, number>>[]
}

describeForm<Case>('hipporag-recall', (data) => {
  test('recall by passage text', () => {
    const idOf = (query: number) => String(query).padStart(6, '0')
    const measures = data.k_list.map((k) => parseMeasure(`recall@${k}`))
    const scores = scoreRankings({
      gold: goldByQuery(
        new Map(data.gold_docs.map((texts, query) => [idOf(query), new Map(texts.map((text) => [text, 1]))])),
      ),
      run: new Map(
        data.retrieved_docs.map((ids, query) => [
          idOf(query),
          { ids, scores: Float64Array.from(ids, (_, rank) => -rank) },
        ]),
      ),
      measures,
      dialect: DIALECTS.hipporag,
    })
    data.k_list.forEach((k, place) => {
      expect([k, scores.means[place]]).toEqual([k, data.pooled_rounded4[`Recall@${k}`]])
      const own = Array.from(scores.values[place])
      expect([k, own]).toEqual([k, data.per_query.map((values) => values[`Recall@${k}`])])
    })
  })
})
