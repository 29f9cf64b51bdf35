import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openDatasetBuilder } from '../../src/dataset/builder.ts'
import { detect, openRoot } from '../../src/dataset/detect.ts'
import { type DocumentColumns, isIdName, readDocumentTable } from '../../src/dataset/document-table.ts'
import { identicalTexts } from '../../src/dataset/identical-texts.ts'
import { labelsLines, readLabelsFile, withLabels } from '../../src/dataset/labels-file.ts'
import { foreignTwins, ownDocuments } from '../../src/dataset/own-documents.ts'
import type { Policies } from '../../src/dataset/policies.ts'
import type { DatasetSink } from '../../src/dataset/sink.ts'
import type { Dataset } from '../../src/dataset/types.ts'
import { firstRecords, withoutDocuments } from '../../src/dataset/without-documents.ts'
import type { Diagnostic } from '../../src/errors.ts'
import { sha256 } from '../../src/store/hash.ts'
import { otherSpellings } from '../../src/text/id-spelling.ts'
import type { Document, JudgedQuery } from '../../src/types.ts'
import { temporaryFolder } from '../temporary.ts'

const document = (id: string, text = `text of ${id}`, title = ''): Document => ({
  id,
  title,
  text,
  metadata: {},
})
const query = (id: string, more: Partial<JudgedQuery> = {}): JudgedQuery => ({
  id,
  text: `query ${id}`,
  metadata: {},
  category: null,
  answers: [],
  answerable: true,
  ...more,
})
const at = (line?: number, file = 'f') => ({ file, ...(line !== undefined && { line }) })

