import { describe, expect, test } from 'vitest'
import type { LabelsStatus } from '../../src/labels/status.ts'
import type { Html } from '../../src/report/html.ts'
import type { Entry } from '../../src/view/describe.ts'
import type { Live, LiveRow } from '../../src/view/live.ts'
import { addressOf, framed } from '../../src/view/pages/frame.ts'
import { dateTime, homePage, homeState, stateMark } from '../../src/view/pages/home.ts'
import { labelsPage, takenPage, workPage } from '../../src/view/pages/labels.ts'
import { awaitedPage, livePage } from '../../src/view/pages/live.ts'
import { estimate } from '../report/small-summary.ts'

/** Text of a page: cells apart by `|`, lines of a list and of a table by a line break. */
const textOf = ({ markup }: Html) =>
  markup
    .replace(/<\/t[dh]>/g, '|')
    .replace(/<\/(tr|li|p|h2|div|section)>/g, '\n')
    .replace(/<[^>]*>/g, '')
    .replace(/&#39;/g, "'")
    .split('\n')
    .map((line) => line.replace(/\s+/g, ' ').trim())
    .filter((line) => line !== '')

/** 1970 began at this time of the zone in which the tests run. */
const BEGIN = dateTime(0).markup.replace(/<[^>]*>/g, '')

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
    [...page(query, entries).markup.matchAll(/id="row-([^"]*)"/g)].map(([, name]) => name)

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

  test('shows a row for each, and how many are shown', () => {
    const found = textOf(page('q=mrr'))
    expect(found).toContain('3 of 4 experiments')
    expect(found.slice(4, 7)).toEqual([
      'compare|experiment|state|dataset|winner|primary measure|date|',
      `|b9|finished|Ports|bm25|25.0 [1, 2] mrr|${BEGIN}|`,
      `|b10|finished|towns|naive|50.0 [1, 2] mrr|${BEGIN}|`,
    ])
    const rows = textOf(page('sort=name'))
    expect(rows).toContain('4 experiments')
    expect([rows[5], rows[8]]).toEqual([
      `|a|damagedcannot be read: x|set||mrr|${BEGIN}|`,
      `|c SAMPLE|stopped||||${BEGIN}|`,
    ])
    expect(textOf(page('q=nothing')).at(-1)).toBe('No experiment matches nothing.')
  })

  test('offers a comparison of two finished ones, and none of one', () => {
    const picks = (query: string, entries?: readonly Entry[]) =>
      [...page(query, entries).markup.matchAll(/name="with" value="([^"]*)"/g)].map(([, name]) => name)
    expect(picks('')).toEqual(['b9', 'b10'])
    const one = page('', ENTRIES.slice(1)).markup
    expect([one.includes('Compare selected'), one.includes('class="pick"')]).toEqual([false, false])
  })

  test('turns the order of the sorted column, and begins another one with its own', () => {
    const links = (query: string) =>
      Object.fromEntries(
        [...page(query).markup.matchAll(/id="sort-(\w+)" href="([^"]*)"/g)].map(([, name, href]) => [
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
    const sorted = [...page('sort=mean').markup.matchAll(/<th [^>]*aria-sort="(\w+)"[^>]*><a[^>]*>([^<]*)/g)]
    expect(sorted.map(([, order, head]) => [order, head])).toEqual([['descending', 'primary measure']])
  })

  test('leads to reports, and to the progress of what has none', () => {
    const links = [...page('sort=name').markup.matchAll(/<th scope="row"><a href="([^"]*)"/g)]
    expect(links.map(([, href]) => href)).toEqual(['/live/a', '/report/b9', '/report/b10', '/live/c'])
    expect(addressOf('live', '.')).toBe('/live/')
    expect(addressOf('report', 'a b/c?d')).toBe('/report/a%20b/c%3Fd')
  })

  test('says how far a running one has come: the last step that is not done', () => {
    const mark = (steps: ReturnType<typeof step>[]) =>
      textOf(stateMark({ state: 'running', progress: progress({ steps }) })).join()
    expect(mark([step('embedding', 3, 9), step('shards', 1, 4), step('done', 2, 2)])).toBe(
      'running shards 1/4',
    )
    expect(mark([step('reading', 0, 1)])).toBe('running reading')
    expect(mark([step('done', 2, 2)])).toBe('running')
    expect(stateMark({ state: 'older format', progress: null }).markup).toBe(
      '<span class="state older-format">older format</span>',
    )
  })

  test('has dates in the time zone of the server', () => {
    const date = new Date(2026, 8, 5, 7, 3)
    expect(dateTime(date.getTime()).markup).toBe(
      `<time datetime="${date.toISOString()}">2026-09-05 07:03</time>`,
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

  test('links its datasets', () => {
    const links = (name: string) =>
      [
        ...livePage(entry(name, { state: 'running', children: ['x'] }), null, '').main.markup.matchAll(
          /href="([^"]*)"/g,
        ),
      ].map(([, href]) => href)
    expect([links('a'), links('.')]).toEqual([['/live/a/x'], ['/live/x']])
  })

  test('has a line for each step that is worth one', () => {
    const steps = [
      step('quick', 1, 1, { reported: 999 }),
      step('a second', 1, 1, { reported: 1000 }),
      step('embedded', 40, 40, { first: 10, reported: 77_000 }),
      step('indexed', 2, 2, { reported: 7_500_000 }),
      step('shards', 2, 8, { reported: 20_000, note: 'slow disk' }),
      step('reading', 0, 1, { reported: 0 }),
    ]
    const shown = text({ state: 'running', progress: progress({ steps }) })
    expect(shown.slice(1, -1)).toEqual([
      'Progress',
      '✓ a second1.0 s',
      '✓ embedded301 min 17 s',
      '✓ indexed22 h 5 min',
      'shards 2 of 8about 1 min 0 s leftslow disk',
      'reading',
    ])
    // Of a stopped one nobody knows how long it takes.
    const stopped = text({ state: 'stopped', progress: progress({ steps: steps.slice(4, 5) }) }, live())
    expect(stopped.slice(1, 3)).toEqual(['Progress', 'shards 2 of 8slow disk'])
    expect(text({ state: 'stopped', progress: progress({ steps }) })).toHaveLength(2)
    expect(text({ state: 'running' }, live({ shards: { done: 0, total: 4 } }))).not.toContain('Progress')
  })

  test.each([
    [9.94, '9.9 s'],
    [10, '10 s'],
    [59.4, '59 s'],
    [59.6, '1 min 0 s'],
    [3599.4, '59 min 59 s'],
    [3600, '1 h 0 min'],
    [7384, '2 h 3 min'],
  ])('writes %f seconds as %s', (seconds, words) => {
    const steps = [step('x', 1, 1, { reported: 1000 * seconds })]
    expect(text({ state: 'running', progress: progress({ steps }) })[2]).toBe(`✓ x${words}`)
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

  test('names failed queries', () => {
    const failures = [{ trial: 'bm25', queries: 1, step: 'dense', message: 'no <vector>' }]
    const shown = text({ state: 'stopped' }, live({ failures }))
    expect(shown.slice(-3)).toEqual([
      'Failed queries',
      '1 query of bm25; first in the step dense: no &lt;vector&gt;',
      '/served',
    ])
  })
})

describe('the pages of labels', () => {
  const labeller = (name: string, more: object = {}): LabelsStatus['labellers'][number] => ({
    name,
    kind: 'person',
    labels: 1,
    skipped: 0,
    reviews: 2,
    outside: 0,
    last: '',
    torn: 0,
    ...more,
  })
  const kappa = { kappa: 0.5, low: Number.NaN, high: Number.NaN, items: 4 }
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

  test('name the labellers with what they did', () => {
    const labellers = [
      labeller('Ada'),
      labeller('gpt', { kind: 'model', labels: 3, skipped: 1, outside: 2, torn: 1, reviews: 0 }),
    ]
    const { main } = labelsPage(status({ labellers }))
    expect(textOf(main).slice(-2)).toEqual([
      'Ada: 1 label, 0 skipped, 2 reviews',
      'gpt (model): 3 labels, 1 skipped, 0 reviews, 2 of passages outside the pool, 1 cut off by a crash',
    ])
    // Only people continue.
    expect(
      [...main.markup.matchAll(/href="([^"]*)"/g)].map(([, href]) => href.replaceAll('&amp;', '&')),
    ).toEqual(['/labels/work?as=Ada&do=label&known=1'])
    expect(textOf(labelsPage(status()).main).at(-1)).toBe('Nobody has labelled yet.')
    expect(labelsPage(status({ labellers: labellers.slice(1) })).main.markup).not.toContain('Continue as')
  })

  test('say how far the decision is, and how far people agree', () => {
    const shown = (more: object) => textOf(labelsPage(status({ pool: pool(more) })).main)
    expect(shown({ conflicts: 2 }).slice(2, 6)).toEqual([
      'Decision',
      'First 5 of bm25, naive in towns.',
      '2 of 9 passages have a label, and 8 of 8 questions.',
      'People disagree on 2 passages.',
    ])
    expect(shown({})).not.toContain('Agreement')
    const pairs = [
      { one: 'Ada', other: 'Bo', relevance: kappa, grades: kappa },
      { one: 'Ada', other: 'Cy', relevance: kappa, grades: kappa },
    ]
    const agreement = { pairs, all: { relevance: kappa }, models: [{ model: 'gpt', relevance: kappa }] }
    const words = '0.50 over 4 passages'
    const at = (lines: string[]) => lines.slice(lines.indexOf('Agreement') + 1, lines.indexOf('Labellers'))
    expect(at(shown({ agreement }))).toEqual([
      `Ada and Bo: Cohen’s kappa on relevance ${words}; on grades ${words}`,
      `Ada and Cy: Cohen’s kappa on relevance ${words}; on grades ${words}`,
      `All people: Fleiss’ kappa on relevance ${words}`,
      `The model gpt and people: Cohen’s kappa on relevance ${words}`,
    ])
    const two = { ...agreement, pairs: pairs.slice(1), models: [] }
    expect(at(shown({ agreement: two }))).toEqual([
      `Ada and Cy: Cohen’s kappa on relevance ${words}; on grades ${words}`,
    ])
    expect(at(shown({ agreement: { ...agreement, pairs: [] } }))).toEqual([
      `The model gpt and people: Cohen’s kappa on relevance ${words}`,
    ])
  })

  test('offer the tasks that there are', () => {
    const review = { items: [] }
    const work = (task: string, folder: object) => {
      const { title, heading, main } = workPage('Ada', task, folder as never)
      const links = [...heading.markup.matchAll(/href="[^"]*do=(\w+)[^"]*"/g)].map(([, name]) => name)
      return [title, /data-do="(\w+)"/.exec(main.markup)?.[1], links]
    }
    expect(work('unknown', { pool: {}, review })).toEqual(['Review questions: Ada', 'review', ['label']])
    expect(work('review', { pool: {}, review: null })).toEqual(['Label passages: Ada', 'label', []])
    expect(work('label', { pool: null, review })).toEqual(['Review questions: Ada', 'review', []])
  })

  test('ask who enters a name that has labels', () => {
    const { title, live, heading, main } = takenPage('Ada', 'label', 1, '2026-01-02')
    expect([title, live, textOf(heading)[0]]).toEqual(['Ada', false, 'Ada has labels here'])
    expect(textOf(main)).toEqual([
      '1 act, the last on 2026-01-02. Continue only if you are this person: two people need two names.',
      'Continue as Ada · Choose another name',
    ])
  })
})
