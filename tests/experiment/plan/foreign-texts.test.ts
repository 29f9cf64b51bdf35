import { expect, test } from 'vitest'
import { runLines } from '../../../src/experiment/plan/foreign-texts.ts'

const NONE = { exact: 0, normalised: 0, overlapping: 0, ambiguous: 0, unmatched: 0 }

/** Sentences on one prepared run of another system, over a dataset with one question. */
function linesOf(run: object, { isPrepared = true, times = 1 } = {}): Promise<string[]> {
  const store = { has: () => isPrepared, open: async ({ content }: { content: object }) => content }
  const trial = (key: string) => ({
    ranking: {
      ...{ key, inputs: [], step: { recorded: { path: '/runs/their.json', artifact: 'run' } } },
      artifacts: { run: { key: 'a', content: { lines: [], ...run } } },
    },
  })
  const trials = Array.from({ length: times }, (_, index) => trial(`step ${index}`))
  return runLines(store as never, trials as never, [{ text: ' Who? ' }])
}

const MOVED = 'are left out of the rankings, so that later ranks move up'

test.each<[string, object, string[]]>([
  [
    'of every kind',
    { exact: 1200, overlapping: 3, ambiguous: 1, unmatched: 2 },
    [
      `their.json: 1,203 of 1,206 texts match chunks (1,200 exact, 3 overlapping); 1 ambiguous, 2 unmatched: these ${MOVED}`,
    ],
  ],
  ['that all match', { normalised: 2 }, ['their.json: 2 of 2 texts match chunks (2 normalised)']],
  [
    'of which none matches',
    { unmatched: 1 },
    [`their.json: 0 of 1 texts match chunks; 1 unmatched: these ${MOVED}`],
  ],
  ['that are none', {}, []],
])('texts %s', async (_, counts, lines) => {
  expect(await linesOf({ texts: { counts: { ...NONE, ...counts }, queries: ['Who?'] } })).toEqual(lines)
})

test('queries that the dataset lacks are counted, with the beginning of the first', async () => {
  const unknown = (...queries: string[]) => linesOf({ texts: { counts: NONE, queries } })
  const told = (count: string, first: string) => [
    `their.json: ${count} queries are no question of the dataset and are not read, the first: "${first}"`,
  ]
  expect(await unknown('Who?')).toEqual([])
  expect(await unknown('Who?', 'x'.repeat(60), 'Where?')).toEqual(told('2 of 3', 'x'.repeat(60)))
  expect(await unknown('x'.repeat(61), 'Who?')).toEqual(told('1 of 2', `${'x'.repeat(60)}...`))
  const many = Array.from({ length: 1500 }, (_, number) => `question ${number}`)
  expect(await unknown('Who?', ...many)).toEqual(told('1,500 of 1,501', 'question 0'))
})

test('a run that several trials read is told once, and one that is not prepared not at all', async () => {
  const run = { lines: ['scores are ranks'] }
  expect(await linesOf(run, { times: 2 })).toEqual(['their.json: scores are ranks'])
  expect(await linesOf(run, { isPrepared: false })).toEqual([])
})
