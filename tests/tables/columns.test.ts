import { describe, expect, test } from 'vitest'
import { queryColumn, readQrelTable } from '../../src/tables/qrel-table.ts'
import {
  assignColumns,
  type ColumnOptions,
  chosenIndex,
  DOCUMENT,
  GRADE,
  GROUP,
  hasRole,
  isHeader,
  NAME,
  QUERY,
  RANK,
  SCORE,
} from '../../src/tables/roles.ts'

const say: ColumnOptions['say'] = (choice) =>
  Object.entries(choice)
    .map((pair) => pair.join('='))
    .join(',')

describe('columns of a header', () => {
  const RUN = [QUERY, DOCUMENT, SCORE, NAME, RANK]
  /** Columns of roles in a table, or what is wrong. */
  const assign = (header: string, rows: string[] = [], more: Partial<ColumnOptions> = {}, roles = RUN) => {
    const wrong: string[] = []
    const values = (column: number) => rows.map((row) => row.split(' ')[column])
    const found = assignColumns(header.split(' '), roles, values, { say, ...more }, (message) =>
      wrong.push(message),
    )
    return found ? [found.indexes, found.read] : wrong
  }

  test.each<[string, string[], (number | string)[] | string[] | [number[], string]]>([
    ['query_id document_id score', [], [[0, 1, 2, -1, -1], '']],
    ['score rank Document-ID query_id run', [], [[3, 2, 0, 4, 1], '']],
    ['qid docno sim', [], [[0, 1, 2, -1, -1], 'query from `qid`, document from `docno`, score from `sim`']],
    [
      'query qid docno score',
      ['why q1 a 1'],
      [[1, 2, 3, -1, -1], 'query from `qid` (not `query`), document from `docno`, score from `score`'],
    ],
    // What is no number is no score.
    [
      'qid docno score similarity',
      ['q1 a high 1'],
      [[0, 1, 3, -1, -1], 'query from `qid`, document from `docno`, score from `similarity` (not `score`)'],
    ],
    [
      'qid docno sim similarity',
      ['q a 1 1', 'q b 2 2'],
      [[0, 1, 2, -1, -1], 'query from `qid`, document from `docno`, score from `sim` (not `similarity`)'],
    ],
    [
      'qid docno sim similarity',
      ['q a 1 1', 'q b 2 3'],
      ['the score can be `sim` or `similarity`; say which with score=sim'],
    ],
    [
      'qid docs score',
      [],
      [
        'has no column `document_id` (did you mean "docno"?); its columns are `qid`, `docs`, `score`; name it with document=COLUMN',
      ],
    ],
  ])('%j with %j', (header, rows, expected) => {
    expect(assign(header, rows)).toEqual(expected)
  })

  const inverted = (name: string) =>
    `\`${name}\` is best where it is lowest: write its negative values into a column \`score\``
  test.each<[string, string, string[], Partial<ColumnOptions>, unknown[]]>([
    [
      'a distance is no score',
      'qid docno Distance',
      [],
      {},
      [`has no column \`score\`, and ${inverted('Distance')}`],
    ],
    [
      'nor is one that is named',
      'qid docno dist',
      ['q a 0', 'q b 0.5'],
      { columns: { score: 'dist' } },
      [inverted('dist')],
    ],
    [
      'but negative ones are',
      'qid docno dist',
      ['q a 0', 'q b -0.5'],
      { columns: { score: 'dist' } },
      [[0, 1, 2, -1, -1], 'query from `qid`, document from `docno`, score from `dist`'],
    ],
    [
      'no option is named where nobody can choose',
      'qid topics score',
      [],
      { say: () => '' },
      ['has no column `document_id`; its columns are `qid`, `topics`, `score`'],
    ],
    [
      'a column alone is taken whatever it holds',
      'query_id document_id score',
      ['q a high'],
      {},
      [[0, 1, 2, -1, -1], ''],
    ],
    [
      'where no column fits, the names decide',
      'query_id document_id score sim',
      ['q a high low'],
      {},
      [
        [0, 1, 2, -1, -1],
        'query from `query_id`, document from `document_id`, score from `score` (not `sim`)',
      ],
    ],
    [
      'one bad value of many speaks against a column',
      'query_id document_id score sim',
      ['q a 1 1', 'q b high 2'],
      {},
      [
        [0, 1, 3, -1, -1],
        'query from `query_id`, document from `document_id`, score from `sim` (not `score`)',
      ],
    ],
    [
      'known queries decide, one of them is enough',
      'qid topic_id document_id score',
      ['q x a 1', 'r y b 2'],
      { known: { query: (id) => id === 'y' } },
      [
        [1, 2, 3, -1, -1],
        'query from `topic_id` (not `qid`), document from `document_id`, score from `score`',
      ],
    ],
    [
      'a name of less trust is taken for its content',
      'query_id docno id score',
      ['q a b 1'],
      { known: { document: (id) => id === 'b' } },
      [[0, 2, 3, -1, -1], 'query from `query_id`, document from `id` (not `docno`), score from `score`'],
    ],
    [
      'a column that is only compared is not told',
      'query_id document_id score rank',
      ['q a 1 1'],
      {},
      [[0, 1, 2, -1, 3], ''],
    ],
    [
      'spelling does not count',
      'Query-ID DOCNO \tscore',
      [],
      {},
      [[0, 1, 2, -1, -1], 'query from `Query-ID`, document from `DOCNO`, score from `\tscore`'],
    ],
  ])('%s', (_, header, rows, more, expected) => {
    expect(assign(header, rows, more)).toEqual(expected)
  })

  test('are those that a choice names, by name or number', () => {
    const columns = { document: 'Doc ID', score: 4 }
    expect(assign('qid docno doc_id x', [], { columns })).toEqual([
      [0, 2, 3, -1, -1],
      'query from `qid`, document from `doc_id`, score from `x`',
    ])
    expect(assign('query_id documnet_id score')).toEqual([
      'has no column `document_id` (did you mean "document_id"?); its columns are `query_id`, `documnet_id`, `score`; name it with document=COLUMN',
    ])
    expect(assign('query_id x', [], { columns: { document: 'y' } }, [QUERY, DOCUMENT])).toEqual([
      'has no column `y`, which document=y names; its columns are `query_id`, `x`',
    ])
  })

  test('are those that hold known ids', () => {
    const known = { document: (id: string) => id === 'b' }
    expect(assign('qid docno corpus_id score', ['q a b 1', 'q c d 2'], { known })[0]).toEqual([
      0, 2, 3, -1, -1,
    ])
    expect(assign('qid docno corpus_id score', ['q a c 1'], { known })).toEqual([
      'the document can be `docno` or `corpus_id`; say which with document=docno',
    ])
  })

  test.each<[string[], boolean]>([
    [['query_id', 'document_id', 'score'], true],
    [['x', 'docno', 'grade'], true],
    [['qid', 'x', 'y'], true],
    [['qid', 'x', '1'], false],
    [['x', 'docno', 'y'], false],
    [['q1', 'd1', '1'], false],
    [['score'], false],
  ])('%j is a header: %j', (fields, expected) => {
    expect(isHeader(fields)).toBe(expected)
  })

  test('by name or number', () => {
    const header = ['a', 'Doc ID', '1']
    expect(['a', 'doc_id', 2, '1', '3', '4', 0, 'x'].map((chosen) => chosenIndex(header, chosen))).toEqual([
      0, 1, 1, 2, 2, -1, -1, -1,
    ])
    expect([hasRole(['x', 'Group'], GROUP), hasRole(['x'], GROUP)]).toEqual([true, false])
    expect([GRADE.fits('2.0'), GRADE.fits('x'), SCORE.fits('1e3'), RANK.fits('x'), QUERY.fits('')]).toEqual([
      true,
      false,
      true,
      false,
      false,
    ])
  })
})

