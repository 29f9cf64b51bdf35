import { describe, expect, test } from 'vitest'
import { readQrelTable } from '../../src/tables/qrel-table.ts'
import { assignColumns, DOCUMENT, type KnownIds, NAME, QUERY, RANK, SCORE } from '../../src/tables/roles.ts'

describe('columns of a header', () => {
  const RUN = [QUERY, DOCUMENT, SCORE, NAME, RANK]
  /** Columns of roles in a table, or what is wrong. */
  const assign = (header: string, rows: string[] = [], knownIds: KnownIds = {}, roles = RUN) => {
    const wrong: string[] = []
    const values = (column: number) => rows.map((row) => row.split(' ')[column])
    const assigned = assignColumns(header.split(' '), roles, values, knownIds, (message) =>
      wrong.push(message),
    )
    return assigned ? [assigned.indexes, assigned.read] : wrong
  }

  const inverted = (name: string) =>
    `\`${name}\` is best where it is lowest: write its negative values into a column \`score\``
  test.each<[string, string, string[], KnownIds, unknown[]]>([
    [
      'a distance is no score',
      'qid docno Distance',
      [],
      {},
      [`has no column \`score\`, and ${inverted('Distance')}`],
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
      { query: (id) => id === 'y' },
      [
        [1, 2, 3, -1, -1],
        'query from `topic_id` (not `qid`), document from `document_id`, score from `score`',
      ],
    ],
    [
      'a name of less trust is taken for its content',
      'query_id docno id score',
      ['q a b 1'],
      { document: (id) => id === 'b' },
      [[0, 2, 3, -1, -1], 'query from `query_id`, document from `id` (not `docno`), score from `score`'],
    ],
    [
      'a column `doc` is a document',
      'query doc score',
      [],
      {},
      [[0, 1, 2, -1, -1], 'query from `query`, document from `doc`, score from `score`'],
    ],
    [
      'a table without a header',
      'q1 d1 0.4',
      [],
      {},
      [expect.stringMatching(/its columns are `q1`, .*; name them `query_id`, `document_id`, `score`$/)],
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
  ])('%s', (_, header, rows, known, expected) => {
    expect(assign(header, rows, known)).toEqual(expected)
  })
})

describe('qrels', () => {
  const read = (text: string, options: Partial<Parameters<typeof readQrelTable>[1]> = {}) => {
    const messages: string[] = []
    const qrels: string[] = []
    const lines = text.split('\n').map((line, index) => ({ fields: line.split(' '), line: index + 1 }))
    readQrelTable(text === '' ? [] : lines, options, {
      qrel: (query, id, grade, line, group) => void qrels.push(`${line}: ${query} ${id} ${grade} ${group}`),
      diagnostic: (message, line) => void messages.push(`${line}: ${message}`),
      read: (columns) => void messages.push(columns),
    })
    return [qrels, messages]
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
        '1: can be read as query, document, grade, iteration (ir_datasets) and as query, document, grade, group (BEIR with alternatives); begin the file with a header',
      ],
    ],
    [
      'q 1 2 3\nq 2 3 1',
      [],
      [
        '1: can be read as query, document, grade, group (BEIR) and as query, iteration, document, grade (TREC); begin the file with a header',
      ],
    ],
    [
      'q 1 5\nq 1 6\nq 2 7',
      [],
      [
        '1: can be read as query, document, grade and as query, grade, document: column 3 has more distinct values than column 2; begin the file with a header',
      ],
    ],
  ])('%j', (text, qrels, told) => {
    expect(read(text)).toEqual([qrels, told])
  })
})
