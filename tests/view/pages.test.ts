import type { ComponentChildren } from 'preact'
import { describe, expect, test } from 'vitest'
import type { LabelsStatus } from '../../src/labels/status.ts'
import { rendered } from '../../src/report/markup.ts'
import type { Entry } from '../../src/view/describe.ts'
import type { Live, LiveRow } from '../../src/view/live.ts'
import { framed } from '../../src/view/pages/frame.tsx'
import { dateTime, homePage, homeState, stateMark } from '../../src/view/pages/home.tsx'
import { labelsPage, workPage } from '../../src/view/pages/labels.tsx'
import { awaitedPage, livePage } from '../../src/view/pages/live.tsx'
import { estimate } from '../report/small-summary.ts'

/** Text of a page: cells apart by `|`, lines of a list and of a table by a line break. */
const textOf = (node: ComponentChildren) =>
  rendered(node)
    .replace(/<\/t[dh]>/g, '|')
    .replace(/<\/(tr|li|p|h2|div|section)>/g, '\n')
    .replace(/<[^>]*>/g, '')
    .split('\n')
    .map((line) => line.replace(/\s+/g, ' ').trim())
    .filter((line) => line !== '')

/** 1970 began at this time of the zone in which the tests run. */
const BEGIN = rendered(dateTime(0)).replace(/<[^>]*>/g, '')

const entry = (name: string, more: Partial<Entry> = {}): Entry => ({
  name,
  folder: `/served/${name}`,
  state: 'finished',
  reason: '',
  date: 0,
  datasets: ['set'],
  tags: [],
  children: [],
  winner: null,
  primary: 'mrr',
  result: null,
  runner: null,
  progress: null,
  ...more,
})
const winner = (name: string, mean: number) => ({
  name,
  mean,
  shown: (100 * mean).toFixed(1),
  interval: '[1, 2]',
  n: 9,
})
const progress = (more: Partial<NonNullable<Entry['progress']>>): NonNullable<Entry['progress']> => ({
  format: 1 as never,
  experiment: 'a',
  datasets: ['set'],
  started: 0,
  written: 0,
  steps: [],
  budget: null,
  spent: { dollars: 0, unpriced: false, tokens: 0, requests: 0, failed: 0 },
  ...more,
})
const step = (what: string, done: number, total: number, more: object = {}) => ({
  what,
  done,
  total,
  first: 0,
  started: 0,
  reported: 10_000,
  ...more,
})

describe('the list of experiments', () => {
  const ENTRIES = [
    entry('b10', { date: 3000, datasets: ['towns'], winner: winner('naive', 0.5), state: 'finished' }),
    entry('b9', { date: 3000, datasets: ['Ports'], winner: winner('bm25', 0.25) }),
    entry('c', { date: 1000, state: 'stopped', tags: ['SAMPLE'], primary: '', datasets: [] }),
    entry('a', { date: 2000, state: 'damaged', reason: 'cannot be read: `x`' }),
  ]
  const page = (query: string, entries: readonly Entry[] = ENTRIES) =>
    homePage(entries, homeState(new URLSearchParams(query)), '/served').main
  const names = (query: string, entries?: readonly Entry[]) =>
    [...rendered(page(query, entries)).matchAll(/id="row-([^"]*)"/g)].map(([, name]) => name)

  test.each([
    ['', ['b9', 'b10', 'a', 'c']],
    ['sort=date&order=ascending', ['c', 'a', 'b9', 'b10']],
    ['sort=name', ['a', 'b9', 'b10', 'c']],
    ['sort=name&order=descending', ['c', 'b10', 'b9', 'a']],
    ['sort=state', ['b9', 'b10', 'c', 'a']],
    ['sort=dataset', ['c', 'b9', 'a', 'b10']],
    ['sort=winner', ['a', 'c', 'b9', 'b10']],
    ['sort=mean', ['b10', 'b9', 'a', 'c']],
    ['sort=mean&order=ascending', ['a', 'c', 'b9', 'b10']],
    ['sort=constructor', ['b9', 'b10', 'a', 'c']],
    ['q=PORTS', ['b9']],
    ['q=bm25', ['b9']],
    ['q=sample', ['c']],
    ['q=mrr+b', ['b9', 'b10', 'a']],
    ['q=read', ['a']],
    ['q=ports+naive', []],
  ])('for %j is %j', (query, order) => {
    expect(names(query)).toEqual(order)
  })

  test('turns the order of the sorted column, and begins another one with its own', () => {
    const links = (query: string) =>
      Object.fromEntries(
        [...rendered(page(query)).matchAll(/id="sort-(\w+)" href="([^"]*)"/g)].map(([, name, href]) => [
          name,
          href.replaceAll('&amp;', '&'),
        ]),
      )
    expect(links('q=b&sort=mean')).toEqual({
      name: '/?q=b&sort=name&order=ascending',
      state: '/?q=b&sort=state&order=ascending',
      dataset: '/?q=b&sort=dataset&order=ascending',
      winner: '/?q=b&sort=winner&order=ascending',
      mean: '/?q=b&sort=mean&order=ascending',
      date: '/?q=b&sort=date&order=descending',
    })
    expect(links('').date).toBe('/?sort=date&order=ascending')
    const sorted = [
      ...rendered(page('sort=mean')).matchAll(/<th [^>]*aria-sort="(\w+)"[^>]*><a[^>]*>([^<]*)/g),
    ]
    expect(sorted.map(([, order, head]) => [order, head])).toEqual([['descending', 'primary measure']])
  })

  test('says how far a running one has come: the last step that is not done', () => {
    const mark = (steps: ReturnType<typeof step>[]) =>
      textOf(stateMark({ state: 'running', progress: progress({ steps }) })).join()
    expect(mark([step('embedding', 3, 9), step('shards', 1, 4), step('done', 2, 2)])).toBe(
      'running shards 1/4',
    )
    expect(mark([step('reading', 0, 1)])).toBe('running reading')
    expect(mark([step('done', 2, 2)])).toBe('running')
    expect(rendered(stateMark({ state: 'older format', progress: null }))).toBe(
      '<span class="state older-format">older format</span>',
    )
  })
})