describe('a dataset is checked', () => {
  const REFUSE: Policies = { missingGold: 'refuse', emptyDocuments: 'refuse' }
  const COUNT: Policies = { missingGold: 'count', emptyDocuments: 'count' }
  const build = (fill: (sink: DatasetSink) => void, policies = REFUSE) => {
    const { sink, close } = openDatasetBuilder(policies)
    fill(sink)
    return close('set')
  }
  const errors = (fill: (sink: DatasetSink) => void, policies = REFUSE): string[] => {
    try {
      build(fill, policies)
    } catch (error) {
      return (error as Error).message.split('\n')
    }
    return expect.fail('was built')
  }
  const hint =
    '`missingGold: count` of the dataset (`import --missing-gold count`) counts missing gold as not found and leaves queries without gold out'
  const base = (sink: DatasetSink) => {
    for (const id of ['b', 'a', 'c']) sink.document(document(id), at())
    sink.query(query('q'), at(1))
    sink.qrel({ queryId: 'q', id: 'a', grade: 1 }, at(2))
  }

  test('a whole one is sorted by ids', () => {
    const set = build((sink) => {
      base(sink)
      sink.query(query('p', { answerable: false }), at(3))
      expect([
        sink.known.query('q'),
        sink.known.query('x'),
        sink.known.document('a'),
        sink.known.document('x'),
      ]).toEqual([true, false, true, false])
    })
    expect([set.name, set.documents.map(({ id }) => id), set.queries.map(({ id }) => id)]).toEqual([
      'set',
      ['a', 'b', 'c'],
      ['p', 'q'],
    ])
    expect([set.notices, set.missingGold, set.judgedUnit, [...set.groups]]).toEqual([[], 0, 'document', []])
  })

  test('each wrong record has its place; errors stand in the order of the lines', () => {
    expect(
      errors((sink) => {
        base(sink)
        sink.document(document('a', 'again'), at(9))
        sink.document(document('', 'x'), at(8))
        sink.document(document('d', ' ', ' '), at(7))
        sink.document(document('e', '#N/A'), at(6))
        sink.query(query('q'), at(5))
        sink.query(query('r', { text: ' ' }), at(4))
        sink.query(query('s', { text: 'nan' }), at(4, 'g'))
        sink.query(query('t', { answerable: false }), at(3))
        sink.qrel({ queryId: 't', id: 'b', grade: 1 }, at(10))
        sink.qrel({ queryId: 'q', id: 'a', grade: 0 }, at(11))
        sink.qrel({ queryId: 'q', id: '', grade: 1 }, at(12))
        sink.qrel({ queryId: 'qq', id: 'a', grade: 1 }, at(13))
        sink.qrel({ queryId: 'q', id: 'z', grade: 1 }, at(14))
        sink.diagnostic({ file: 'f', message: 'from the format' })
      }),
    ).toEqual([
      'f: from the format',
      'f:3: query "t" is marked unanswerable and has labels',
      'f:4: query "r" has no text; write its question, or remove it',
      'f:4: query "r" has no label; where no gold can exist, mark it "answerable": false in its metadata',
      'f:5: duplicate query id "q" (first at f:1)',
      'f:6: document "e" has the text "#N/A", which programs write for a missing value; leave it empty, or leave the document out; --allow-empty reads it as empty',
      'f:7: document "d" has neither text nor title; --allow-empty leaves such documents out',
      "f:8: the document's id is empty",
      'f:9: duplicate document id "a" (first at f)',
      'f:11: "a" is judged twice for query "q"',
      'f:12: an id is empty',
      'f:13: unknown query "qq" (did you mean "q"?)',
      expect.stringMatching(/^f:14: unknown document "z"/),
      'g:4: query "s" has the text "nan", which programs write for a missing value; leave the query out',
      'g:4: query "s" has no label; where no gold can exist, mark it "answerable": false in its metadata',
      hint,
    ])
  })

  test('one without documents, or whose qrels are of another corpus, says so once', () => {
    expect(errors(() => {})).toEqual(['.: the data set holds no document'])
    expect(
      errors((sink) => {
        sink.document(document('a'), at())
        sink.query(query('q'), at(1))
        sink.qrel({ queryId: 'q', id: 'x7', grade: 1 }, at(2))
      }),
    ).toEqual([
      'f:2: unknown document "x7"',

      hint,
      'none of the judged documents is in the corpus: are the document ids of qrels and corpus the same?',
    ])
    expect(errors((sink) => void sink.query(query('q'), at(1)), COUNT)).toEqual([
      '.: the data set holds no document',
      '.: no query has a label',
    ])
    // Of qrels that could not be read every query would lack one.
    expect(
      errors((sink) => {
        sink.document(document('a'), at())
        sink.query(query('q'), at(1))
        sink.diagnostic({ file: 'qrels', message: 'cannot be read' })
      }),
    ).toEqual(['qrels: cannot be read'])
  })

  test('many errors end with a number', () => {
    const many = (count: number) =>
      errors((sink) => {
        for (let line = 1; line <= count; line++)
          sink.diagnostic({ file: 'f', line, message: `${line} is wrong` })
      })
    expect([many(100).length, many(100).at(-1), many(101).length, many(102).at(-1)]).toEqual([
      100,
      'f:100: 100 is wrong',
      101,
      'and 2 more',
    ])
  })

  test('what is counted is told, and what looks like a missing value', () => {
    const set = build((sink) => {
      base(sink)
      sink.document(document('d', '', 'only a title'), at())
      sink.document(document('e', 'NaN', ''), at())
      sink.document(document('g', 'x', 'nan'), at())
      sink.query(query('r', { answers: ['x', '<NA>'] }), at(3))
      sink.query(query('s'), at(4))
      sink.query(query('u'), at(5))
      sink.query(query('v'), at(6))
      sink.qrel({ queryId: 'r', id: 'gone', grade: 1 }, at(7))
      sink.qrel({ queryId: 'r', id: 'lost', grade: 0 }, at(7))
      sink.qrel({ queryId: 'r', id: 'b', grade: 0 }, at(8))
      sink.elsewhere('s')
      sink.qrel({ queryId: 'v', id: 'A', grade: 1 }, at(9))
      sink.missing('q', { name: 'a  page', message: 'm' }, at(9))
      sink.missing('q', { name: 'a page', message: 'm' }, at(9))
      sink.missing('u', { name: 'other', message: 'm' }, at(9))
      sink.notice('from the format')
    }, COUNT)
    expect(set.queries.map(({ id }) => id)).toEqual(['q', 'r', 'v'])
    expect(set.documents.map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd', 'g'])
    expect([...(set.qrels.get('q') ?? [])]).toEqual([
      ['a', 1],
      ['missing: a page', 1],
    ])
    expect(set.missingGold).toBe(3)
    expect(set.notices).toEqual([
      'from the format',
      '1 documents have a title and no text',
      '1 documents have the title "nan" or the like, which programs write for a missing value; leave it empty if there is none',
      '1 queries have the answer "nan" or the like, which programs write for a missing value; leave it empty if there is none',
      '1 documents without text and title are left out',
      '1 queries without gold are left out',
      '1 queries are judged only in another split and left out',
      '3 qrels name a document that is not in the corpus; they count as not found',
    ])
  })

  test('qrels in another spelling, and queries for which nothing can be found, are told', () => {
    const set = build((sink) => {
      for (const id of ['doc1', 'b']) sink.document(document(id), at())
      for (const id of ['q', 'r']) sink.query(query(id), at())
      sink.qrel({ queryId: 'q', id: 'Doc1', grade: 1 }, at())
      sink.qrel({ queryId: 'r', id: 'b', grade: 0 }, at())
    }, COUNT)
    expect(set.notices).toEqual([
      'none of the judged documents is in the corpus: are the document ids of qrels and corpus the same?',
      '1 qrels name a document that is not in the corpus; they count as not found',
      '1 judged documents are in the corpus in another spelling, which counts as another id (`Doc1` for `doc1`)',
      '1 queries have labels and none of grade 1 or higher: no retriever can find anything for them, and they count as 0',
    ])
  })

  test('missing gold that is refused is one error for its query', () => {
    expect(
      errors((sink) => {
        base(sink)
        sink.query(query('r'), at(3))
        sink.missing('r', { name: 'page', message: 'the page is not there' }, at(4))
      }),
    ).toEqual(['f:4: the page is not there', hint])
  })

  test('groups are alternatives; an id without a label is a group of its own', () => {
    const set = build((sink) => {
      for (const id of ['a', 'b', 'c', 'd', 'e']) sink.document(document(id), at())
      sink.query(query('q'), at())
      for (const [id, group, grade] of [
        ['a', 'g', 1],
        ['b', 'h', 1],
        ['c', 'g', 2],
        ['d', undefined, 1],
        ['e', 'g', 0],
      ] as const)
        sink.qrel({ queryId: 'q', id, grade, ...(group && { group }) }, at())
    })
    expect([...set.groups]).toEqual([['q', [['a', 'c'], ['b'], ['d']]]])
  })

  test('spans lie inside their documents, once each', () => {
    const span = (start: number, end: number, documentId = 'a') => ({ documentId, start, end })
    const fill =
      (...spans: Parameters<DatasetSink['span']>[1][]) =>
      (sink: DatasetSink) => {
        sink.judged('span')
        sink.document(document('a', '0123456789'), at())
        sink.query(query('q'), at(1))
        spans.forEach((one, i) => {
          sink.span('q', one, at(i + 2), i < 2 ? 'g' : undefined)
        })
      }
    const set = build(fill(span(5, 10), span(0, 5), span(2, 3)))
    expect(set.spans.get('q')).toEqual([span(0, 5), span(2, 3), span(5, 10)])
    expect([...set.groups]).toEqual([['q', [['a:0-5', 'a:5-10'], ['a:2-3']]]])
    expect(
      errors((sink) => {
        fill(span(5, 5), span(6, 11), span(6, 11), span(0, 1, 'b'), span(4, 3))(sink)
        sink.span('x', span(0, 1), at(9))
      }),
    ).toEqual([
      'f:2: the span 5 to 5 is empty; end is the offset after the last character',
      'f:3: the span ends at 11, but the text of "a" has 10 characters',
      'f:4: the span ends at 11, but the text of "a" has 10 characters',
      'f:4: the same span is given twice for query "q"',
      expect.stringMatching(/^f:5: unknown document "b"/),
      'f:6: the span 4 to 3 is empty; end is the offset after the last character',
      expect.stringMatching(/^f:9: unknown query "x"/),
      hint,
    ])
    const inEmoji = (start: number, end: number) =>
      errors((sink) => {
        sink.judged('span')
        sink.document(document('a', '0\u{1f600}2'), at())
        sink.query(query('q'), at(1))
        sink.span('q', span(start, end), at(2))
      })
    const cut =
      'cuts a character of "a" in two: offsets count UTF-16 units, as JavaScript does, and Python counts characters'
    expect([inEmoji(2, 4), inEmoji(0, 2)]).toEqual([
      [`f:2: the span 2 to 4 ${cut}`],
      [`f:2: the span 0 to 2 ${cut}`],
    ])
    expect(
      build((sink) => {
        sink.judged('span')
        sink.document(document('a', '0\u{1f600}2'), at())
        sink.query(query('q'), at(1))
        sink.span('q', span(1, 3), at(2))
      }).spans.get('q'),
    ).toEqual([span(1, 3)])
    const counted = build((sink) => {
      fill(span(0, 5), span(0, 1, 'gone'))(sink)
      sink.missing('q', { name: 'page', message: 'm' }, at(9))
    }, COUNT)
    expect([counted.missingGold, counted.spans.get('q')?.map(({ documentId }) => documentId)]).toEqual([
      2,
      ['a', 'gone', 'missing: page'],
    ])
  })
})

describe('queries that are documents', () => {
  const documents = [
    document('1', 'One  two'),
    document('2', 'body', 'Head'),
    document('3', 'x'),
    document('4', 'other'),
  ]
  const queries = [
    query('1', { text: ' one TWO' }),
    query('2', { text: 'head body' }),
    query('3', { text: 'y' }),
    query('9'),
  ]
  const notices = (policy: Policies['ownDocument'], asked = queries, qrels = new Map()) =>
    ownDocuments(new Map(documents.map((one) => [one.id, one])), asked, qrels, policy)

  test('are counted, and what the policy does to them', () => {
    const found = '3 of 4 query ids are document ids, 2 of them with the same text'
    expect(notices('keep')).toEqual([])
    expect(notices(undefined)).toEqual([
      expect.stringMatching(new RegExp(`^${found}: such a query finds itself first; `)),
    ])
    expect(notices(undefined, queries.slice(2))).toEqual([
      '1 of 2 query ids are document ids, 0 of them with the same text: if the document is the query itself, set `ownDocument: drop` of the dataset, else `keep`',
    ])
    const leaves = `${found}: \`ownDocument: drop\` leaves the document with a query's own id out of its rankings`
    expect(notices('drop')).toEqual([leaves])
    const gold = new Map([
      [
        '1',
        new Map([
          ['1', 1],
          ['2', 1],
        ]),
      ],
      ['2', new Map([['2', 0]])],
    ])
    expect(notices('drop', queries, gold)).toEqual([
      leaves,
      '1 queries have their own document as gold, which `drop` keeps from being found',
    ])
    expect([notices(undefined, [query('9')]), notices('drop', [query('9')])]).toEqual([
      [],
      ['`ownDocument: drop` changes nothing: no query id is a document id'],
    ])
  })

  test('under another id find a document that is no gold of theirs', () => {
    const twins = (qrels = new Map(), judgedUnit = 'document', spans = new Map()) =>
      foreignTwins({
        documents,
        queries: [query('a', { text: 'one two' }), query('2', { text: 'head body' })],
        qrels,
        spans,
        judgedUnit,
      } as never)
    const told = [
      expect.stringMatching(
        /^1 queries have the text of a document that is no gold of theirs \("a" that of "1"\)/,
      ),
    ]
    expect(twins()).toEqual(told)
    expect(twins(new Map([['a', new Map([['1', 0]])]]))).toEqual(told)
    expect(twins(new Map([['a', new Map([['1', 1]])]]))).toEqual([])
    expect(twins(new Map(), 'span', new Map([['a', [{ documentId: '1', start: 0, end: 1 }]]]))).toEqual([])
    expect(twins(new Map(), 'chunk')).toEqual([])
  })
})

test.each<[string[], string[], object | undefined]>([
  [['7'], ['007'], { count: 1, example: '`7` for `007`' }],
  [['7.0'], ['7'], { count: 1, example: '`7.0` for `7`' }],
  [['A', 'B', 'c'], ['a', 'b', 'c'], { count: 2, example: '`A` for `a`' }],
  [['e\u0301'], ['\u00e9'], { count: 1, example: '"e\\u0301" for "\\u00e9"' }],
  [['a'], ['a', 'A'], undefined],
  [['0'], ['00'], { count: 1, example: '`0` for `00`' }],
  [['x'], ['y'], undefined],
  [['x'], [], undefined],
])('ids %j of %j in another spelling', (ids, known, expected) => {
  expect(otherSpellings(ids, known)).toEqual(expected)
})

describe('equal texts', () => {
  const notices = (
    documents: Document[],
    queries: JudgedQuery[],
    qrels: [string, [string, number][]][],
    more = {},
  ) =>
    identicalTexts({
      documents,
      queries,
      spans: new Map(),
      groups: new Map(),
      judgedUnit: 'document' as const,
      qrels: new Map(qrels.map(([id, judged]) => [id, new Map(judged)])),
      ...more,
    })

  test('of documents leave the first place to chance', () => {
    const long = 'long '.repeat(30)
    const documents = [
      document('a', 'same'),
      document('b', ' same\u00ad '),
      document('c', 'same', 'titled'),
      document('d', `${long}x`),
      document('e', `${long}x`),
      document('f', `${long}y`),
    ]
    expect(
      notices(
        documents,
        [query('q'), query('r')],
        [
          ['q', [['a', 1]]],
          ['r', [['f', 1]]],
        ],
      ),
    ).toEqual([
      '4 documents have the text of another one, in 2 groups ("a", "b")',
      'recall@1 is at most 75.0 % on average over the orders of documents with equal texts',
    ])
    expect(
      notices(
        documents.slice(0, 2),
        [query('q')],
        [
          [
            'q',
            [
              ['a', 1],
              ['b', 1],
            ],
          ],
        ],
      ),
    ).toEqual(['2 documents have the text of another one, in 1 group ("a", "b")'])
    const four = ['a', 'b', 'c', 'd'].map((id) => document(id, 'same'))
    expect(notices(four, [], [])).toEqual([
      expect.stringMatching(
        /^4 documents have the text of another one, in 1 group \("a", "b", "c", \.\.\.\)$/,
      ),
    ])
    expect(
      notices([document('a', 'e\u0301'), document('b', '\u00e9'), document('c', 'e')], [], [])[0],
    ).toMatch(/^2 .*"a", "b"/)
    expect(notices([document('a', 'a b'), document('b', 'ab')], [], [])).toEqual([])
  })

  test('of queries with other gold bound what can be found', () => {
    const same = (id: string) => query(id, { text: 'same  question' })
    const documents = ['a', 'b'].map((id) => document(id))
    expect(
      notices(
        documents,
        [same('q'), same('r'), query('s')],
        [
          ['q', [['a', 1]]],
          ['r', [['b', 1]]],
          ['s', [['a', 1]]],
        ],
      ),
    ).toEqual([
      '2 queries have the words of another one and other gold, in 1 group ("q", "r")',
      'recall@1 cannot pass 66.7 % whatever a retriever does: equal queries get equal rankings',
    ])
    expect(
      notices(
        documents,
        [same('q'), same('r')],
        [
          [
            'q',
            [
              ['a', 1],
              ['b', 0],
            ],
          ],
          ['r', [['a', 2]]],
        ],
      ),
    ).toEqual([])
    expect(
      notices(
        documents,
        [same('q'), { ...same('r'), answerable: false }],
        [
          ['q', [['a', 1]]],
          ['r', [['b', 1]]],
        ],
      ),
    ).toEqual([])
    expect(
      notices(
        documents,
        [same('q'), same('r')],
        [
          ['q', [['a', 1]]],
          ['r', [['b', 0]]],
        ],
      ),
    ).toEqual([])
    const spans = new Map(['q', 'r'].map((id, i) => [id, [{ documentId: 'a', start: i, end: i + 1 }]]))
    expect(notices(documents, [same('q'), same('r')], [], { spans, judgedUnit: 'span' })[0]).toMatch(
      /^2 queries have/,
    )
    const groups = new Map([['q', [['a', 'b']]]])
    expect(
      notices(
        documents,
        [same('q'), same('r')],
        [
          [
            'q',
            [
              ['a', 1],
              ['b', 1],
            ],
          ],
          [
            'r',
            [
              ['a', 1],
              ['b', 1],
            ],
          ],
        ],
        { groups },
      ),
    ).toEqual(['2 queries have the words of another one and other gold, in 1 group ("q", "r")'])
  })
})

describe('frozen labels', () => {
  const TEXT = 'One sentence. Two sentences. Three.'
  const header = {
    touchstone: 'labels',
    format: 1,
    experiment: 'e',
    result: 'h',
    k: 10,
    trials: ['bm25', 'dense'],
    relevant: 2,
    labellers: [
      { name: 'ann', kind: 'person', labels: 3, kappa: null },
      { name: 'm', kind: 'model', labels: 5, kappa: [0.5, 0.4, 0.6] },
      { name: 'n', kind: 'model', labels: 1, kappa: null },
    ],
    kappa: [0.7, 0.6, 0.8],
    conflicts: 2,
    pooled: 9,
  } as never as Parameters<typeof labelsLines>[0]['header']
  const label = (more = {}, passage = 'Two sentences.') => {
    const start = TEXT.indexOf(passage)
    return {
      query: 'q',
      question: 'query q',
      document: 'a',
      chunk: 'a:1',
      start,
      end: start + passage.length,
      text: sha256(passage),
      grade: 3,
      ...more,
    }
  }
  const set = (judgedUnit = 'document', text = TEXT) =>
    ({
      documents: [document('a', text), document('b')],
      queries: [query('q'), query('r'), query('u', { answerable: false })],

      qrels: new Map(),
      spans: new Map(),
      groups: new Map(),
      judgedUnit,
      documentsHash: 'h',
      notices: ['before'],
    }) as unknown as Dataset
  const origin =
    "labels are pooled from the first 10 of bm25, dense in e, by ann (3), the model m (5; Cohen's kappa with people 0.50 [0.40, 0.60]), the model n (1; Cohen's kappa with people unknown); 1 of 3 questions have labels; Fleiss' kappa of the people 0.70 [0.60, 0.80]; 2 passages without a label, since labellers disagree"

  test('become gold, the lowest relevant grade as 1', () => {
    const labelled = (judgedUnit: string, ...labels: ReturnType<typeof label>[]) =>
      withLabels(set(judgedUnit), { header, labels }, 'f')
    const one = labelled(
      'document',
      label({ grade: 2 }),
      label({ grade: 3 }, 'Three.'),
      label({ grade: 0, document: 'b', text: sha256('text'), start: 0, end: 4 }),
    )
    expect([...(one.qrels.get('q') ?? [])]).toEqual([
      ['a', 2],
      ['b', 0],
    ])
    expect([one.queries.map(({ id }) => id), one.missingGold, one.notices]).toEqual([
      ['q', 'u'],
      0,
      ['before', origin],
    ])
    const chunks = labelled('chunk', label({ grade: 1 }), label({ chunk: 'a:2' }, 'Three.'))
    expect([...(chunks.qrels.get('q') ?? [])]).toEqual([
      ['a:1', 0],
      ['a:2', 2],
    ])
    const spans = labelled('span', label({}, 'Three.'), label({ grade: 2 }))
    expect(spans.spans.get('q')).toEqual([
      { documentId: 'a', start: 14, end: 28, grade: 1 },
      { documentId: 'a', start: 29, end: 35, grade: 2 },
    ])
  })

  test('none of which is relevant are said to be so', () => {
    const notices = (judgedUnit: string, grade: number) =>
      withLabels(set(judgedUnit), { header, labels: [label({ grade })] }, 'f').notices.slice(1, -1)
    const barren = [expect.stringContaining('1 queries have labels and none of grade 1 or higher')]
    for (const unit of ['document', 'chunk', 'span'])
      expect([notices(unit, 1), notices(unit, 2)]).toEqual([barren, []])
  })

  test('follow a passage that moved, and leave out what changed or is gone', () => {
    const { qrels, notices } = withLabels(
      set('document', `New. ${TEXT.replace('Three', '3')}`),
      {
        header: { ...header, kappa: null, conflicts: 0, labellers: header.labellers.slice(0, 1) },
        labels: [
          label(),
          label({}, 'Three.'),
          label({ document: 'x' }),
          label({ document: 'x', start: 0 }),
          label({ document: 'y' }),
          label({ query: 'r' }),
          label({ query: 'gone' }),
        ],
      },
      'f',
    )
    expect([...(qrels.get('q') ?? [])]).toEqual([['a', 2]])
    expect(notices.slice(1)).toEqual([
      'labels are pooled from the first 10 of bm25, dense in e, by ann (3); 1 of 3 questions have labels',
      '1 label of passages that moved inside their document, found by their text',
      '1 label left out, the passage has changed since it was labelled: a',
      '3 labels left out, the document is gone: x, y',
      'labels of 2 questions left out, which are gone or have other words now: r, gone',
    ])
    expect(() => withLabels(set(), { header, labels: [] }, 'f')).toThrow(
      'f: no label fits this dataset: it holds none',
    )
    const many = ['v', 'w', 'x', 'y', 'z'].map((document) => label({ document }))
    expect(() => withLabels(set(), { header, labels: many }, 'f')).toThrow(
      'f: no label fits this dataset: 5 labels left out, the document is gone: v, w, x and 2 more',
    )
  })

  test('are read line by line, each wrong one named', () => {
    const read = (...lines: (object | string)[]) => {
      const file = join(
        temporaryFolder({
          f: lines.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))).join('\r\n'),
        }),
        'f',
      )
      try {
        return readLabelsFile(file)
      } catch (error) {
        return (error as Error).message.replaceAll(file, 'f').split('\n')
      }
    }
    const labels = [label(), label({ query: 'r' })]
    expect(read(header, '', ...labels)).toEqual({ header, labels })
    expect(read(...labelsLines({ header, labels }).split('\n'))).toEqual({ header, labels })
    expect(read('')).toEqual(['f: holds no labels'])
    expect(
      read(header, '{', label(), label({ grade: 1 }), label({ grade: 4 }), label({ start: 1.5 })),
    ).toEqual([
      'f:2: is no JSON object on a line of its own',
      'f:4: labels the passage of line 3 again',
      expect.stringMatching(/^f:5: `grade` must be /),
      expect.stringMatching(/^f:6: `start` must be /),
    ])
    expect(read({ ...header, k: 0 }, label({ grade: 9 }))).toEqual([
      expect.stringMatching(/^f:1: `k` must be /),
    ])
  })
})

