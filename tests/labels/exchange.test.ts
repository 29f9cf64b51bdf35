import { describe, expect, test } from 'vitest'
import { labelsCsv } from '../../src/labels/exchange/csv.ts'
import { labelRows } from '../../src/labels/exchange/rows.ts'
import { trecLines } from '../../src/labels/exchange/trec.ts'
import { actionOf, type FiledLog } from '../../src/labels/files.ts'
import { importFormat, importLabels } from '../../src/labels/import.ts'
import { passage, pool } from './pools.ts'

const AT = '2026-11-25T10:00:00.000Z'
const one = passage('a.md', '=HYPERLINK("x"), "quoted"\nand a second line', [1, 0])
const other = passage('b.md', 'Plain.', [0, 1])
const POOL = pool([{ id: 'q 1', text: '=Where, and "why"?', passages: [one, other] }])
const grade = (id: string, query: string, passageId: string, value: number) =>
  actionOf({ do: 'grade', query, passage: passageId, grade: value }, id, AT)
const logOf = (labeller: string, kind: 'person' | 'model', actions: FiledLog['actions']): FiledLog => ({
  file: labeller,
  torn: 0,
  header: { touchstone: 'label log', format: 1, labeller, kind },
  actions,
})
const logs = [
  logOf('ada', 'person', [
    grade('1', 'q 1', one.id, 3),
    grade('2', 'q 1', other.id, 0),
    actionOf({ do: 'comment', query: 'q 1', passage: one.id, text: '+1, "good"' }, '3', AT),
  ]),
  logOf('small', 'model', [grade('1', 'q 1', one.id, 1)]),
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
    { passage: one.id, grade: 3 },
    { passage: one.id, text: '+1, "good"' },
    { passage: other.id, grade: 0 },
  ])
})

