import type { ComponentChildren } from 'preact'
import { describe, expect, test } from 'vitest'
import { rendered } from '../../src/report/markup.ts'
import type { Entry } from '../../src/view/describe.ts'
import { dateTime, homePage, homeState } from '../../src/view/home.tsx'
import { type Live, livePage } from '../../src/view/live.tsx'

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
})

describe('the page of an experiment without a report', () => {
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
  const text = (more: Partial<Entry>, shown: Live | null = null) =>
    textOf(livePage(entry('a', more), shown, '/served').main)
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
  ])('says its state: %j', (more, shown, words) => {
    expect(text(more, shown)[0]).toBe(words)
  })
})
