import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { DIALECTS, type DialectName } from '../../src/metrics/dialects.ts'
import { goldByQuery, scoreRun } from '../../src/metrics/score-run.ts'
import { askedMeasures } from '../../src/metrics/trec-names.ts'
import { readQrels, readRun } from '../../src/runs/read.ts'
import { describeShared, shared } from '../shared.ts'

type Values = Record<string, Record<string, number>>
type Expected = Record<string, { args: string[] } & Record<string, { values: Values }>>

const VERSIONS: Record<string, DialectName> = {
  'trec_eval_10.0': 'trec_eval-10',
  'trec_eval_9.0.8': 'trec_eval-9',
}

describeShared('trec_eval, every bit', () => {
  const folder = shared('conformance', 'trec_eval-full-precision')
  const names = readdirSync(folder).flatMap((file) => /^(.+)\.expected\.json$/.exec(file)?.[1] ?? [])

  test('there are cases', () => expect(names.length).toBeGreaterThan(0))

  for (const name of names) {
    const expected: Expected = JSON.parse(readFileSync(join(folder, `${name}.expected.json`), 'utf8'))
    for (const [set, { args, ...versions }] of Object.entries(expected)) {
      test.each(Object.keys(versions))(`${name}, ${set}, %s`, async (version) => {
        const { value: qrels } = await readQrels(join(folder, `${name}.qrels`))
        const { value: run } = await readRun(join(folder, `${name}.run`))
        const { values } = (versions as Record<string, { values: Values }>)[version]
        const options = optionsOf(args)
        let compared = 0
        for (const [query, measures] of Object.entries(values)) {
          const asked = askedMeasures(Object.keys(measures), { rel: options.rel })
          const scores = scoreRun({
            ...options,
            gold: goldByQuery(qrels.qrels),
            run: run.queries,
            measures: asked.map(({ measure }) => measure),
            dialect: DIALECTS[VERSIONS[version]],
          })
          asked.forEach(({ label }, place) => {
            // With -c and a level trec_eval counts every relevant document of `all`, whatever its grade.
            if (query === 'all' && label === 'num_rel' && !options.presentOnly && options.rel > 1) return
            const own =
              query === 'all' ? scores.means[place] : scores.values[place][scores.queries.indexOf(query)]
            expect({ query, label, value: own }).toEqual({ query, label, value: measures[label] })
            compared++
          })
        }
        expect(compared).toBeGreaterThan(0)
      })
    }
  }
})

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
