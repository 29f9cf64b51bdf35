import { expect, test } from 'vitest'
import type { LabelsStatus } from '../../src/labels/status.ts'
import { labelsPage } from '../../src/view/pages/labels.ts'

test('without pooled passages only the review of questions is offered', () => {
  const review = { questions: 3, accepted: 1, rejected: 0, unreviewed: 2 }
  const page = labelsPage({ labellers: [], pool: null, review } satisfies LabelsStatus)
  expect([...page.main.markup.matchAll(/name="do" value="(\w+)"/g)].map(([, task]) => task)).toEqual([
    'review',
  ])
  expect(page.main.markup).toContain('1 of 3 questions accepted, 0 rejected, 2 not reviewed.')
})

const kappa = (value: number) => ({ kappa: value, low: Number.NaN, high: Number.NaN, items: 9 })
const status = (
  agreement: Partial<NonNullable<LabelsStatus['pool']>['agreement']>,
  conflicts = 0,
): LabelsStatus => ({
  labellers: [],
  review: null,
  pool: {
    experiment: 'towns',
    result: 'r',
    trials: ['bm25', 'naive', 'hybrid'],
    measure: 'recall@5',
    k: 5,
    conflicts,
    agreement: { pairs: [], all: null, models: [], ...agreement },
    decision: { leader: 0, pairs: [], needed: 0, labelled: 0, total: 8, questions: { begun: 0, total: 4 } },
  },
})
const pair = { one: 'ada', other: 'bob', relevance: kappa(0.5), grades: kappa(0.25) }
const sections = (given: LabelsStatus) => {
  const { main, live } = labelsPage(given)
  expect(live).toBe(false)
  return main.markup
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .replace(/ ([,:.])/g, '$1')
}

test('the pool is said with its trials, and how far people and models agree', () => {
  const words = sections(
    status(
      {
        pairs: [pair, { ...pair, other: 'eve' }],
        all: { relevance: kappa(0.4) } as never,
        models: [{ model: 'judge', relevance: kappa(0.75) } as never],
      },
      2,
    ),
  )
  for (const said of [
    'First 5 of bm25, naive, hybrid in towns.',
    'People disagree on 2 passages.',
    'ada and bob: Cohen’s kappa on relevance 0.50 over 9 passages; on grades 0.25 over 9 passages',
    'All people: Fleiss’ kappa on relevance 0.40 over 9 passages',
    'The model judge and people: Cohen’s kappa on relevance 0.75 over 9 passages',
    'Nobody has labelled yet.',
  ])
    expect(words).toContain(said)
})

test('nothing is said of agreement without a pair, and none of all people where two are all', () => {
  const alone = sections(status({}))
  expect(alone).not.toContain('Agreement')
  expect(alone).not.toContain('disagree')
  expect(sections(status({ pairs: [pair], all: { relevance: kappa(0.4) } as never }))).not.toContain('Fleiss')
  expect(sections(status({ models: [{ model: 'judge', relevance: kappa(0.75) } as never] }))).toContain(
    'Agreement The model judge',
  )
})