test('a page follows changes if it is live, has its script, and leads home from elsewhere', () => {
  const page = { ...awaitedPage('a'), title: 'A' }
  const [own, other] = [framed(page, true), framed({ ...page, live: false }, false, '/labels.js')]
  expect([own, other].map((text) => text.includes(' data-live'))).toEqual([true, false])
  expect([own, other].map((text) => text.includes('<a href="/">All experiments</a>'))).toEqual([false, true])
  expect([own, other].map((text) => text.includes('src="/labels.js"'))).toEqual([false, true])
  expect(own).toContain('<title>A · Touchstone</title>')
})

describe('the page of an experiment without a report', () => {
  const row = (name: string, more: Partial<LiveRow> = {}): LiveRow => ({
    name,
    strategy: name,
    estimate: estimate(0.5, 0.1, 50),
    ...more,
  })
  const live = (more: object = {}, compare: object = {}, scale: object = {}) =>
    ({
      plan: {
        hash: 'ab'.repeat(32),
        experiment: { compare: { by: 'mrr', level: 0.05, ...compare } },
        scale: { bounded: true, better: 'higher', ...scale },
        trials: [{ strategy: 'bm25' }],
      },

      shards: { done: 1, total: 4 },
      queries: { done: 50, total: 200 },
      rows: [],
      failures: [],
      ...more,
    }) as unknown as Live
  const text = (own: Partial<Entry>, shown: Live | null = null) =>
    textOf(livePage(entry('a', own), shown, '/served').main)
  const RESUME = 'Run the same command again to resume: nothing is lost.'
  const runner = { pid: 7, name: 'here', elsewhere: false }

  test.each<[Partial<Entry>, Live | null, string]>([
    [{ state: 'finished' }, null, 'finished. The experiment is finished. Open the report'],
    [{ state: 'damaged', reason: 'has no `plan.json`' }, null, 'damaged: has no plan.json'],
    [{ state: 'stopped' }, null, `stopped since ${BEGIN}. ${RESUME}`],
    [{ state: 'stopped' }, live(), `stopped since ${BEGIN}. 1 of 4 shards done. ${RESUME}`],
    [{ state: 'stopped', children: ['x', 'y'] }, null, `stopped since ${BEGIN}. ${RESUME} Datasets: x, y.`],
    [{ state: 'running', runner }, live(), 'running in process 7 on here. 1 of 4 shards done.'],
    [
      { state: 'running', runner: { ...runner, elsewhere: true }, progress: progress({}) },
      null,
      `running since ${BEGIN} in process 7 on here, which cannot be examined from here.`,
    ],
    [{ state: 'running', children: ['x'] }, null, 'running. Datasets: x.'],
  ])('says its state: %j', (own, shown, words) => {
    expect(text(own, shown)[0]).toBe(words)
  })

  test('shows what model calls cost, against the budget', () => {
    const spent = { dollars: 1.5, unpriced: true, tokens: 1200, requests: 12, failed: 2, failure: 'HTTP 500' }
    const budget = { dollars: 4, tokens: 5000, minutes: 30 } as NonNullable<Entry['progress']>['budget']
    const shown = (own: object) => text({ state: 'running', progress: progress(own) }).slice(1, -1)
    expect(shown({ spent, budget })).toEqual([
      'Model calls',
      'cost$1.50 of $4.00 or more: some calls have no known price',
      'tokens1,200 of 5,000',
      'time budget30 minutes',
      'requests12, 2 failed; the last: HTTP 500',
    ])
    const plain = { ...spent, unpriced: false, failed: 0 }
    expect(shown({ spent: plain })).toEqual(['Model calls', 'cost$1.50', 'tokens1,200', 'requests12'])
    expect(shown({ spent: { ...plain, requests: 0 } })).toContain('requests0')
    expect(shown({ spent: { ...plain, tokens: 0 } })).toContain('tokens0')
    expect(shown({ spent: { ...plain, tokens: 0, requests: 0 } })).toEqual([])
  })

  test('shows the leaderboard so far, and how many queries are judged', () => {
    const rows = [
      row('bm25', { estimate: estimate(0.5, 0.1, 40) }),
      row('naive', { estimate: estimate(0.25, null, 40) }),
      row('waiting', { estimate: null }),
    ]
    const shown = text({ state: 'running' }, live({ rows }))
    const at = shown.indexOf('Leaderboard so far')
    expect(shown[at + 1]).toContain(
      'mrr in percent, over 50 of 200 queries, 40 judged. Each 95 % interval is provisional: not corrected for selecting the best row, nor for looking before the end.',
    )
    const means = shown.slice(at + 3, at + 5).map((line) => line.split('|')[1])
    expect(means).toEqual(['50.0', '25.0'])
    expect(text({ state: 'running' }, live({ rows: [row('x', { estimate: null })] }))).not.toContain(
      'Leaderboard so far',
    )
    const many = Array.from({ length: 101 }, (_, index) => row(`t${index}`))
    const board = (own: object, compare = {}, scale = {}) =>
      text({ state: 'running' }, live(own, compare, scale)).find((line) => line.startsWith('mrr')) ?? ''
    expect(board({ rows: many })).toContain(' The first 100 of 101 trials.')
    expect(board({ rows: many.slice(1) })).not.toContain('The first')
    expect(board({ rows }, { cluster: 'source' })).toContain(
      'judged. Intervals by cluster come with the result.',
    )
    expect(board({ rows }, {}, { bounded: false })).toMatch(/^mrr, over/)
  })
})

