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
