import { expect, test } from 'vitest'
import { syntheticNotices } from '../../src/dataset/synthetic.ts'
import { syntheticNote } from '../../src/report/origin.ts'
import type { JudgedQuery } from '../../src/types.ts'

test('drafted questions are called synthetic, and say how many people reviewed', () => {
  const query = (metadata: object) => ({ id: 'q', text: 'What is it?', metadata }) as object as JudgedQuery
  const drafted = { synthetic: 'touchstone questions draft: heading' }
  const queries = [query(drafted), query({ ...drafted, reviewed: 'ada' }), query({})]
  expect(syntheticNotices(queries)).toEqual([
    '2 of 3 questions are synthetic: drafted from the corpus, 1 of them reviewed by people',
  ])
  const note = (synthetic: number, reviewed?: number) =>
    syntheticNote({
      datasets: [{ name: 'd', judged: 2, queries: 2, synthetic, ...(reviewed && { reviewed }) }],
    })
  expect(note(2)).toContain('2 of 2 queries are synthetic: drafted from the corpus, asked by nobody.')
  expect(note(2, 2)).toContain('drafted from the corpus, reviewed by people.')
  expect(note(0)).toBe('')
})
