import { describe, expect, test } from 'vitest'
import { agreementTable, gradedPairs } from '../../src/labels/final.ts'
import { actionOf, type FiledLog } from '../../src/labels/folder.ts'
import { freezeLabels } from '../../src/labels/freeze.ts'
import type { Act } from '../../src/labels/log.ts'
import { type ReviewSet, reviewOutcomes } from '../../src/labels/review.ts'
import { labelsStatus } from '../../src/labels/status.ts'
import { sha256 } from '../../src/store/hash.ts'
import { logOf, passage, pool } from './pools.ts'

const minute = (at: number) => `2026-11-25T10:0${at}:00.000Z`
const both = passage('a.md', 'Both.', [1, 1])
const onlyA = passage('b.md', 'Only a.', [2, 0])
const onlyB = passage('c.md', 'Only b.', [0, 2])
const POOL = pool([{ id: 'q1', text: 'Where?', passages: [both, onlyA, onlyB] }])

let count = 0
const log = (labeller: string, acts: readonly [number, Act][], kind?: 'model') => {
  const actions = acts.map(([at, act]) => actionOf(act, String(count++), minute(at)))
  return logOf(labeller, actions, kind)
}
const grade = (at: number, { id }: { id: string }, value: number): [number, Act] => [
  at,
  { do: 'grade', query: 'q1', passage: id, grade: value },
]
const review = (items: readonly string[]): ReviewSet => ({
  touchstone: 'review',
  format: 1,
  dataset: 'd',
  hash: 'h',
  questions: null,
  file: null,
  items: items.map((id) => ({ id, text: `${id}?`, category: null, answers: [], answerable: true, gold: [] })),
})
const folder = (
  logs: readonly FiledLog[],
  parts: { pool?: typeof POOL | null; review?: ReviewSet | null } = {},
) => ({ folder: 'labels', pool: POOL, review: null, logs, ...parts })

describe('the status', () => {
  const logs = [
    { ...log('ada', [grade(1, both, 3), grade(2, onlyA, 2), grade(3, onlyB, 0)]), torn: 1 },
    log('bob', [
      grade(1, both, 2),
      grade(2, onlyA, 1),
      [3, { do: 'skip', query: 'q1', passage: onlyB.id }],
      [4, { do: 'accept', query: 'q1' }],
      [5, { do: 'grade', query: 'q0', passage: both.id, grade: 1 }],
    ]),
    log('small', [grade(1, both, 3)], 'model'),
    log('idle', []),
  ]

  test('counts what each labeller did, on the pool and outside', () => {
    const { labellers, pool: state, review: none } = labelsStatus(folder(logs), 2)
    const zero = { labels: 0, skipped: 0, reviews: 0, outside: 0, last: '', torn: 0 }
    expect(labellers).toEqual([
      { ...zero, name: 'ada', kind: 'person', labels: 3, last: minute(3), torn: 1 },
      {
        ...zero,
        name: 'bob',
        kind: 'person',
        labels: 3,
        skipped: 1,
        reviews: 1,
        outside: 1,
        last: minute(5),
      },
      { ...zero, name: 'small', kind: 'model', labels: 1, last: minute(1) },
      { ...zero, name: 'idle', kind: 'person' },
    ])
    expect(none).toBeNull()
    // On onlyA ada says relevant and bob does not: one conflict, and two passages have a label.
    expect(state).toMatchObject({
      experiment: 'towns',
      result: 'r',
      trials: ['a', 'b'],
      measure: 'recall@2',
      k: 2,
      conflicts: 1,
      decision: { labelled: 2, total: 3, questions: { begun: 1, total: 1 } },
    })
    expect(state?.decision).not.toHaveProperty('weights')
  })
})