test('a spreadsheet runs no text of a corpus', () => {
  expect(labelsCsv(labelRows(POOL, logs))).not.toMatch(/(^|,)"?=/m)
})

test('TREC qrels name chunks or documents; one document is all its passages', () => {
  const two = pool([{ id: 'q1', text: 'Where?', passages: [one, passage('a.md', 'Second.', [2, 2]), other] }])
  const options = { ...OPTIONS, format: 'trec', as: 'ada' } as const
  const { acts } = importLabels(two, 'q1 0 a.md 2\nq1 0 b.md#1 1\n', options)
  expect(acts.get('ada')?.map((act) => act.do === 'grade' && act.grade)).toEqual([2, 2, 1])
  expect(() => importLabels(two, 'q1 0 a.md\n', options)).toThrow('is not query, iteration, id and grade')
})

test('all lines of qrels that are no labels are told, and two that contradict each other', () => {
  const two = pool([{ id: 'q1', text: 'Where?', passages: [one, other] }])
  const read = (text: string) => () => importLabels(two, text, { ...OPTIONS, format: 'trec', as: 'ada' })
  const wrong = 'is not query, iteration, id and grade; write another table as CSV, .*'
  expect(read('q1 0 a.md\nq1 0 a.md 1\nq1 0 a.md x\n')).toThrow(new RegExp(`:1: ${wrong}\n.*:3: ${wrong}`))
  expect(read('q1 0 a.md 1\nq1 0 a.md 2\n')).toThrow(
    /:2: labels "a\.md" for query "q1" again, with another grade/,
  )
  expect(read('q1 0 a.md 1\nq1 0 a.md 1\n')).not.toThrow()
})

test('TREC qrels of a dataset that judges documents have a document once, with its highest grade', () => {
  const line = (query: string, id: string, grade: number) => ({ query, id, grade })
  expect(trecLines([line('q1', 'a.md', 1), line('q1', 'b.md', 0), line('q1', 'a.md', 3)])).toBe(
    'q1 0 a.md 3\nq1 0 b.md 0\n',
  )
})

test('a label under the name of a model is refused', () => {
  const options = { ...OPTIONS, format: 'trec', as: 'small', logs } as const
  expect(() => importLabels(POOL, 'x 0 a.md 2\n', options)).toThrow(
    'labeller "small" is a model here; name a person with --as',
  )
})

describe('a table of labels from elsewhere', () => {
  const imported = (text: string) => {
    expect(importFormat(text)).toBe('csv')
    return importLabels(POOL, text, { ...OPTIONS, format: 'csv', as: 'eva' })
  }
  const grades = (text: string) =>
    (imported(text).acts.get('eva') ?? []).flatMap((act) => (act.do === 'grade' ? [act.grade] : []))

  test('is read as other tables are: semicolons, a number with a point, the most trusted name', () => {
    expect(grades(`query_id;passage_id;grade\r\nq 1;${one.id};2.0\r\n`)).toEqual([2])
    const both = `query,query_id,chunk,passage,label\nWhich?,q 1,c9,${one.id},1\n`
    expect(grades(both)).toEqual([1])
    expect(imported(both).notices[0]).toBe(
      'query from `query_id` (not `query`), passage from `passage` (not `chunk`), grade from `label`',
    )
  })
  test('is refused where it can be read in two ways, or where a row is cut or shifted', () => {
    const table = (header: string, row: string) => () => imported(`${header}\n${row}\n`)
    const ids = `q 1,${one.id}`
    expect(table('query,passage,score,label', `${ids},3,1`)).toThrow(
      'x:1: the grade can be `score` or `label`; rename those that are not meant',
    )
    expect(grades(`query,passage,score,label\n${ids},1,1\n`)).toEqual([1])
    expect(table('query,passage,grade,comment', `${ids},3,good, but long`)).toThrow(
      'x:2: has 5 fields; the header has 4',
    )
    expect(table('query,passage,grade', `${ids},2.5`)).toThrow(
      'x:2: the grade must be a whole number, not "2.5"',
    )
    expect(table('query,passage', ids)).toThrow('x:1: has no column `grade`')
    // Of a cut row no column is compared.
    expect(table('query,passage,score,label', `${ids},1,1\n${ids},1`)).toThrow(
      /^x:3: has 3 fields; the header has 4$/,
    )
  })
})

describe('an import', () => {
  const importOf = (text: string, actions: FiledLog['actions'], at = AT, labeller = 'ada') =>
    importLabels(POOL, `query,passage,grade,labeller,comment\n${text}`, {
      ...OPTIONS,
      format: 'csv',
      at,
      logs: [logOf(labeller, 'person', actions)],
    })
  const later = (minute: number) => `2026-11-25T10:0${minute}:00.000Z`

  test('adds a label that stands no more, and none that stands', () => {
    const [a, b] = [2, 3].map((value) => `q 1,${one.id},${value},ada,"Why ${value}"`)
    let log: FiledLog['actions'] = []
    for (const [minute, text] of [a, b, a, a].entries())
      log = [...log, ...(importOf(text, log, later(minute)).acts.get('ada') ?? [])]
    expect(log.map((act) => act.do === 'grade' && act.grade)).toEqual([2, false, 3, false, 2, false])
    expect(new Set(log.map(({ id }) => id)).size).toBe(6)
    const undone = [...log, actionOf({ do: 'undo', of: log[4].id }, 'u', later(5))]
    expect(importOf(a, undone, later(6)).acts.get('ada')).toMatchObject([{ do: 'grade', grade: 2 }])
  })

  test('of two labels of one passage takes neither; one twice is one', () => {
    const rows = (...grades: number[]) => grades.map((value) => `q 1,${one.id},${value},ada,`).join('\n')
    expect(() => importOf(rows(2, 3), [])).toThrow(/x:3: labels .* again, with another grade; keep one/)
    const { acts } = importOf(rows(3, 3), [])
    expect(acts.get('ada')).toMatchObject([{ grade: 3 }])
    expect(importOf(rows(3, 3), acts.get('ada') ?? []).acts.get('ada')).toEqual([])
  })

  test('names each labeller who is too like one of the folder or of the file', () => {
    const row = (labeller: string) => `q 1,${one.id},2,${labeller},\n`
    expect(() => importOf(row('Anna'), [], AT, 'anna')).toThrow('x:2: labeller "Anna" is too like "anna"')
    expect(() => importOf(row('Bob') + row('bob'), [])).toThrow('x:3: labeller "bob" is too like "Bob"')
    expect([...importOf(row(' anna '), [], AT, 'anna').acts.keys()]).toEqual(['anna'])
  })
})

test('TREC qrels hold no id with white space, which is named', () => {
  const lines = (query: string, id: string) => () => trecLines([{ query, id, grade: 1 }])
  expect(lines('q 1', 'a.md')).toThrow('cannot hold the id "q 1"; export CSV')
  expect(lines('q1', 'a b.md')).toThrow('cannot hold the id "a b.md"; export CSV')
})

describe('labels of several questions', () => {
  const second = passage('c.md', 'Second.', [1, 1])
  const two = pool([
    { id: 'q1', text: 'Where?', passages: [one] },
    { id: 'q2', text: 'Who?', passages: [second, other] },
  ])
  const read = (format: 'csv' | 'trec', text: string, as?: string) => {
    const { acts, labels, unknown } = importLabels(two, text, { ...OPTIONS, format, as })
    const given = [...acts].map(([name, own]) => [
      name,
      own.map((act) => ('grade' in act ? `${act.query} ${act.grade}` : 'text' in act ? act.text : act.do)),
    ])
    return { ...Object.fromEntries(given), labels, unknown }
  }

  test('of TREC may stand between blanks, and are placed by line', () => {
    expect(read('trec', '  q1 0 a.md 2 \r\n \nq2\t0\tc.md\t1', 'eve')).toEqual({
      eve: ['q1 2', 'q2 1'],
      labels: 2,
      unknown: 0,
    })
    expect(() => read('trec', '\nq1 0 a.md 4\nq1 0 a.md\n', 'eve')).toThrow(
      'x:3: is not query, iteration, id and grade',
    )
    expect(() => read('trec', '\nq1 0 a.md 4\n', 'eve')).toThrow('x:2: the grade must be 0, 1, 2 or 3, not 4')
    expect(() => read('trec', 'q9 0 a.md 1\nq9 0 c.md 1\n', 'eve')).toThrow(
      'x: holds no label of a passage of the pool (2 of others)',
    )
  })

  test('of a spreadsheet may stand between blanks, and behind an apostrophe', () => {
    const table = (rows: string) => read('csv', `query,document,labeler,comment,grade\n${rows}`)
    expect(table(` q1 , a.md , eve , '=good ,3\nq2,c.md,bob,,0\nq2,'c.md,bob,,1\n`)).toEqual({
      eve: ['q1 3', '=good'],
      bob: ['q2 0'],
      labels: 2,
      unknown: 1,
    })
    expect(() => table('q1,a.md,eve,,3\nq2,"c.md,bob,,0\n')).toThrow(/^x:3: /)
    expect(() => table('q1,a.md,eve,,three\n')).toThrow('x:2: the grade must be a whole number, not "three"')
    expect(() => read('csv', '')).toThrow(/^x:1: /)
  })
})
