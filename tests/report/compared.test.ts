import { describe, expect, test } from 'vitest'
import { comparedNotes, comparedText } from '../../src/report/compared.tsx'

const TEST = { low: 0.01, high: 0.2, adjusted: 0.012, wins: 5, ties: 14, losses: 1, verdict: 'better' }
const row = (name: string, before: number, now: number, more: object = {}) => ({
  name,
  measure: 'recall@5',
  n: 20,
  before,
  now,
  test: null,
  ...more,
})
const ranking = (...titles: string[]) =>
  titles.map((title, at) => ({ chunk: `c${at}`, title: title.replace('*', ''), gold: title.startsWith('*') }))
const QUERY = {
  id: 'q1',
  text: 'Who?',
  values: { before: 0, now: 1 },
  part: { kind: 'stage', stage: 'search', before: ['d1'], now: [] },
  before: {
    trial: 'old bm25',
    ranking: ranking('A', 'B', ''),
    gold: [
      { judged: 'd1', rank: 0 },
      { judged: 'd2', rank: 4 },
    ],
  },
  now: {
    trial: 'new bm25',
    ranking: ranking('B', 'A', 'C', 'D', 'E', '*Lomm', 'F', 'G'),
    gold: [
      { judged: 'd1', rank: 6 },
      { judged: 'd2', rank: 4 },
    ],
  },
}
const side = (folder: string, dataset: string, version: string, documents: number) => ({
  folder,
  dataset: dataset.repeat(20),
  version,
  counts: { documents, queries: 5 },
})
const DIFF = {
  before: side('old', 'a', '1.0', 1000),
  now: side('new', 'b', '1.1', 1200),
  sameData: false,
  config: [{ key: 'compare.draws', before: 200 }],
  measure: 'recall@5',
  level: 0.05,
  correction: 'max-t',
  scales: { dollars: { better: 'lower', bounded: false } },
  rows: [row('bm25', 0.5, 0.6, { test: TEST }), row('naive', 0.4, 0.4)],
  others: [row('bm25', 0.5, 0.5, { measure: 'mrr@10' }), row('bm25', 1000, 1204, { measure: 'dollars' })],
  alone: { before: { rows: ['gone'], queries: 1 }, now: { rows: [], queries: 2 } },
  flipped: { name: 'bm25', gained: 3, lost: 2, equal: 15, queries: [QUERY] },
}
const text = (more: object = {}) => comparedText({ ...DIFF, ...more } as never, 80)
/** Cells of the line that begins so. */
const line = (start: string, of = text()) =>
  of
    .split('\n')
    .map((one) => one.trim().split(/\s{2,}/))
    .find(([first]) => first === start)

describe('the difference of two experiments in a terminal', () => {
  test('begins with what differs in config, data and version', () => {
    expect(text().split('\n\n')[0]).toBe('before: old\nnow:    new')
    expect(text()).toContain('config: 1 key changed\n')
    expect(line('compare.draws')).toEqual(['compare.draws', '200', '(absent)'])
    expect(text()).toContain('data: aaaaaaaaaaaa before, bbbbbbbbbbbb now; version: 1.0 before, 1.1 now\n')
    expect(line('documents')).toEqual(['documents', '1,000', '1,200'])
    expect(line('queries')).not.toEqual(['queries', '5', '5'])
    const same = text({ config: [], sameData: true, now: { ...DIFF.before, folder: 'new' } })
    for (const part of ['config: the same', 'data: the same (aaaaaaaaaaaa); version: the same (1.0)'])
      expect(same.split('\n\n')).toContain(part)
    expect(text({ config: null }).split('\n\n')[0]).toBe('Two rows of new: same config, data and version.')
  })

  test('has the means of each row, and the test', () => {
    expect(line('bm25')).toEqual(
      'bm25|20|50.0|60.0|+10.0|[+1.0, +20.0]|0.012|5/14/1|now is better'.split('|'),
    )
    expect(line('naive')?.slice(0, 5)).toEqual(['naive', '20', '40.0', '40.0', '0.0'])
    expect(line('naive')?.at(-1)).toBe('not tested')
    expect(text()).toContain('other measures, not tested: 1 mean equal, 1 changed\n')
    expect(text()).toMatch(/bm25 +dollars +20 +1,000 +1,204 +\+204\n/)
    expect(text({ others: DIFF.others.slice(0, 1) })).toContain('other measures: all 1 mean equal\n')
    expect(text({ others: [] })).not.toContain('other measures')
  })

  test('says what was not compared', () => {
    expect(comparedNotes(DIFF as never)).toEqual([
      'Not tested (a router fitted in folds, or no query counts in both): `naive`.',
      'Not compared: 1 query only in before, 2 only in now.',
      'The datasets differ, which may explain some of the differences.',
      'Only before: `gone`.',
    ])
    const rows = [row('a', 0, 0, { test: TEST }), row('tuned:b', 0, 0, { test: TEST })]
    const none = { rows: [], queries: 0 }
    expect(
      comparedNotes({ ...DIFF, rows, alone: { before: none, now: none }, sameData: true } as never),
    ).toEqual([
      'p is corrected by max-T over 2 rows, over the queries that count in all of them.',
      '`tuned:` marks the tuned row of a strategy: each experiment selected its own trials for it.',
    ])
  })

  test('ends with the queries that flipped, and both rankings around gold', () => {
    expect(text()).toContain(
      'queries of bm25 in recall@5: 3 gained, 2 lost, 15 equal; the 1 largest changes\n\nq1: 0.0 -> 100.0  Who?\n',
    )
    expect(text()).toMatch(
      /\n {2}first difference at "search" \([^)]+\): lost only before: d1; lost only now: none\n/,
    )
    expect(text().trimEnd().split('\n').at(-1)).toBe('  gold: d1: not found -> rank 6')
    const shown = text().split('\n').slice(-10, -1)
    expect(shown.map((one) => one.trim().split(/\s{2,}/))).toEqual([
      ['old bm25', 'new bm25'],
      ['1', 'A', 'B'],
      ['2', 'B', 'A'],
      ['3', 'c2', 'C'],
      ['4', 'D'],
      ['5', 'E'],
      ['6', '* Lomm'],
      ['7', 'F'],
      ['…'],
    ])
    const all = { ...DIFF.flipped, gained: 1, lost: 0 }
    expect(text({ flipped: all })).toContain('1 gained, 0 lost, 15 equal\n')
    const part = (of: object) => text({ flipped: { ...all, queries: [{ ...QUERY, part: of }] } })
    expect(part({ kind: 'ranks' })).toContain('no stage differs: both find the same gold at different ranks')
    expect(part({ kind: 'unknown', why: 'so' })).toContain('first difference unknown: so\n')
  })
})