describe('qrels', () => {
  const read = (text: string, options: Partial<Parameters<typeof readQrelTable>[1]> = {}) => {
    const told: string[] = []
    const qrels: string[] = []
    const lines = text.split('\n').map((line, index) => ({ fields: line.split(' '), line: index + 1 }))
    readQrelTable(
      text === '' ? [] : lines,
      { say, ...options },
      {
        qrel: (query, id, grade, line, group) => void qrels.push(`${line}: ${query} ${id} ${grade} ${group}`),
        diagnostic: (message, line) => void told.push(`${line}: ${message}`),
        read: (columns) => void told.push(columns),
      },
    )
    return [qrels, told]
  }
  const IS_TREC = 'query, iteration, document and grade from columns 1 to 4, as in TREC'
  const IS_LAST = 'query, document, grade and iteration from columns 1 to 4, as in the TSV of ir_datasets'

  test.each<[string, string[], string[]]>([
    ['', [], []],
    ['q d 1\nr e 0', ['1: q d 1 undefined', '2: r e 0 undefined'], []],
    ['q d 1 g\nq e 1 g', ['1: q d 1 g', '2: q e 1 g'], []],
    ['query-id corpus-id score\nq d 1', ['2: q d 1 undefined'], []],
    [
      'qid grade docno\nq 1 d',
      ['2: q d 1 undefined'],
      ['query from `qid`, document from `docno`, grade from `grade`'],
    ],
    ['q 0 d 1\nq 0 e 2', ['1: q d 1 undefined', '2: q e 2 undefined'], [IS_TREC]],
    ['q Q0 d 1', ['1: q d 1 undefined'], [IS_TREC]],
    ['q d 1 0\nq e 0 0', ['1: q d 1 undefined', '2: q e 0 undefined'], [IS_LAST]],
    [
      'q d 1 0\nq e 1 0',
      [],
      [
        '1: can be read as query, document, grade, iteration (ir_datasets) and as query, document, grade, group (BEIR with alternatives); say which with document=2,grade=3 or document=2,grade=3,group=4, or begin the file with a header',
      ],
    ],
    [
      'q 1 2 3\nq 2 3 1',
      [],
      [
        '1: can be read as query, document, grade, group (BEIR) and as query, iteration, document, grade (TREC); say which with document=2,grade=3 or document=3,grade=4, or begin the file with a header',
      ],
    ],
    [
      'q 1 5\nq 1 6\nq 2 7',
      [],
      [
        '1: can be read as query, document, grade and as query, grade, document: column 3 has more distinct values than column 2; say which with document=2,grade=3 or document=3,grade=2, or begin the file with a header',
      ],
    ],
  ])('%j', (text, qrels, told) => {
    expect(read(text)).toEqual([qrels, told])
  })

  test('between white space are TREC’s, or ir_datasets’', () => {
    expect(read('q 1 2 3\nq 2 3 1', { isTrec: true })).toEqual([
      ['1: q 2 3 undefined', '2: q 3 1 undefined'],
      [],
    ])
    expect(read('q d 1 0\nq e 1 0', { isTrec: true })).toEqual([
      ['1: q d 1 undefined', '2: q e 1 undefined'],
      [IS_LAST],
    ])
    const [qrels, told] = read('q 0 d', { isTrec: true })
    expect(qrels).toEqual([])
    expect(told).toEqual([expect.stringMatching(/^1: has 3 columns, not query, iteration, document, grade/)])
  })

  test('are read by the columns that are named, or by known ids', () => {
    expect(read('1 d q', { columns: { query: 3, document: 2, grade: 1 } })).toEqual([
      ['1: q d 1 undefined'],
      [],
    ])
    expect(read('q d 1 g', { columns: { document: 2, grade: 3, group: 4 } })).toEqual([['1: q d 1 g'], []])
    expect(read('q d 1', { columns: { document: 2 } })).toEqual([
      [],
      ['1: has 3 columns and no header; name columns by number from 1, with document=3,grade=4'],
    ])
    const known = { document: (id: string) => id === '2' }
    expect(read('q 1 2 3\nq 5 6 1', { known })).toEqual([
      ['1: q 2 3 undefined', '2: q 6 1 undefined'],
      [IS_TREC],
    ])
    expect(read('q 1 2 3\nq 5 6 1', { lenient: true })[0]).toEqual([
      '1: q 2 3 undefined',
      '2: q 6 1 undefined',
    ])
    expect(read('q 1 5\nq 1 6\nq 2 7', { lenient: true })[0]).toHaveLength(3)
    expect(
      read('q 1 5\nq 1 6\nq 2 7', { known: { document: (id) => id === '1' || id === '2' } })[0],
    ).toHaveLength(3)
  })

  test('name each line with other columns', () => {
    const [qrels, told] = read('qid docno grade\nq d 1\nq d\nq d 1 x\nq')
    expect(qrels).toEqual(['2: q d 1 undefined'])
    expect(told.slice(1).map((message) => message.slice(0, 71))).toEqual([
      '3: has 2 columns separated by tabs, not qid, docno, grade',
      '4: has 4 columns separated by tabs, not qid, docno, grade',
      '5: has 1 column separated by tabs, not qid, docno, grade',
    ])
  })

  test('tell which sign stands between the columns instead', () => {
    const said = (line: string, options = {}) => read(line, options)[1][0]
    const [narrow, wide] = ['query, document, grade (and group)', 'query, iteration, document, grade']
    const instead = (words: string) =>
      `1: has 1 column separated by tabs, not ${narrow}; its columns are separated by ${words}: write tabs in their place`
    expect(said('q,d,1')).toBe(instead('commas'))
    expect(said('q;d;1')).toBe(instead('semicolons'))
    expect(said('q,d')).toBe(`1: has 1 column separated by tabs, not ${narrow}`)
    expect(said('q,d,1 x')).toBe(`1: has 2 columns separated by tabs, not ${narrow}`)
    expect(said('q,0,d,1', { isTrec: true })).toBe(
      `1: has 1 column, not ${wide}; its columns are separated by commas: write spaces in their place`,
    )
    const told: string[] = []
    readQrelTable(
      [{ fields: ['q d 1'], line: 7 }],
      { say },
      {
        qrel: () => expect.fail(),
        diagnostic: (message, line) => void told.push(`${line}: ${message}`),
        read: () => expect.fail(),
      },
    )
    expect(told).toEqual([instead('spaces').replace('1:', '7:')])
  })

  test('have a column of queries', () => {
    const column = (...fields: string[]) => queryColumn({ fields, line: 1 })
    expect([column('docno', 'qid', 'grade'), column('docno', 'grade'), column('q', 'd', '1')]).toEqual([
      1,
      0,
      undefined,
    ])
  })
})
