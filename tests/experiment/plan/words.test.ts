import { describe, expect, test } from 'vitest'
import { equalTrials, mergedInWords } from '../../../src/experiment/plan/equal-trials.ts'
import { portable, portableTrial } from '../../../src/experiment/plan/portable.ts'
import { queryErrors } from '../../../src/experiment/plan/query-errors.ts'
import { askingLines, leftInWords } from '../../../src/experiment/plan/render-requests.ts'

describe('equal trials', () => {
  const trials = ['a', 'b', 'c', 'd'].map((id) => ({ id, name: `trial ${id}` })) as never[]
  const compiled = [
    { name: 'trial a', merged: ['c', 'd'] },
    { name: 'trial b', merged: [] },
  ] as never[]

  test('are named by the trial that is computed', () => {
    expect(equalTrials({ trials }, compiled)).toEqual([{ name: 'trial a', equal: ['trial c', 'trial d'] }])
  })

  test('are counted', () => {
    const words = (computed: number) => mergedInWords({ trials }, compiled.slice(0, computed))
    expect(words(2)).toEqual(['4 trials, 2 of them equal to another: 2 are computed'])
    expect(words(1)).toEqual(['4 trials, 3 of them equal to another: 1 is computed'])
    expect(mergedInWords({ trials: trials.slice(0, 2) }, compiled)).toEqual([])
  })
})

describe('model calls in words', () => {
  const model = {
    ...{ model: 'mine', calls: 1200, spareCalls: 0, inputTokens: 5000, outputTokens: 300, dollars: 0.5 },
    kept: { answers: 1000, tokens: 20_000, dollars: 2 },
  }
  const open = [
    { step: 'ask', queries: null, after: 'prepare' },
    { step: 'rate', queries: 1500, after: 'answers' },
    { step: 'embed', queries: 2, after: 'embed' },
  ]
  const lines = (models: object[], more: object[] = []) => askingLines({ models, open: more } as never)
  const STORED = '1,000 completions stored (20,000 tokens, $2.00)'

  test('have a line a model', () => {
    expect(
      lines([
        model,
        { ...model, spareCalls: 3000, outputTokens: null, dollars: null },
        { ...model, calls: 0, kept: { ...model.kept, dollars: null } },
        { ...model, calls: 0, spareCalls: 1 },
      ]),
    ).toEqual([
      `to ask: mine: 1,200 calls, about 5,000 tokens read (estimated), at most 300 written, at most about $0.5000; ${STORED}`,
      `to ask: mine: 1,200 calls and 3,000 more for refused or malformed completions, about 5,000 tokens read (estimated), no limit to output (\`maxTokens\`), no bound in dollars; ${STORED}`,
      'to ask: mine: nothing; 1,000 completions stored (20,000 tokens)',
      `to ask: mine: 0 calls and 1 more for refused or malformed completions, about 5,000 tokens read (estimated), at most 300 written, at most about $0.5000; ${STORED}`,
    ])
  })

  const WAITING = [
    'what ask asks further of the corpus, and texts to embed that are made of it, once its input is prepared',
    'what rate asks for 1,500 queries, once these are completed',
    'what embed asks for 2 queries, once a run has embedded the rewritten queries',
  ]

  test('that are not known yet follow', () => {
    expect(lines([], open)).toEqual(WAITING.map((words) => `not in these bounds: ${words}`))
  })

  test('that were left undone are added up over datasets', () => {
    const left = [
      { models: [model, { ...model, model: 'none', calls: 0 }], open: open.slice(0, 1) },
      { models: [model, { ...model, model: 'other', calls: 1 }], open: [] },
    ]
    expect(leftInWords(left as never)).toBe(
      `left undone: 2,400 completions of \`mine\`, 1 completions of \`other\`, ${WAITING[0]}. Completions are stored: run the same command with a higher \`budget\` to continue`,
    )
  })
})

describe('a trial of a config in a folder', () => {
  test('has paths relative to it', () => {
    const value = { path: '/data/runs/a.trec', list: ['/data/b', 'c/d', 3], none: null, deep: { at: '/x' } }
    expect(portable(value, '/data/configs/a.yaml')).toEqual({
      ...{ path: '../runs/a.trec', list: ['../b', 'c/d', 3], none: null, deep: { at: '../../x' } },
    })
    const file = { path: '/data/own.mjs', sha256: 'x' }
    const trial = {
      ...{ id: 'a', strategy: '/data/own.mjs', params: { path: '/data/a' }, varied: { path: '/data/a' } },
      before: [{ name: 'mine', params: { at: '/data/b' }, file }],
      after: [{ name: 'rerank', params: {} }],
    }
    expect(portableTrial(trial as never, '/data/a.yaml')).toEqual({
      ...{ id: 'a', strategy: 'own.mjs', params: { path: 'a' }, varied: { path: 'a' } },
      before: [{ name: 'mine', params: { at: 'b' }, file: { ...file, path: 'own.mjs' } }],
      after: [{ name: 'rerank', params: {} }],
    })
  })
})

describe('a config and the queries', () => {
  const query = (metadata: object, category: string | null = null) => ({ metadata, category })
  const QUERIES = [query({ year: 1, topic: 'a' }), query({}, 'fact')]
  const at = (line: number) => ({ file: 'a.yaml', line, column: 1 })
  const filter = (field: string, line = 3) => ({
    filter: { where: { x: { query: field } } },
    location: at(line),
  })
  const errors = (given: object, queries: object[] = QUERIES) =>
    queryErrors({ trials: [], compare: {}, file: 'a.yaml', ...given } as never, { queries } as never)

  test('that fit have no errors', () => {
    const fit = { trials: [filter('year'), { location: at(2) }] }
    for (const cluster of ['gold', 'document', 'category', 'topic', undefined])
      expect(errors({ ...fit, compare: { cluster } })).toEqual([])
    // Without queries nothing can be told.
    expect(errors({ trials: [filter('none')] }, [])).toEqual([])
  })

  test('a filter reads a field that the queries have', () => {
    const message =
      '`filter`: no query has `topc` in its metadata (did you mean "topic"?); there are topic, year'
    expect(errors({ trials: [filter('topc'), filter('topc'), filter('topc', 9)] })).toEqual([
      { ...at(3), message },
      { ...at(9), message },
    ])
    expect(errors({ trials: [filter('topc')] }, [query({}, 'fact')])).toEqual([
      { ...at(3), message: '`filter`: no query has `topc` in its metadata; they have none' },
    ])
  })

  test('a cluster is a field that a query has', () => {
    expect(errors({ compare: { cluster: 'topc' } })).toEqual([
      {
        file: 'a.yaml',
        message:
          '`compare.cluster`: no query has `topc` (did you mean "topic"?); there are gold, document, category, topic, year',
      },
    ])
    expect(errors({ compare: { cluster: 'category' } }, [query({ topic: 'a' })])[0].message).toBe(
      '`compare.cluster`: no query has `category`; there are gold, document, topic',
    )
  })
})
