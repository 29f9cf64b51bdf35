import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { DIALECTS } from '../../src/metrics/dialects.ts'
import { evaluate } from '../../src/metrics/evaluate.ts'
import { goldOf, judge } from '../../src/metrics/judge.ts'
import { parseMeasure } from '../../src/metrics/parse.ts'
import { reorderTies } from '../../src/metrics/ties.ts'
import { describeShared, shared } from '../shared.ts'

interface Case {
  readonly qrels: Readonly<Record<string, Readonly<Record<string, number>>>>
  readonly run: Readonly<Record<string, Readonly<Record<string, number>>>>
}

describeShared('a constant scorer', () => {
  const files = readdirSync(shared('conformance')).filter((file) => /^mteb-ties.*\.json$/.test(file))
  for (const file of files) {
    const { case: only, cases } = JSON.parse(readFileSync(shared('conformance', file), 'utf8'))
    for (const [place, data] of (cases ?? [only]).entries())
      test(`${file}, case ${place + 1}`, () => {
        const names = Object.keys(data).filter((name) => name.endsWith('_trec_eval'))
        expect(names.length).toBeGreaterThan(0)
        for (const name of names) {
          const measure = parseMeasure(name.replace('_trec_eval', ''))
          const { qrels, run } = data as Case
          const values = Object.entries(qrels).map(([query, grades]) => {
            const pairs = Object.entries(run[query] ?? {})
            const retrieved = {
              ids: pairs.map(([id]) => id),
              scores: Float64Array.from(pairs, ([, score]) => score),
            }
            const judged = judge(query, retrieved, goldOf(new Map(Object.entries(grades))), {
              dialect: DIALECTS['trec_eval-10'],
            })
            const worst = evaluate([measure], reorderTies(judged, 'worst'))[0]
            const best = evaluate([measure], reorderTies(judged, 'best'))[0]
            const own = evaluate([measure], judged)[0]
            expect(own).toBeGreaterThanOrEqual(worst)
            expect(own).toBeLessThanOrEqual(best)
            return own
          })
          expect(values.reduce((sum, value) => sum + value, 0) / values.length).toBe(data[name])
        }
      })
  }
  test('there are cases', () => expect(files.length).toBeGreaterThan(0))
})
