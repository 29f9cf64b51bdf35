import { describe, expect, test } from 'vitest'
import { notedLines } from '../../src/report/data-notes.ts'
import { latencyNotes } from '../../src/report/latency-notes.ts'
import {
  baselineName,
  comparedName,
  comparisonNote,
  datasetsInWords,
  differencesTo,
  lettersNote,
  macroNote,
  missingNote,
  otherLeadersInWords,
  standInNote,
  tuningNote,
  untestedNote,
  withinWords,
} from '../../src/report/notes.ts'
import { stageName, stageWords } from '../../src/report/stage-words.ts'

const comparison = (more: object = {}) => ({
  draws: 10_000,
  baseline: 't1',
  family: 'all',
  correction: 'max-t',
  level: 0.05,
  rows: [{ verdict: 'better' }],
  ...more,
})
const board = (more: object = {}) =>
  ({
    ranked: [{ id: 't1', name: 'bm25', kind: 'trial' }],
    seen: [{ id: 't2', name: 'naive' }],
    one: {},
    comparison: comparison(),
    tuning: { kind: 'none' },
    count: 2,
    missing: [],
    level: 0.05,

    datasets: [
      { name: 'a', judged: 1000 },
      { name: 'b', judged: 1190 },
    ],
    ...more,
  }) as never

describe('notes below a leaderboard', () => {
  test('name the rows that are compared', () => {
    expect(baselineName(board())).toBe('bm25')
    expect(baselineName(board({ comparison: comparison({ baseline: 'tuned:hybrid' }) }))).toBe('tuned:hybrid')
    const row = { id: 't2', baseline: 't1' } as never
    expect(comparedName(board())(row)).toBe('naive')
    const pairs = board({ comparison: comparison({ family: 'pairs' }) })
    expect([comparedName(pairs)(row), differencesTo(pairs)]).toEqual([
      'naive − bm25',
      'the second row of the pair',
    ])
    expect(comparedName(pairs, new Map())({ id: 'x', baseline: 'y' } as never)).toBe('x − y')
    expect(differencesTo(board())).toBe('bm25')
  })

  test.each<[string, object, string]>([
    ['trials', {}, 'all against the baseline: 1 comparison, corrected by max-T'],
    [
      'a family',
      { comparison: comparison({ family: 'best-per-strategy' }) },
      'the best of each strategy against the baseline: 1 comparison, corrected by max-T',
    ],
    [
      'tuned rows',
      { ranked: [{ kind: 'tuned' }] },
      'each tuned strategy against the baseline: 1 comparison, corrected by max-T',
    ],
    [
      'pairs of tuned rows',
      {
        ranked: [{ kind: 'tuned' }],
        comparison: comparison({ family: 'pairs', rows: [{ verdict: 'worse' }, {}] }),
      },
      'every pair: 2 comparisons, corrected by max-T',
    ],
  ])('say what the letters of %s mean', (_, more, words) => {
    expect(lettersNote(board(more))).toBe(
      `Letters after a mean: this row is significantly better than the rows with those letters (paired bootstrap with 10,000 resamples, ${words}, level 0.05).`,
    )
  })

  test('say nothing of letters where no row beats another', () => {
    const rows = [{ verdict: 'cannot tell' }, { verdict: 'equivalent' }]
    expect(lettersNote(board({ comparison: comparison({ rows }) }))).toBe('')
    expect(lettersNote(board({ comparison: null }))).toBe('')
  })

  test('say how rows were tuned', () => {
    const note = (tuning: object, more: object = {}) => tuningNote(board({ tuning, ...more }))
    expect(note({ kind: 'folds', folds: 5 })).toBe(
      'Strategies are tuned with 5-fold cross-validation: each query is scored by the trial that was best on the other folds.',
    )
    expect(note({ kind: 'split', dev: 0.4 }, { one: null })).toBe(
      'Strategies are tuned on 40 % of the queries within each dataset and scored on the rest.',
    )
    const ranked = [{ strategy: 'bm25' }, { strategy: 'naive' }]
    expect(note({ kind: 'none' }, { ranked })).toBe('')
    const competing = { ranked: [...ranked, { strategy: 'bm25' }] }
    expect(note({ kind: 'none' }, competing)).toContain('selected on the same queries it is scored on')
    expect([withinWords({ one: null } as never), withinWords({ one: {} } as never)]).toEqual([
      ' within each dataset',
      '',
    ])
  })

  test('say how rows were compared', () => {
    expect(comparisonNote(board())).toBe('Differences from bm25: corrected by max-T over 1 comparison.')
    const untested = 'No verdict: r1, r2. A router fitted in folds learns from the queries that score it'
    expect(untestedNote(comparison({ untested: ['r1', 'r2'] }) as never)).toContain(untested)
    expect(untestedNote(comparison() as never)).toBe('')
    expect(comparisonNote(board({ comparison: comparison({ untested: ['r1', 'r2'] }) }))).toContain(
      `over 1 comparison. ${untested}`,
    )
    expect(comparisonNote(board({ one: null }))).toMatch(
      /^Paired differences from bm25: paired bootstrap with 10,000 resamples, stratified by dataset, corrected by max-T over 1 comparison\. ▲ better.*no mark means not tested\.$/,
    )
    expect(comparisonNote(board({ comparison: null }))).toBe('')
  })

  test('say what the macro mean is over', () => {
    expect(datasetsInWords(board())).toBe('a (1,000 judged queries), b (1,190)')
    expect(datasetsInWords(board({ datasets: [{ name: 'a', judged: 1 }] }))).toBe('a (1 judged query)')
    expect(macroNote(board())).toMatch(
      /^Macro mean: unweighted mean over the 2 datasets\. Brackets: .*interval for new queries of these datasets, not for other datasets\.$/,
    )
    expect([missingNote(board()), missingNote(board({ missing: ['x', 'y'] }))]).toEqual([
      '',
      'No macro mean (every query failed): x, y.',
    ])
    expect(standInNote(board())).toBe('')
    expect(standInNote(board({ standIn: ['naive', 'hybrid'] }))).toMatch(
      /^Dense results \(naive, hybrid\) are a stand-in's/,
    )
  })

  test('name other leaders, three at most', () => {
    const leaders = [2, 3, 11, 4, 5].map((rank, at) => ({ measure: `m${at}`, rank, leader: `l${at}` }))
    expect(otherLeadersInWords(leaders.slice(0, 3))).toBe(
      '2nd by m0 (first: l0), 3rd by m1 (first: l1), 11th by m2 (first: l2)',
    )
    expect(otherLeadersInWords(leaders)).toMatch(/\(first: l2\), and not first by 2 more measures$/)
    expect(otherLeadersInWords(leaders.slice(0, 2), 1)).toBe(
      '2nd by m0 (first: l0), and not first by 1 more measure',
    )
  })
})