describe('the pages of labels', () => {
  const pool = (more: object = {}) =>
    ({
      experiment: 'towns',
      result: 'r',
      trials: ['bm25', 'naive'],
      measure: 'mrr',
      k: 5,
      conflicts: 0,
      decision: { leader: 0, pairs: [], needed: 0, labelled: 2, total: 9, questions: { begun: 8, total: 8 } },
      agreement: { pairs: [], all: null, models: [] },
      ...more,
    }) as unknown as NonNullable<LabelsStatus['pool']>
  const status = (more: Partial<LabelsStatus> = {}): LabelsStatus => ({
    labellers: [],
    pool: pool(),
    review: null,
    ...more,
  })

  test('say how far the decision is, and how far people agree', () => {
    const shown = (more: object) => textOf(labelsPage(status({ pool: pool(more) })).main)
    expect(shown({ conflicts: 2 }).slice(1, 4)).toEqual([
      'Decision',
      'Pool: first 5 of bm25, naive in towns.',
      '2 of 9 passages have a label, and 8 of 8 questions.',
    ])
    expect(shown({})).not.toContain('Agreement')
  })

  test('offer the tasks that there are', () => {
    const review = { items: [] }
    const work = (task: string, folder: object) => {
      const { title, heading, main } = workPage('Ada', task, folder as never)
      const links = [...rendered(heading).matchAll(/href="[^"]*do=(\w+)[^"]*"/g)].map(([, name]) => name)
      return [title, /data-do="(\w+)"/.exec(rendered(main))?.[1], links]
    }
    expect(work('unknown', { pool: {}, review })).toEqual(['Review questions: Ada', 'review', ['label']])
    expect(work('review', { pool: {}, review: null })).toEqual(['Label passages: Ada', 'label', []])
    expect(work('label', { pool: null, review })).toEqual(['Review questions: Ada', 'review', []])
  })
})
