import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { DIALECTS, type DialectName } from '../../src/metrics/dialects.ts'
import { goldByQuery, scoreRankings } from '../../src/metrics/score-run.ts'
import { askedMeasures } from '../../src/metrics/trec-names.ts'
import { readQrels, readRun } from '../../src/runs/formats.ts'
import { describeForm } from './forms.ts'

type Values = Record<string, Record<string, number>>
type Expected = Record<string, { args: string[] } & Record<string, { values: Values }>>

const VERSIONS: Record<string, DialectName> = {
  'trec_eval_10.0': 'trec_eval-10',
  'trec_eval_9.0.8': 'trec_eval-9',
}

describeForm<Expected>('trec_eval-full-precision', (expected, file) => {
  for (const [set, ofSet] of Object.entries(expected))
    for (const version of Object.keys(ofSet).filter((key) => key !== 'args'))
      test(`${set}, ${version}`, async () => {
        const { value: qrels } = await readQrels(siblingOf(file, 'qrels'))
        const { value: run } = await readRun(siblingOf(file, 'run'))
        expect(Object.keys(VERSIONS)).toContain(version)
        const { values } = ofSet[version]
        const options = optionsOf(ofSet.args)
        let compared = 0
        for (const [query, measures] of Object.entries(values)) {
          const named = askedMeasures(Object.keys(measures), { rel: options.rel })
          const scores = scoreRankings({
            ...options,
            gold: goldByQuery(qrels.qrels),
            run: run.queries,
            measures: named.map(({ measure }) => measure),
            dialect: DIALECTS[VERSIONS[version]],
          })
          named.forEach(({ label }, place) => {
            // With -c and a level trec_eval counts every relevant document of `all`, whatever its grade.
            if (query === 'all' && label === 'num_rel' && !options.presentOnly && options.rel > 1) return
            const actual =
              query === 'all' ? scores.means[place] : scores.values[place][scores.queries.indexOf(query)]
            // C libraries round logarithms and exponentials differently: a geometric mean may be off by the last bit.
            if (label.startsWith('gm_'))
              expect(Math.abs(actual - measures[label])).toBeLessThanOrEqual(Number.EPSILON * measures[label])
            else expect({ query, label, value: actual }).toEqual({ query, label, value: measures[label] })
            compared++
          })
        }
        expect(compared).toBeGreaterThan(0)
      })
})

/** `edges.qrels` stands beside `edges.expected.json` or `edges.json`; gzipped or not. */
function siblingOf(file: string, ending: string): string {
  const path = `${file.replace(/(\.expected)?\.json$/, '')}.${ending}`
  return existsSync(path) ? path : `${path}.gz`
}

/** trec_eval's command line as ours. */
function optionsOf(args: readonly string[]) {
  const text = args.join(' ')
  const number = (letter: string) => new RegExp(`-${letter} ?(\\d+)`).exec(text)?.[1]
  return {
    presentOnly: !args.includes('-c'),
    judgedOnly: args.includes('-J'),
    rel: Number(number('l') ?? 1),
    depth: Number(number('M') ?? Number.POSITIVE_INFINITY),
  }
}