describe('notes on times', () => {
  const trial = (name: string, more: object = {}) => ({
    name,
    queries: 20,
    repeats: 1,
    p50: { value: 10 },
    p95: { value: 20, high: 30 },
    byRepeat: { p50: [10, 20], p95: [10, 20] },
    ...more,
  })
  const notes = (trials: object[], load: object = {}) =>
    latencyNotes({ load: { before: 0.5, highest: 2, cores: 2, ...load }, trials } as never)
  const TIMES =
    'Times: 20 queries × 1 repeat per trial, load 0.5 before and at most 2.0 while timing, on 2 cores.'

  test('say how these were measured', () => {
    expect(notes([trial('a')])).toEqual([TIMES])
    expect(notes([])).toEqual([])
  })

  test('say what may make them unreliable', () => {
    const engine = { engine: { p50: { value: 2.5 } } }
    const shaky = { byRepeat: { p50: [10, 11], p95: [10, 21] } }
    const open = { p95: { value: 20, high: null } }
    expect(notes([trial('a', { ...engine, ...open }), trial('b', shaky)], { before: 2.5 })).toEqual([
      TIMES.replace('0.5', '2.5'),
      'Part of p50 that engines report for their searches, in ms: a 2.50 of 10.0.',
      'The load was above the number of cores, so times may include waiting for a core.',
      'With 20 queries p95 has no upper confidence limit; use p50.',
      'Repeats differ by more than a factor of 2 in p50 or p95: b.',
    ])
    expect(notes([trial('a')], { highest: 2.1 })[1]).toContain('above the number of cores')
    const many = Array.from({ length: 8 }, (_, at) => trial(`t${at}`, { ...engine, ...shaky }))
    const [, engines, unsteady] = notes(many)
    expect(engines).toMatch(/t5 2\.50 of 10\.0 and 2 more\.$/)
    expect(unsteady).toMatch(/: t0, t1, t2, t3, t4, t5 and 2 more\.$/)
  })
})

describe('notes on trials', () => {
  const trial = (name: string, shares: number[], perQuery: object = {}) => ({
    name,
    strategy: 'bm25',
    failed: 0,
    funnel: [{ stage: 'found', lost: 1 }],
    variant: 0,
    perQuery,
    fallbacks: shares.map((share, at) => ({ when: `reason ${at}`, share })),
  })
  const lines = (...trials: object[]) =>
    notedLines({
      trials,
      unread: [],
      indexes: [{ name: 'v', counts: { chunks: 100 } }],
      dataset: { judged: 5, queries: 5 },
    } as never)

  test('say which fell back, those that did most often first', () => {
    expect(lines(trial('a', [0.1]), trial('none', []), trial('b', [0.05, 0.5]))).toEqual([
      'b: 5.0 % of queries used the fallback (reason 0), 50.0 % of queries used the fallback (reason 1)',
      'a: 10.0 % of queries used the fallback (reason 0)',
    ])
    const many = Array.from({ length: 14 }, (_, at) => trial(`t${at}`, [0.5]))
    expect(lines(...many.slice(0, 12))).toHaveLength(12)
    expect(lines(...many.slice(0, 13)).at(-1)).toBe('1 more trial used a fallback; the report lists all')
    expect(lines(...many).at(-1)).toBe('2 more trials used a fallback; the report lists all')
  })

  test('say what a filter and a reranker leave out', () => {
    expect(
      lines(trial('a', [], { leftNothing: 0.25 }), trial('b', [], { cutPassages: 3.5, leftNothing: 0 })),
    ).toEqual([
      'a: the filter leaves no chunk for 25.0 % of queries',
      expect.stringMatching(
        /^b: the reranker reads only the beginning of 3\.5 passages a query on average\. Use smaller chunks/,
      ),
    ])
  })
})

test.each([
  ['not in a pool', 'not retrieved by any search'],
  ['below depth', 'ranked below the cutoff (100)'],
  ['lost by append', 'dropped when lists were merged'],
  ['lost by rerank', 'dropped by rerank'],
  ['found', 'found'],
])('the stage %s is called %s', (stage, name) => {
  expect(stageName(stage, 100)).toBe(name)
  expect(stageWords('lost by my-step')).toContain('this step dropped it')
  expect(stageWords('lost by fuse')).toContain('one of the lists')
})
