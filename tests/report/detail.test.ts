import { inflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import type { Block } from '../../src/report/detail/encode.ts'
import { packDetail } from '../../src/report/detail/pack.ts'
import { smallSummary } from './small-summary.ts'

const ARRAYS = { u8: Uint8Array, u16: Uint16Array, u32: Uint32Array }

function decoded({ base64, type }: Block) {
  const bytes = Uint8Array.from(inflateSync(Buffer.from(base64, 'base64')))
  return type === 'json' ? JSON.parse(Buffer.from(bytes).toString()) : [...new ARRAYS[type](bytes.buffer)]
}

const coded = (values: readonly string[]) => {
  const words = [...new Set(values)]
  return { words, codes: Int32Array.from(values, (value) => words.indexOf(value)) }
}

const LONG = 'x'.repeat(2001)

/** Three trials, of which the first and the last are finalists, and two queries. */
function results() {
  const summary = smallSummary({ trials: ['a', 'b', 'c'].map((name) => ({ name, mean: 0.5 })) })
  const trials = summary.trials.map((trial) => ({ ...trial, finalist: trial.name !== 'b' }))
  const ranked = [
    // Trial, query, rank, chunk, its document, score, mark.
    [0, 0, 1, 'd1#1', 'd1', 0.5, ''],
    [0, 0, 2, 'd2#0', 'd2', 0.25, 'pinned'],
    [0, 1, 20, 'd9#0', 'd9', 2, ''],
    [0, 1, 21, 'd9#1', 'd9', 1, ''],
    [1, 0, 1, 'd8#0', 'd8', 1, ''],
    [2, 1, 1, 'd3#0', 'd3', 4, ''],
    [2, 1, 0, 'd7#0', 'd7', 4, ''],
  ] as const
  const column = <K extends 0 | 1 | 2 | 5>(at: K) => ranked.map((row) => row[at])
  const about = (rows: readonly (readonly [trial: number, query: number, answerer: string])[]) => ({
    rows: rows.length,
    trial: rows.map(([trial]) => trial),
    query: rows.map(([, query]) => query),
    answerer: coded(rows.map(([, , answerer]) => answerer)),
  })
  return {
    summary: { ...summary, trials },
    queries: {
      id: ['q0', 'q1'],
      text: ['one?', 'two?'],
      category: ['easy', ''],
      answers: [['A'], []],
      answerable: Uint8Array.of(1, 0),
    },
    labels: {
      rows: 3,
      query: Int32Array.of(0, 0, 1),
      judged: ['d1', 'd2', 'gone'],
      grade: Int32Array.of(1, 2, 1),
    },
    // By trial, then by label; -1 is no rank.
    gold: {
      rank: Int32Array.of(1, 2, -1, 5, 6, 7, -1, 3, 4),
      stage: coded(['found', 'found', 'lost', 'found', 'found', 'found', 'lost', 'found', 'found']),
    },
    rankings: {
      rows: ranked.length,
      trial: column(0),
      query: column(1),
      rank: Int32Array.from(column(2)),
      score: column(5),
      chunk: coded(ranked.map((row) => row[3])),
      judged: coded(ranked.map((row) => row[4])),
      mark: coded(ranked.map((row) => row[6])),
    },
    texts: {
      chunk: ['d1#0', 'd1#1', 'd2#0', 'd9#0', 'd5#0'],
      judged: ['d1', 'd1', 'd2', 'd9', 'd5'],
      title: ['One', 'One', 'Two', 'Nine', 'Five'],
      text: ['first', 'second', 'third', LONG, 'cited'],
      tokens: Int32Array.of(1, 2, 3, 4, 5),
    },
    scores: new Map([['recall@5', Float64Array.of(1, 0.5, 0.25, Number.NaN, 0.5, 1 / 3)]]),
    diagnostics: {
      rows: 6,
      trial: [0, 0, 0, 0, 0, 1],
      query: [0, 0, 0, 0, 0, 0],
      name: coded(['terms', 'hops', 'retrieved', 'gold: rank', 'terms', 'hops']),
      text: { words: ['one', LONG], codes: Int32Array.of(0, -1, -1, -1, 1, -1) },
      value: [0, 3, 9, 1, 0, 7],
    },
    answers: {
      ...about([
        [0, 0, 'llm'],
        [-1, 0, 'closed-book'],
        [1, 0, 'llm'],
        [2, 1, 'llm'],
      ]),
      answer: ['Ada [1]', 'Bo', 'hidden', LONG],
      failure: ['', '', '', 'timeout'],
      measures: new Map([
        ['em', [1, Number.NaN, 0, 0.33333]],
        ['f1', [0.5, 0, 0, 0]],
      ]),
      citations: {
        ...about([
          [0, 0, 'llm'],
          [2, 1, 'llm'],
          [1, 0, 'llm'],
        ]),
        number: [1, 9, 1],
        chunk: ['d5#0', '', 'd8#0'],
        text: ['cited', LONG, 'x'],
      },
      reasons: { ...about([[0, 0, 'llm']]), judge: coded(['f1']), text: ['so'] },
    },
    breakdown: {
      rows: 5,
      trial: [0, 0, 0, 1, 0],
      query: [0, 0, 0, 0, 1],
      rank: [1, 1, 2, 1, 11],
      step: coded(['dense', 'words', 'dense', 'dense', 'dense']),
      step_rank: [3, 0, 1, 1, 1],
      score: [0.123456, 7, 2, 1, 1],
    },
    walks: {
      rows: 3,
      trial: [2, 2, 1],
      query: [1, 1, 0],
      step: coded(['walk', 'walk', 'walk']),
      from: coded(['', 'Ada', 'x']),
      from_chunk: coded(['', '', '']),
      to: coded(['Ada', '', 'x']),
      to_chunk: coded(['', 'd9#0', '']),
      share: [0.5, Number.NaN, 1],
    },
    routes: {
      rows: 3,
      query: [0, 1, 0],
      router: coded(['a', 'a', 'b']),
      arm: coded(['naive', 'bm25', 'bm25']),
    },
  } as unknown as Parameters<typeof packDetail>[0]
}

test('everything about every query, in blocks that the page reads', () => {
  const { blocks, shape, cuts } = packDetail(results(), [2, 0, 1], 1e9)
  const block = (name: string) => decoded(blocks[name])
  expect(shape).toEqual({
    queries: 2,
    trials: [2, 0, 1],
    lists: [2, 0],
    stages: ['found', 'lost'],
    measures: ['recall@5'],
  })
  expect(cuts).toEqual([
    'the first 20 retrieved passages of a query',
    'the first 2000 characters of a passage',
    'the first 2000 characters of an answer',
  ])
  expect(block('queries')).toEqual({
    id: ['q0', 'q1'],
    text: ['one?', 'two?'],
    category: ['easy', ''],
    answers: [['A'], []],
    answerable: [1, 0],
  })
  // Texts of the lists by chunk, then those of labels, then those that are cited.
  const cutText = `${'x'.repeat(2000)}…`
  expect(block('texts')).toEqual({
    id: ['d1#1', 'd2#0', 'd9#0', 'd3#0', 'd1#0', 'd5#0'],
    title: ['One', 'Two', 'Nine', '', 'One', 'Five'],
    text: ['second', 'third', cutText, '', 'first', 'cited'],
  })
  expect(block('labels')).toEqual({
    query: [0, 0, 1],
    judged: ['d1', 'd2', 'gone'],
    grade: [1, 2, 1],
    text: [4, 1, -1],
  })
  // A label a row: the trials c, a and b.
  expect(block('ranks')).toEqual([0, 1, 5, 3, 2, 6, 4, 0, 7])
  expect(block('stages')).toEqual([2, 1, 1, 1, 1, 1, 1, 2, 1])
  // By list and query: c, then a.
  expect(block('hits')).toEqual([
    [],
    [[3, 4, 0, '']],
    [
      [0, 0.5, 1, ''],
      [1, 0.25, 1, 'pinned'],
    ],
    [[2, 2, 0, '']],
  ])
  // A query a row; code 0 is no score.
  expect(block('scores0')).toEqual([1, 2, 3, 4, 1, 0])
  expect(block('values0')).toEqual([0.5, 1, 0.25, 0.333333])
  const values = (em: number | null, f1: number, reason = '') => [
    { name: 'em', value: em, reason: '' },
    { name: 'f1', value: f1, reason },
  ]
  const llm = { answerer: 'llm', failure: '' }
  expect(block('answers')).toEqual([
    [
      { ...llm, trial: 0, text: 'Ada [1]', values: values(1, 0.5, 'so'), cites: [[1, 5, 'cited']] },
      { ...llm, trial: -1, answerer: 'closed-book', text: 'Bo', values: values(null, 0), cites: [] },
    ],
    [
      {
        ...llm,
        trial: 2,
        text: cutText,
        failure: 'timeout',
        values: values(0.3333, 0),
        cites: [[9, -1, cutText]],
      },
    ],
  ])
  // By list and query: c, then a.
  expect(block('breakdown')).toEqual([
    [],
    [],
    [
      { step: 'dense', ranks: [3, 1], scores: [0.123, 2] },
      { step: 'words', ranks: [0], scores: [0] },
    ],
    [],
  ])
  const ada = { name: 'Ada', text: -2 }
  const links = [
    { from: null, to: ada, share: 0.5 },
    { from: ada, to: { name: 'd9#0', text: 2 }, share: null },
  ]
  expect(block('walks')).toEqual([[], [{ step: 'walk', links }], [], []])
  expect(block('routes')).toEqual([
    { router: 'a', arm: 'naive', queries: [0] },
    { router: 'a', arm: 'bm25', queries: [1] },
  ])
  // `retrieved` says nothing of a query, and b has no list.
  const nothing = { counts: [], notes: [] }
  const said = {
    counts: [
      ['hops', 3],
      ['gold: rank', 1],
    ],
    notes: [
      ['terms', 'one'],
      ['terms', cutText],
    ],
  }
  expect(block('said')).toEqual([nothing, nothing, said, nothing])
})