test('a model agrees with the final labels of people, on relevance from the lowest relevant grade on', () => {
  const pairs = gradedPairs(POOL, [
    log('ada', [grade(1, both, 2), grade(1, onlyA, 1), grade(1, onlyB, 2)]),
    log('bob', [grade(1, onlyB, 0)]),
    log('small', [grade(1, both, 3), grade(1, onlyA, 0), grade(1, onlyB, 2)], 'model'),
    log('large', [grade(1, both, 0)], 'model'),
  ])
  const table = agreementTable(pairs, ['ada', 'bob'], ['small', 'large'], 2)
  // onlyB is a conflict of people, so small shares two passages: both agree on relevance, none on the grade.
  expect(
    table.models.map(({ model, relevance, grades }) => [
      model,
      relevance.kappa,
      relevance.items,
      grades.kappa,
    ]),
  ).toEqual([
    ['small', 1, 2, 0],
    ['large', 0, 1, 0],
  ])
  expect(table.pairs.map(({ one, other, relevance }) => [one, other, relevance.items])).toEqual([
    ['ada', 'bob', 1],
  ])
  expect([table.all?.relevance.items, table.all?.grades.items]).toEqual([1, 1])
})

describe('reviews of a question', () => {
  const set = review(['q1', 'q2'])
  const edit = (at: number, text: string): [number, Act] => [at, { do: 'edit', query: 'q1', text }]

  test('take the wording of the last edit, whoever made it; one rejection rejects', () => {
    const [early, late] = [edit(1, 'Early?'), edit(2, 'Late?')]
    for (const [first, other] of [
      [early, late],
      [late, early],
    ])
      expect(reviewOutcomes(set, [log('ada', [first]), log('bob', [other])])).toEqual(
        new Map([
          ['q1', { verdict: 'accepted', text: 'Late?', by: ['ada', 'bob'] }],
          ['q2', { verdict: 'unreviewed', text: 'q2?', by: [] }],
        ]),
      )
    const rejected = reviewOutcomes(set, [
      log('ada', [early]),
      log('bob', [[3, { do: 'reject', query: 'q1' }]]),
    ])
    expect(rejected.get('q1')).toEqual({ verdict: 'rejected', text: 'Early?', by: ['ada', 'bob'] })
  })
})

describe('frozen labels', () => {
  /** Passages, one a question, that people and models may label. */
  const passages = Array.from({ length: 34 }, (_, at) => passage(`d${at}`, `Text ${at}.`, [1, 0]))
  const many = pool(
    passages.map((passage, at) => ({ id: `q${at}`, text: `Question ${at}?`, passages: [passage] })),
  )
  const grades = (from: number, to: number, gradeAt: (at: number) => number) =>
    passages
      .slice(from, to)
      .map((passage, at): [number, Act] => [
        1,
        { do: 'grade', query: `q${from + at}`, passage: passage.id, grade: gradeAt(from + at) },
      ])
  const freeze = (logs: readonly FiledLog[], models: string[], relevant = 2) =>
    freezeLabels({ folder: 'labels', pool: many, review: null, logs }, { relevant, models })

  test("take a model's label where no person labelled, and leave conflicts out", () => {
    const small = log(
      'small',
      grades(0, 33, (at) => (at % 2) * 3),
      'model',
    )
    const { header, labels } = freeze(
      [
        log(
          'ada',
          grades(0, 31, (at) => (at % 2) * 3),
        ),
        log('bob', [...grades(0, 1, () => 3), ...grades(1, 2, () => 2)]),
        log('idle', []),
        small,
        log(
          'other',
          grades(33, 34, () => 1),
          'model',
        ),
      ],
      ['small'],
      2,
    )
    // Question 0 is a conflict of ada and bob; of question 1 the lower median counts; 31 and 32 are the model's, 33 another's.
    expect(labels.map(({ query, grade }) => [query, grade])).toEqual(
      Array.from({ length: 32 }, (_, at) => [`q${at + 1}`, at === 0 ? 2 : ((at + 1) % 2) * 3]),
    )
    expect(labels.at(-1)).toEqual({
      query: 'q32',
      question: 'Question 32?',
      document: 'd32',
      chunk: 'd32#1',
      start: 0,
      end: 8,
      text: sha256('Text 32.'),
      grade: 0,
    })
    expect(header).toEqual({
      touchstone: 'labels',
      format: 1,
      experiment: 'towns',
      result: 'r',
      k: 2,
      trials: ['a', 'b'],
      relevant: 2,
      labellers: [
        { name: 'ada', kind: 'person', labels: 30, kappa: null },
        { name: 'bob', kind: 'person', labels: 1, kappa: null },
        { name: 'small', kind: 'model', labels: 2, kappa: [1, 1, 1] },
      ],
      kappa: header.kappa,
      conflicts: 1,
      pooled: 34,
    })
  })
})
