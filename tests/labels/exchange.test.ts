import { describe, expect, test } from 'vitest'
import { argillaRecords } from '../../src/labels/exchange/argilla.ts'
import { labelsCsv } from '../../src/labels/exchange/csv.ts'
import { labelStudioTasks } from '../../src/labels/exchange/label-studio.ts'
import { labelRows } from '../../src/labels/exchange/rows.ts'
import { actionOf } from '../../src/labels/files.ts'
import { importFormat, importLabels } from '../../src/labels/import.ts'
import { passage, pool } from './pools.ts'

const AT = '2026-11-25T10:00:00.000Z'
const one = passage('a.md', '=HYPERLINK("x"), "quoted"\nand a second line', [1, 0])
const other = passage('b.md', 'Plain.', [0, 1])
const POOL = pool([{ id: 'q 1', text: '=Where, and "why"?', passages: [one, other] }])
const grade = (id: string, query: string, passageId: string, value: number) =>
  actionOf({ do: 'grade', query, passage: passageId, grade: value }, id, AT)
const logs = [
  {
    file: 'ada',
    torn: 0,
    header: { touchstone: 'label log', format: 1, labeller: 'ada', kind: 'person' } as const,
    actions: [
      grade('1', 'q 1', one.id, 3),
      grade('2', 'q 1', other.id, 0),
      actionOf({ do: 'comment', query: 'q 1', passage: one.id, text: '+1, "good"' }, '3', AT),
    ],
  },
]

describe.each([
  ['csv', labelsCsv(labelRows(POOL, logs)), true],
  ['label-studio', labelStudioTasks(POOL, labelRows(POOL, logs)), true],
  ['argilla', argillaRecords(POOL, labelRows(POOL, logs)), false],
] as const)('%s', (format, text, hasComments) => {
  test('is recognized and gives the same labels back', () => {
    expect(importFormat(text)).toBe(format)
    const { acts, labels, unknown } = importLabels(POOL, text, { file: 'x', format, as: undefined, at: AT })
    expect([labels, unknown]).toEqual([2, 0])
    const found = (acts.get('ada') ?? []).flatMap((act) =>
      act.do === 'grade' ? [[act.passage, act.grade]] : [],
    )
    expect(Object.fromEntries(found)).toEqual({ [one.id]: 3, [other.id]: 0 })
    const comments = (acts.get('ada') ?? []).flatMap((act) => (act.do === 'comment' ? [act.text] : []))
    expect(comments).toEqual(hasComments ? ['+1, "good"'] : [])
  })
})

test('a spreadsheet runs no text of a corpus', () => {
  expect(labelsCsv(labelRows(POOL, logs))).not.toMatch(/(^|,)"?=/m)
})

test('TREC qrels name chunks or documents; one document is all its passages', () => {
  const two = pool([{ id: 'q1', text: 'Where?', passages: [one, passage('a.md', 'Second.', [2, 2]), other] }])
  const options = { file: 'x', format: 'trec', as: 'ada', at: AT } as const
  const { acts } = importLabels(two, 'q1 0 a.md 2\nq1 0 b.md#1 1\n', options)
  expect(acts.get('ada')?.map((act) => act.do === 'grade' && act.grade)).toEqual([2, 2, 1])
  expect(() => importLabels(two, 'q1 0 a.md\n', options)).toThrow('is not query, iteration, id and grade')
})

test('files of Label Studio and Argilla that hold other things are named', () => {
  const read = (format: 'label-studio' | 'argilla', text: string) => () =>
    importLabels(POOL, text, { file: 'x', format, as: undefined, at: AT })
  expect(read('label-studio', '[{"data":{"text":"x"},"annotations":[]}]')).toThrow(
    'is no JSON export of Label Studio',
  )
  expect(read('argilla', '[{"fields":{}}]')).toThrow('holds no records of Argilla 2')
  expect(read('argilla', '[{')).toThrow('is no JSON')
  const draft = {
    metadata: { query: 'q 1', passage: one.id },
    responses: { grade: [{ value: '2', user_id: 'ada', status: 'draft' }] },
  }
  expect(read('argilla', JSON.stringify([draft]))).toThrow('holds no label of a passage of the pool')
})
