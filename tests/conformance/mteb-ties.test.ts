import { expect, test } from 'vitest'
import { DIALECTS } from '../../src/metrics/dialects.ts'
import { evaluate } from '../../src/metrics/evaluate.ts'
import { parseMeasure } from '../../src/metrics/parse.ts'
import { goldOf, gradeRanking } from '../../src/metrics/score-run.ts'
import { reorderTies } from '../../src/metrics/variants.ts'
import { describeForm } from './forms.ts'

interface Case {
  readonly qrels: Readonly<Record<string, Readonly<Record<string, number>>>>
  readonly run: Readonly<Record<string, Readonly<Record<string, number>>>>
}

describeForm<{ case: Case; cases?: Case[] }>('mteb-ties', ({ case: only, cases = [only] }) => {
  cases.forEach((data, place) => {
    test(`case ${place + 1}: equal scores`, () => {
      const { qrels, run, ...expected } = data
      const names = Object.keys(expected).filter((name) => name.endsWith('_trec_eval'))
      expect(names.length).toBeGreaterThan(0)
      for (const name of names) {
        const measure = parseMeasure(name.replace('_trec_eval', ''))
        const values = Object.entries(qrels).map(([query, grades]) => {
          const pairs = Object.entries(run[query] ?? {})
          const retrieved = {
            ids: pairs.map(([id]) => id),
            scores: Float64Array.from(pairs, ([, score]) => score),
          }
          const judged = gradeRanking(query, retrieved, goldOf(new Map(Object.entries(grades))), {
            dialect: DIALECTS['trec_eval-10'],
          })
          const worst = evaluate([measure], reorderTies(judged, 'worst'))[0]
          const best = evaluate([measure], reorderTies(judged, 'best'))[0]
          const value = evaluate([measure], judged)[0]
          expect(value).toBeGreaterThanOrEqual(worst)
          expect(value).toBeLessThanOrEqual(best)
          return value
        })
        const mean = values.reduce((sum, value) => sum + value, 0) / values.length
        expect(Math.abs(mean - (expected as Record<string, number>)[name]), name).toBeLessThan(1e-9)
      }
    })
  })
})