describe('a table of documents', () => {
  const read = async (
    content: string,
    more: { what?: 'document' | 'query'; columns?: DocumentColumns } = {},
  ) => {
    const wrong: string[] = []
    const found: string[][] = []
    const sink = {
      diagnostic: ({ line, message }: Diagnostic) => void wrong.push(`${line}: ${message}`),
      notice: (message: string) => void wrong.push(message),
    } as unknown as DatasetSink
    await readDocumentTable(
      temporaryFolder({ f: content }),
      'f',
      { what: 'document', ...more },
      sink,
      ({ id, title, text, location }) => found.push([id, title, text, `${location.line}`]),
    )
    return [found, wrong]
  }
  const say = 'with `columns: {text: 2, title: 3}` (import: --columns text=2,title=3)'
  const long = 'a long text of many words'

  test.each<[string, object, string[][], (string | RegExp)[]]>([
    [
      'a\tx\nb\ty\n',
      {},
      [
        ['a', '', 'x', '1'],
        ['b', '', 'y', '2'],
      ],
      [],
    ],
    ['doc_id\tsaid\na\tx', {}, [['a', '', 'x', '2']], []],
    ['id\ttitle\ttext\na\tt\tx', {}, [['a', 't', 'x', '2']], []],
    ['Text\tTITLE\tDoc-ID\nx\tt\ta', {}, [['a', 't', 'x', '2']], []],
    [
      `a\tt\t${long}\nb\tu\t${long}`,
      {},
      [
        ['a', 't', long, '1'],
        ['b', 'u', long, '2'],
      ],
      ['f: text from column 3, the longer, and title from column 2'],
    ],
    [
      `a\t${long}\tt`,
      {},
      [['a', 't', long, '1']],
      ['f: text from column 2, the longer, and title from column 3'],
    ],
    // Exactly twice as long in all, and longer in nine of ten lines.
    ['a\tfive!\tten signs!', {}, [['a', 'five!', 'ten signs!', '1']], [/^f: text from column 3/]],
    ['a\tsix...\tten signs!', {}, [], [/^1: has two columns besides the id/]],
    [
      `${`a\tt\t${long}\n`.repeat(9)}b\t${long}\tt`,
      {},
      [...Array.from({ length: 9 }, (_, at) => ['a', 't', long, `${at + 1}`]), ['b', long, 't', '10']],
      [/^f: text from column 3/],
    ],
    [
      `${`a\tt\t${long}\n`.repeat(8)}${`b\t${long}\tt\n`.repeat(2)}`,
      {},
      [],
      [/^1: has two columns besides the id/],
    ],
    [
      'a\tlong\tten',
      {},
      [],
      [
        `1: has two columns besides the id, and neither is the longer by far: which is the text? Say so ${say}, or export with --format jsonl`,
      ],
    ],
    ['a\tx\nb\ty\tz', {}, [['a', '', 'x', '1']], ['2: has 3 columns between tabs, and the first line has 2']],
    ['a', {}, [], ['1: has 1 column between tabs; id and text are needed']],
    [
      'a\tb\tc\td',
      {},
      [],
      [
        `1: has 4 columns; say which of them are the text and the title, ${say}, or export with --format jsonl`,
      ],
    ],
    ['a\tb\tc', { what: 'query' }, [], [/^1: has 3 columns: which of them is the query's text\?/]],
    [
      'qid\tx\ty',
      { what: 'query' },
      [],
      [
        /^1: is a header without a column that is known as the text \(text, body, contents, content, passage, query, question\): qid, x, y; rename one$/,
      ],
    ],
    ['', {}, [], ['undefined: holds no line: the file is empty']],
    ['a\tx\ty', { columns: { text: 3 } }, [['a', '', 'y', '1']], []],
    ['x\tt\ta', { columns: { id: 3, text: 1, title: 2 } }, [['a', 't', 'x', '1']], []],
    ['id\tx\ty\na\tb\tc', { columns: { text: 3 } }, [['a', '', 'c', '2']], []],
    [
      'a\tx',
      { columns: { id: 2 } },
      [],
      ['1: `columns` must say which column is the text, as `columns: {text: 2}`'],
    ],
    ['a\tx', { columns: { text: 1 } }, [], ['1: `columns` gives two roles to one column']],
    ['a\tx\ty', { columns: { text: 2, title: 2 } }, [], ['1: `columns` gives two roles to one column']],
    ['a\tx', { columns: { text: 3 } }, [], ['1: has 2 columns, and `columns` names column 3']],
  ])('%j with %j', async (content, more, items, told) => {
    expect(await read(content, more)).toEqual([
      items,
      told.map((one) => (typeof one === 'string' ? one : expect.stringMatching(one))),
    ])
  })

  test('a header begins with a name of ids', () => {
    expect(['doc_id', ' QID ', '_id', 'query-id', 'name'].map(isIdName)).toEqual([
      true,
      true,
      true,
      true,
      false,
    ])
  })
})

describe('a dataset of an unknown form', () => {
  const error = (files: Record<string, string | Uint8Array>, name = '') => {
    const folder = temporaryFolder(files)
    const path = join(folder, name)
    try {
      detect(path)
    } catch (error) {
      return (error as Error).message
        .replaceAll(path, 'P')
        .replaceAll(folder, 'F')
        .split('; Touchstone reads ')[0]
    }
    return expect.fail('was detected')
  }
  const unknown = (what: string) => `P: looks like ${what}, which is no data set that Touchstone knows`

  test('is described by its files', () => {
    expect(error({ 'x.bin': '\0' }, 'x.bin')).toBe(unknown('a binary file'))
    expect(error({ 'x.json': '{"a": 1, "b": 2}' }, 'x.json')).toBe(
      unknown('a JSON object with the keys "a", "b"'),
    )
    const keys = 'abcdefghi'.split('')
    expect(error({ 'x.csv': `${keys.join(',')}\n` }, 'x.csv')).toBe(
      unknown(
        `a table with the columns ${keys
          .slice(0, 8)
          .map((key) => `"${key}"`)
          .join(', ')}`,
      ),
    )
    expect(error({ 'x.jsonl': `{"${'k'.repeat(50)}": 1}` }, 'x.jsonl')).toBe(
      unknown(`JSON records with the keys "${'k'.repeat(40)}"`),
    )
    expect(error({ 'x.parquet': 'PAR1' }, 'x.parquet')).toBe('P: is no readable Parquet file; is it cut off?')
    expect(error({ 'x.graphml': '<graphml/>' }, 'x.graphml')).toBe(
      'P: is a graph, which lies over a corpus: name the corpus as `dataset`, and `prepare: {graph: {graphml: x.graphml}}`',
    )
    expect(error({}, 'none')).toBe('P: there is no such file or folder')
  })

  test('is described by the kinds of its files, the most common five, if they are more than three', () => {
    const binary = (...names: string[]) => Object.fromEntries(names.map((name) => [name, '\0']))
    expect(error(binary('a.bin', 'b.x', 'c'))).toBe(
      unknown('a folder with a.bin (a binary file), b.x (a binary file), c (a binary file)'),
    )
    expect(error(binary('1.dat', '2.dat', '3.bin', '4.bin', '5.bin', '6', '7.p', '8.q', '9.r'))).toBe(
      unknown('a folder with 3 .bin files, 2 .dat files, 1 nameless file, 1 .p file, 1 .q file'),
    )
    expect(error({ '.hidden': '' })).toBe(unknown('an empty folder'))
  })
})

test('the one thing in a folder or a zip is what is read', () => {
  const folder = temporaryFolder({
    'a/b/corpus.jsonl': '',
    'a/README.md': '',
    '.x': '',
    'a/b/queries.jsonl': '',
  })
  const sniffs = (wanted: string) =>
    ({ sniff: ({ path }: { path: string }) => (path.endsWith(wanted) ? { files: [] } : undefined) }) as never
  expect(openRoot(folder, sniffs('/b')).root).toBe(join(folder, 'a/b'))
  expect(openRoot(folder, sniffs('/none')).root).toBe(folder)
  expect(openRoot(folder, {} as never).root).toBe(folder)
  expect(openRoot(folder, sniffs('/b')).shown(join(folder, 'a/x'))).toBe(join(folder, 'a/x'))
})

test('the first document and the first query with gold are shown as they were read', () => {
  const dataset = {
    documents: [document('a', 'x\n\t y', 'T'), document('b', 'z')],
    queries: [query('p', { text: 'no gold' }), query('q', { text: 'why?' }), query('r')],
    qrels: new Map([
      ['q', new Map([['b', 2]])],
      ['r', new Map([['a', 1]])],
    ]),
    spans: new Map(),
  } as unknown as Dataset
  const [shown, asked] = [
    'first document: "a", title "T", text "x y"',
    'first query: "q", text "why?", gold "b" (grade 2)',
  ]
  expect(firstRecords(dataset)).toEqual([shown, asked])
  expect(withoutDocuments(dataset)).toEqual({ ...dataset, documents: 2, letters: 7, first: [shown, asked] })
  const spans = new Map([['p', [{ documentId: 'd', start: 1, end: 5 }]]])
  expect(firstRecords({ ...dataset, spans } as never)[1]).toBe(
    'first query: "p", text "no gold", gold "d" (1 to 5)',
  )
  expect(firstRecords({ ...dataset, documents: [], qrels: new Map() })).toEqual([])
  const textOf = (text: string) =>
    /text "(.*)"$/.exec(firstRecords({ ...dataset, documents: [document('a', text)], queries: [] })[0])?.[1]
  expect([60, 61].map((length) => textOf('x'.repeat(length)))).toEqual([
    'x'.repeat(60),
    `${'x'.repeat(57)}...`,
  ])
  // Blanks are one, but those behind the first 200 characters are not looked at.
  expect(textOf(`a${' '.repeat(198)}bc`)).toBe('a b')
})
