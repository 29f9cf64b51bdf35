import { describe, expect, test } from 'vitest'
import { labelRows, labelsCsv } from '../../src/labels/exchange.ts'
import { actionOf, type FiledLog } from '../../src/labels/folder.ts'
import { importFormat, importLabels } from '../../src/labels/import.ts'
import { logOf, passage, pool } from './pools.ts'

const AT = '2026-11-25T10:00:00.000Z'
const first = passage('a.md', '=HYPERLINK("x"), "quoted"\nand a second line', [1, 0])
const other = passage('b.md', 'Plain.', [0, 1])
const POOL = pool([{ id: 'q 1', text: '=Where, and "why"?', passages: [first, other] }])
const grade = (id: string, query: string, passageId: string, value: number) =>
  actionOf({ do: 'grade', query, passage: passageId, grade: value }, id, AT)
const logs = [
  logOf('ada', [
    grade('1', 'q 1', first.id, 3),
    grade('2', 'q 1', other.id, 0),
    actionOf({ do: 'comment', query: 'q 1', passage: first.id, text: '+1, "good"' }, '3', AT),
  ]),
  logOf('small', [grade('1', 'q 1', first.id, 1)], 'model'),
]
const OPTIONS = { file: 'x', as: undefined, at: AT, logs: [] }

test('an exported CSV is recognized and gives the same labels of people back', () => {
  const text = labelsCsv(labelRows(POOL, logs))
  expect(importFormat(text)).toBe('csv')
  const { acts, labels, unknown } = importLabels(POOL, text, { ...OPTIONS, format: 'csv' })
  expect([labels, unknown]).toEqual([2, 0])
  // A model's labels would be a person's elsewhere.
  expect([...acts.keys()]).toEqual(['ada'])
  expect(acts.get('ada')).toMatchObject([
    { passage: first.id, grade: 3 },
    { passage: first.id, text: '+1, "good"' },
    { passage: other.id, grade: 0 },
  ])
})

test('a spreadsheet runs no text of a corpus', () => {
  expect(labelsCsv(labelRows(POOL, logs))).not.toMatch(/(^|,)"?=/m)
})

test('TREC qrels name chunks or documents; one document is all its passages', () => {
  const two = pool([
    { id: 'q1', text: 'Where?', passages: [first, passage('a.md', 'Second.', [2, 2]), other] },
  ])
  const options = { ...OPTIONS, format: 'trec', as: 'ada' } as const
  const { acts } = importLabels(two, 'q1 0 a.md 2\nq1 0 b.md#1 1\n', options)
  expect(acts.get('ada')?.map((act) => act.do === 'grade' && act.grade)).toEqual([2, 2, 1])
  expect(() => importLabels(two, 'q1 0 a.md\n', options)).toThrow('is not query, iteration, id and grade')
})

describe('a table of labels from elsewhere', () => {
  const imported = (text: string) => {
    expect(importFormat(text)).toBe('csv')
    return importLabels(POOL, text, { ...OPTIONS, format: 'csv', as: 'eva' })
  }
  const grades = (text: string) =>
    (imported(text).acts.get('eva') ?? []).flatMap((act) => (act.do === 'grade' ? [act.grade] : []))

  test('is read as other tables are: semicolons, a number with a point, the most trusted name', () => {
    expect(grades(`query_id;passage_id;grade\r\nq 1;${first.id};2.0\r\n`)).toEqual([2])
    const both = `query,query_id,chunk,passage,label\nWhich?,q 1,c9,${first.id},1\n`
    expect(grades(both)).toEqual([1])
    expect(imported(both).notices[0]).toBe(
      'query from `query_id` (not `query`), passage from `passage` (not `chunk`), grade from `label`',
    )
  })
})

describe('an import', () => {
  const importOf = (text: string, actions: FiledLog['actions'], at = AT, labeller = 'ada') =>
    importLabels(POOL, `query,passage,grade,labeller,comment\n${text}`, {
      ...OPTIONS,
      format: 'csv',
      at,
      logs: [logOf(labeller, actions)],
    })
  const later = (minute: number) => `2026-11-25T10:0${minute}:00.000Z`

  test('adds a label that stands no more, and none that stands', () => {
    const [a, b] = [2, 3].map((value) => `q 1,${first.id},${value},ada,"Why ${value}"`)
    let log: FiledLog['actions'] = []
    for (const [minute, text] of [a, b, a, a].entries())
      log = [...log, ...(importOf(text, log, later(minute)).acts.get('ada') ?? [])]
    expect(log.map((act) => act.do === 'grade' && act.grade)).toEqual([2, false, 3, false, 2, false])
    expect(new Set(log.map(({ id }) => id)).size).toBe(6)
    const undone = [...log, actionOf({ do: 'undo', of: log[4].id }, 'u', later(5))]
    expect(importOf(a, undone, later(6)).acts.get('ada')).toMatchObject([{ do: 'grade', grade: 2 }])
  })

  test('of two labels of one passage takes neither; one twice is one', () => {
    const rows = (...grades: number[]) => grades.map((value) => `q 1,${first.id},${value},ada,`).join('\n')
    expect(() => importOf(rows(2, 3), [])).toThrow(/x:3: labels .* again, with another grade; keep one/)
    const { acts } = importOf(rows(3, 3), [])
    expect(acts.get('ada')).toMatchObject([{ grade: 3 }])
    expect(importOf(rows(3, 3), acts.get('ada') ?? []).acts.get('ada')).toEqual([])
  })
})
