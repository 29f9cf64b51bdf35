import { expect, test } from 'vitest'
import { type PlanSummary, renderPlan } from '../../../src/experiment/plan/render-plan.ts'

const step = (path: string, distinct: number, count: number, exact = true) => ({
  path: path.split('/'),
  distinct,
  count,
  exact,
})
const SMALL = {
  experiment: 'towns',
  trials: 1,
  named: 1,
  routers: [],
  equal: [],
  queries: 1,
  seeds: [],
  steps: [step('dense', 1, 1)],
  toPrepare: [],
  toEmbed: { chunks: 0 },
  embedTimes: [],
} as unknown as PlanSummary
const render = (more: object) => renderPlan({ ...SMALL, ...more }).split('\n')
const row = (label: string, distinct: number | '', count: string) =>
  label.padEnd(44) + String(distinct).padStart(9) + count.padStart(14)
const HEAD = 'step                                         distinct      computed'

test('a plan of one trial has its steps and nothing to prepare', () => {
  expect(render({})).toEqual([
    'towns: 1 trial, 1 query',
    '',
    HEAD,
    row('dense', 1, '1'),
    row('in all', '', '1'),
    '',
    '1 (trial, query) pairs share 1 computations',
    'everything is prepared',
  ])
})

test('a plan says what is equal, averaged, routed, shared, prepared and embedded', () => {
  const plan = render({
    trials: 1200,
    named: 1203,
    queries: 1500,
    routers: [{ name: 'r', arms: ['a', 'b'] }],
    equal: [{ name: 'a', equal: ['b', 'c'] }],
    seeds: ['t1', 't2', 't3', 't4', 't5', 't6', 't7'].map((name) => ({ name, seeds: 3 })),
    steps: [
      step('embed', 2, 3000),
      step('embed/dense', 2, 3000),
      step('embed/dense/route', 1, 1500, false),
      step('bm25/cut', 1, 1_500_000),
    ],
    toPrepare: ['chunks', 'graph', 'chunks'],
    toEmbed: { chunks: 1234, queries: null, entities: 0 },
    toAsk: { calls: [], later: [{ step: 'rate', queries: 2 }] },
  })
  expect(plan).toEqual([
    'towns: 1,200 trials, 1,500 queries',
    '1,203 trials are named, 3 of them equal to another:',
    '  a = b = c',
    'means over several seeds: t1 (3), t2 (3), t3 (3), t4 (3), t5 (3), 2 more',
    'r: after the run, of a, b; it costs what they cost together',
    '',
    HEAD,
    row('embed', 2, '3,000'),
    row('  dense', 2, '3,000'),
    row('    route', 1, '<= 1,500'),
    row('bm25', '', ''),
    row('  cut', 1, '1,500,000'),
    row('in all', '', '1,507,500'),
    '',
    // 1200 trials and 14 other seeds of 1500 queries.
    '1,821,000 (trial, query) pairs share 1,507,500 computations',
    'to prepare: chunks, graph',
    'to embed: chunks, 1,234',
    'to embed: queries, unknown: they are made with an embedder',
    'not counted yet: calls of rate for 2 queries',
    '<= an upper bound: the queries decide (a fallback, a route)',
  ])
})

test('a plan of one query counts one', () => {
  expect(render({ seeds: [{ name: 't', seeds: 2 }] })[1]).toBe('means over several seeds: t (2)')
  expect(render({ steps: [step('a', 1, 2, false)] }).at(-1)).toBe(
    '<= an upper bound: the queries decide (a fallback, a route)',
  )
})
