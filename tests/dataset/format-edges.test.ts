import { join } from 'node:path'
import { tableFromArrays, tableToIPC } from '@uwdata/flechette'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { describe, expect, test } from 'vitest'
import { documentsOf } from '../../src/dataset/formats/folder.ts'
import { detectFormat, loadDataset } from '../../src/dataset/load.ts'
import { temporaryFolder } from '../temporary.ts'

type Files = Readonly<Record<string, string | Uint8Array>>

async function load(name: string, files: Files, params: object = {}, path = '.') {
  const folder = temporaryFolder(files)
  const given = { name, params: { path: join(folder, path), ...params } }
  try {
    const { documents, queries, qrels, notices } = await loadDataset(given, folder)
    return {
      documents: documents.map(({ id, title, text, metadata }) => [id, title, text, metadata]),
      queries: queries.map(({ id, text, answers }) => [id, text, ...answers]),
      qrels: [...qrels].flatMap(([query, judged]) => [...judged].map(([id, grade]) => [query, id, grade])),
      notices,
    }
  } catch (error) {
    return (error as Error).message.replaceAll(`${folder}/`, '').split('\n')
  }
}
const lines = (...records: object[]) => records.map((one) => `${JSON.stringify(one)}\n`).join('')

describe('hf', () => {
  const corpus = lines(
    { _id: 'a', title: 't', text: 'x', year: 1, metadata: '{"k": "v", "n": null}' },
    { _id: 'b', text: ['y', 'z'] },
  )
  const queries = lines({ _id: 'q', text: ['why', 'so'] })
  const qrels = lines({ 'query-id': 'q', 'corpus-id': 'a', score: 1 })
  const set = { 'corpus/test.jsonl': corpus, 'queries/test.jsonl': queries, 'qrels/test.jsonl': qrels }

  test('is read by its folders, and says how', async () => {
    expect(await load('hf', set)).toEqual({
      documents: [
        ['a', 't', 'x', { year: 1, k: 'v' }],
        ['b', '', 'y\nz', {}],
      ],
      queries: [['q', 'why so']],
      qrels: [['q', 'a', 1]],
      notices: [
        'read as Hugging Face: corpus/test.jsonl, queries/test.jsonl, qrels of split test; document=_id, text=text, title=title, metadata=year k; id=_id, query=text; query=query-id, document=corpus-id, grade=score',
      ],
    })
  })

  /** A table of Hugging Face whose grades are numbers of classes, in both of its forms. */
  const classes = (names: readonly string[]) => {
    const value = JSON.stringify({ info: { features: { label: { names, _type: 'ClassLabel' } } } })
    const columns = { 'query-id': ['q', 'q'], 'corpus-id': ['a', 'b'], label: [0, 1] }
    const table = tableFromArrays(columns)
    table.schema.metadata = new Map([['huggingface', value]])
    const data = Object.entries(columns).map(([name, data]) => ({ name, data: data as never }))
    const parquet = parquetWriteBuffer({ columnData: data, kvMetadata: [{ key: 'huggingface', value }] })
    const { 'qrels/test.jsonl': _, ...rest } = set
    return [
      { ...rest, 'qrels/test.parquet': new Uint8Array(parquet) },
      {
        ...rest,
        'qrels/test/data-00000-of-00001.arrow': tableToIPC(table, {}) as Uint8Array,
        'qrels/test/dataset_info.json': JSON.stringify({ features: columns }),
      },
    ]
  }

  test('grades that are numbers of classes are read by the names of these, or refused', async () => {
    for (const files of classes(['relevant', 'not_relevant']))
      expect(await load('hf', files)).toMatchObject({
        qrels: [
          ['q', 'a', 1],
          ['q', 'b', 0],
        ],
      })
    for (const files of classes(['2', '0']))
      expect(await load('hf', files)).toMatchObject({
        qrels: [
          ['q', 'a', 2],
          ['q', 'b', 0],
        ],
      })
    for (const files of classes(['exact', 'partial']))
      expect(await load('hf', files)).toEqual([
        expect.stringContaining(
          '`label` has names in place of grades: exact, partial; write a whole number for each, 0 for what is not relevant',
        ),
      ])
  })

  test('three tables in a folder, in any form, are found by their names and columns', async () => {
    const tables = {
      'corpus.csv': 'id,title,text\n1,t,"x, y"\n2,,z\n',
      'queries.tsv': 'qid\tquestion\tanswers\tcategory\nq\twhy\t["a", "b"]\tc\n',
      'qrels.csv': 'query_id,doc_id,grade\nq,1,2\n',
    }
    expect(await load('hf', tables)).toEqual({
      documents: [
        ['1', 't', 'x, y', {}],
        ['2', '', 'z', {}],
      ],
      queries: [['q', 'why', 'a', 'b']],
      qrels: [['q', '1', 2]],
      notices: [
        'read as tables: corpus.csv, queries.tsv, qrels of split test; document=id, text=text, title=title; id=qid, query=question, answer=answers, category=category; query=query_id, document=doc_id, grade=grade',
      ],
    })
    expect(detectFormat(temporaryFolder(tables))).toBe('hf')
    const twice = { ...set, 'qrels/test.tsv': 'query-id\tcorpus-id\tscore\nq\ta\t1\n' }
    expect(await load('hf', twice)).toMatchObject({ qrels: [['q', 'a', 1]] })
    const mixed = {
      ...set,
      'corpus.jsonl': corpus,
      'queries.jsonl': queries,
      'qrels.csv': 'qid,docno\nq,a\n',
    }
    expect(detectFormat(temporaryFolder(mixed))).toBe('hf')
    expect(detectFormat(temporaryFolder({ ...mixed, 'qrels/test.tsv': 'q\ta\t1\n' }))).toBe('beir')
  })

  test('names no metadata where there are none', async () => {
    const plain = { ...set, 'corpus/test.jsonl': lines({ _id: 'a', text: 'x' }) }
    expect(await load('hf', plain)).toMatchObject({
      notices: [
        'read as Hugging Face: corpus/test.jsonl, queries/test.jsonl, qrels of split test; document=_id, text=text; id=_id, query=text; query=query-id, document=corpus-id, grade=score',
      ],
    })
  })

  test('reads the split that is asked for; queries of the others are left out', async () => {
    const two = {
      'corpus/c.jsonl': corpus,
      'queries/q.jsonl': lines({ _id: 'q', text: 'why' }, { _id: 'r', text: 'who' }),

      'qrels/dev.jsonl': qrels,
      'qrels/train.jsonl': lines({ 'query-id': 'r', 'corpus-id': 'b', score: 2 }),
    }
    expect(await load('hf', two)).toEqual(['qrels: have no split `test`; say which with `split`: dev, train'])
    expect(await load('hf', two, { split: 'gone' })).toEqual([
      'qrels: have no split `gone`; say which with `split`: dev, train',
    ])
    expect(await load('hf', two, { split: 'train' })).toMatchObject({
      queries: [['r', 'who']],
      notices: [
        expect.stringMatching(/qrels of split train; /),
        '1 queries are judged only in another split and left out',
      ],
    })
    expect(await load('hf', two, { split: 'all' })).toMatchObject({
      qrels: [
        ['q', 'a', 1],
        ['r', 'b', 2],
      ],
    })
    const { 'qrels/train.jsonl': _, ...one } = two
    expect(await load('hf', { ...one, 'queries/q.jsonl': queries })).toMatchObject({ qrels: [['q', 'a', 1]] })
  })

  test.each<[string, Files, (string | RegExp)[], object?]>([
    ['no corpus', { 'corpus/test.jsonl': '' }, ['corpus/test.jsonl: holds no record', /has no label/]],
    [
      'two corpora',
      { 'x-corpus/test.jsonl': corpus },
      ['corpus: could be any of corpus, x-corpus; say which with `config`'],
    ],
    [
      'a grade that is none',
      { 'qrels/test.jsonl': lines({ query_id: 'q', doc_id: 'a', score: 1.5 }) },
      ['qrels/test.jsonl:1: a grade must be a whole number of 32 bits, not 1.5', /has no label/],
    ],
    [
      'an unknown column of grades',
      { 'qrels/test.jsonl': lines({ query_id: 'q', doc_id: 'a', rating: 1 }) },
      [
        'qrels/test.jsonl: has no column of grades that Touchstone knows, and `rating` looks like one; call it `grade`, or drop it if every row is relevant',
      ],
    ],
    [
      'one id with two texts',
      { 'queries/test.jsonl': `${queries}${lines({ _id: 'q', text: 'who' })}` },
      [/duplicate query id "q" \(first at queries\/test\.jsonl:1\)/],
    ],
  ])('with %s is refused', async (_, change, errors) => {
    const found = await load('hf', { ...set, ...change })
    expect(found).toEqual(
      expect.arrayContaining(
        errors.slice(0, 1).map((one) => (typeof one === 'string' ? one : expect.stringMatching(one))),
      ),
    )
  })

  test('every row is relevant without grades; other columns are no grades', async () => {
    const row = { query_id: 'q', doc_id: 'a', year: 1999, rank: 1, iter: 0, item_id: 5, note: 'x' }
    expect(await load('hf', { ...set, 'qrels/test.jsonl': lines(row) })).toMatchObject({
      qrels: [['q', 'a', 1]],
      notices: [expect.stringMatching(/document=doc_id, grade=1$/)],
    })
  })
})

describe('ir-datasets', () => {
  const set = {
    'docs.jsonl': lines({ doc_id: 'a', title: 't', text: 'x', url: 'u' }),
    'queries.jsonl': lines({ query_id: 'q', text: 'why' }),
    qrels: 'q 0 a 1\n',
  }

  test('is read, texts under the names that each set gives them', async () => {
    expect(await load('ir-datasets', set)).toEqual({
      documents: [['a', 't', 'x', { url: 'u' }]],
      queries: [['q', 'why']],
      qrels: [['q', 'a', 1]],
      notices: [],
    })
    expect(
      await load('ir-datasets', {
        ...set,
        'docs.jsonl': lines(
          { doc_id: 'a', text: ' ', body: 'x', abstract: 'y' },
          { doc_id: 'b', contents: 'z' },
        ),
        'queries.jsonl': lines({ query_id: 'q', title: 'why', question: 'more' }),
      }),
    ).toEqual({
      documents: [
        ['a', '', 'x', { text: ' ', abstract: 'y' }],
        ['b', '', 'z', {}],
      ],
      queries: [['q', 'why']],
      qrels: [['q', 'a', 1]],
      notices: [
        'docs.jsonl: text from `body` (not `abstract`), `contents`',
        'queries.jsonl: text from `title`',
      ],
    })
    const { 'docs.jsonl': _, 'queries.jsonl': __, ...others } = set
    const tabled = { ...others, 'docs.tsv': 'a\tx\n', 'queries.tsv': 'q\twhy\n' }
    expect(await load('ir-datasets', tabled)).toMatchObject({
      documents: [['a', '', 'x', {}]],
      queries: [['q', 'why']],
    })
  })

  test.each<[Files, string[]]>([
    [{ 'docs.jsonl': '' }, ['docs.jsonl: holds no document: the file is empty']],
    [{ 'queries.jsonl': '' }, ['queries.jsonl: holds no query: the file is empty']],
    [{ 'docs.jsonl': '{"doc_id": "a"}\n' }, ['docs.jsonl:1: has no "text"']],
  ])('%j is refused', async (change, errors) => {
    const found = await load('ir-datasets', { ...set, ...change })
    expect((found as string[]).slice(0, errors.length)).toEqual(errors)
  })

  test('names each file that is missing', async () => {
    expect(await load('ir-datasets', { other: '' })).toEqual([
      'docs.jsonl: is missing (or docs.tsv)',
      'queries.jsonl: is missing (or queries.tsv)',
      'qrels: is missing (or qrels.txt or qrels.trec or qrels.tsv)',
    ])
  })
})

describe('msmarco', () => {
  const set = {
    'collection.tsv': 'a\tx\nb\ty\n',
    'queries.dev.tsv': 'q\twhy\n',
    'qrels.dev.tsv': 'q\t0\ta\t1\n',
  }

  test('is read by the split of its qrels', async () => {
    expect(await load('msmarco', set)).toEqual({
      documents: [
        ['a', '', 'x', {}],
        ['b', '', 'y', {}],
      ],
      queries: [['q', 'why']],
      qrels: [['q', 'a', 1]],
      notices: [
        'read as MS MARCO: collection.tsv, queries.dev.tsv, qrels.dev.tsv; query=1, document=3, grade=4 of the qrels',
      ],
    })
    const documents = {
      'msmarco-docs.tsv': 'docid\turl\ttitle\tbody\na\tu\tt\tx\n',
      'msmarco-docdev-queries.tsv': 'q\twhy\n',
      '2019qrels-docs.txt': 'q 0 a 1\n',
    }
    expect(await load('msmarco', documents)).toMatchObject({
      documents: [['a', 't', 'x', {}]],
      queries: [['q', 'why']],
    })
    const several = { ...set, 'queries.train.tsv': 'r\twho\n', 'qrels.train.tsv': 'r\t0\tb\t1\n' }
    expect(await load('msmarco', several, { split: 'train' })).toMatchObject({ qrels: [['r', 'b', 1]] })
    expect(await load('msmarco', several)).toEqual([
      'qrels.<split>.tsv: could be any of several splits; say which with `split`: dev, train',
    ])
    expect(await load('msmarco', several, { split: 'test' })).toEqual([
      'qrels.test.tsv: is missing; say which with `split`: dev, train',
    ])
  })

  test.each<[Files, string[]]>([
    [
      {},
      [
        'collection.tsv: is missing (or msmarco-docs.tsv)',
        'queries.<split>.tsv: is missing',
        'qrels.<split>.tsv: is missing',
      ],
    ],
    [{ ...set, 'collection.tsv': 'a\n' }, ['collection.tsv:1: has 1 columns between tabs, not 2']],
    [{ ...set, 'queries.dev.tsv': 'q\ta\tb\n' }, ['queries.dev.tsv:1: has 3 columns between tabs, not 2']],
    [
      {
        'collection.tsv': 'a\tx\n',
        'queries.train.tsv': 'q\tx\n',
        'queries.test.tsv': 'q\tx\n',
        'qrels.dev.tsv': 'q\t0\ta\t1\n',
      },
      ['qrels.dev.tsv: has no queries file of its split, next to queries.test.tsv, queries.train.tsv'],
    ],
  ])('%j is refused', async (files, errors) => {
    const found = await load('msmarco', { other: '', ...files })
    expect((found as string[]).slice(0, errors.length)).toEqual(errors)
  })
})

describe('graphrag-bench', () => {
  const one = {
    id: '1',
    source: 'novel',
    question: 'Why?',
    answer: 'So.',
    question_type: 'fact',
    evidence: ['e'],
  }
  const texts = lines({ corpus_name: 'novel', context: 'x' }, { corpus_name: 'play', context: 'y' })

  test('finds its texts next to the questions, or in Corpus', async () => {
    for (const place of ['novel.jsonl', 'Corpus/novel.jsonl', '../Corpus/novel.jsonl']) {
      const files = { 'Q/novel_questions.jsonl': lines(one), [join('Q', place)]: texts }
      expect(await load('graphrag-bench', files, {}, 'Q')).toEqual({
        documents: [
          ['novel', 'novel', 'x', {}],
          ['play', 'play', 'y', {}],
        ],
        queries: [['1', 'Why?', 'So.']],
        qrels: [['1', 'novel', 1]],
        notices: [
          'read as GraphRAG-Bench: novel_questions.jsonl, novel.jsonl; query=question, category=question_type, gold=source',
          'gold is the whole text that a question names, one of 2; judge passages with `evidence_recall` and `context_relevance`',
        ],
      })
    }
  })

  test('ids that two texts share get the name of their text', async () => {
    const files = {
      'novel_questions.jsonl': lines(one, { ...one, source: 'play' }, { ...one, id: '2' }),
      'novel.jsonl': texts,
    }
    expect(await load('graphrag-bench', files)).toMatchObject({
      queries: [
        ['2', 'Why?', 'So.'],
        ['novel/1', 'Why?', 'So.'],
        ['play/1', 'Why?', 'So.'],
      ],
      notices: expect.arrayContaining([
        "2 questions share an id with another; their text's name precedes it",
      ]),
    })
    const single = {
      'novel_questions.jsonl': lines(one),
      'novel.jsonl': lines({ corpus_name: 'novel', context: 'x' }),
    }
    expect(await load('graphrag-bench', single)).toMatchObject({
      notices: [
        expect.any(String),
        expect.stringMatching(
          /^gold is the whole text that a question names, one of 1, so every passage is gold; /,
        ),
      ],
    })
  })

  test('says what is missing', async () => {
    expect(await load('graphrag-bench', { 'a.jsonl': '{}' })).toEqual([
      expect.stringMatching(/: holds no file of questions with `question_type`, `source` and `evidence`$/),
    ])
    expect(await load('graphrag-bench', { 'a.jsonl': lines(one), 'b.jsonl': lines(one) })).toEqual([
      expect.stringMatching(/: holds 2 files of questions: a\.jsonl, b\.jsonl; give the path of one$/),
    ])
    expect(await load('graphrag-bench', { 'novel_questions.jsonl': lines(one) })).toEqual([
      expect.stringMatching(
        /were not found; looked for novel\.json, novel\.jsonl, novel\.parquet, \.\.\/Corpus\/novel\.json, .*, Corpus\/novel\.parquet\. Name the file with `corpus`$/,
      ),
    ])
    const files = { 'novel_questions.jsonl': lines({ ...one, source: 'gone' }), 'novel.jsonl': texts }
    expect((await load('graphrag-bench', files)) as string[]).toContain(
      'novel_questions.jsonl:1: is about the text "gone", which the corpus does not hold',
    )
  })
})

describe('promptfoo', () => {
  test.each<[string, string, unknown[][]]>([
    [
      'p.yaml',
      'defaultTest: {vars: {context: shared}}\ntests:\n- vars: {question: a}\n  assert: [{type: equals, value: b}, {type: is-json}]\n- vars: {question: c, context: own}\n',
      [
        ['1', 'a', 'b'],
        ['2', 'c'],
      ],
    ],
    [
      'p.json',
      '[{"vars": {"question": "a", "context": "x"}, "assert": [{"type": "icontains", "value": ["b", "c"]}]}]',
      [['1', 'a', 'b', 'c']],
    ],
    ['p.jsonl', '{"vars": {"question": "a", "context": "x"}}\n', [['1', 'a']]],
    [
      'p.csv',
      'question,context,__expected,__expected2,__note\na,x,similar(0.8): b,is-json,n\nc,y,plain,regex: z,\n',
      [
        ['1', 'a', 'b'],
        ['2', 'c', 'plain'],
      ],
    ],
  ])('%s: %j', async (name, content, queries) => {
    const found = await load('promptfoo', { [name]: content }, {}, name)
    expect(found).toMatchObject({ queries: queries.map((one) => [expect.any(String), ...one.slice(1)]) })
  })

  test.each<[string, string, RegExp]>([
    [
      'p.yaml',
      'tests: other.yaml\n',
      /^p\.yaml: holds no list of tests but names "other\.yaml"; give the path of that file$/,
    ],
    ['p.yaml', 'a: 1\n', /^p\.yaml: holds no list of tests$/],
    ['p.yaml', '- file.yaml\n- {a: 1}\n', /^p\.yaml, test 1: is another file: "file\.yaml"$/],
    ['p.yaml', '- {a: 1}\n', /^p\.yaml, test 1: has no "vars"$/],
    [
      'p.yaml',
      '- vars: {question: a, context: "file://x.txt"}\n',
      /^p\.yaml, test 1: "context" is in another file \("file:\/\/x\.txt"\), which is not read; put the text in its place$/,
    ],
    ['p.yaml', 'a: [\n', /^p\.yaml:2:1: flow sequence in block collection must be/],
    ['p.yaml', 'tests: []\n---\na: 1\n', /^p\.yaml:2:1: a second document begins here; write each into/],
  ])('%s: %j is refused', async (name, content, message) => {
    expect(await load('promptfoo', { [name]: content }, {}, name)).toContainEqual(
      expect.stringMatching(message),
    )
  })
})

describe('beir', () => {
  const set = {
    'corpus.jsonl': lines({ _id: 'a', text: 'x' }),
    'queries.jsonl': lines({ _id: 'q', text: 'why' }, { _id: 'r', text: 'who' }),
    'qrels/test.tsv': 'query-id\tcorpus-id\tscore\nq\ta\t1\n',
  }

  test('reads one split or all; the corpus may be alone', async () => {
    const both = { ...set, 'qrels/train.tsv': 'query-id\tcorpus-id\tscore\nr\ta\t2\n' }
    expect(await load('beir', both)).toMatchObject({
      queries: [['q', 'why']],
      notices: ['1 queries are judged only in another split and left out'],
    })
    expect(await load('beir', both, { split: 'all' })).toMatchObject({
      qrels: [
        ['q', 'a', 1],
        ['r', 'a', 2],
      ],
      notices: [],
    })
    expect(
      await load(
        'beir',
        { ...both, 'qrels/all.tsv': 'query-id\tcorpus-id\tscore\nr\ta\t3\n' },
        { split: 'all' },
      ),
    ).toMatchObject({ qrels: [['r', 'a', 3]] })
    expect(await load('beir', { 'corpus.jsonl': set['corpus.jsonl'] })).toMatchObject({
      documents: [['a', '', 'x', {}]],
      notices: ['no queries.jsonl and no qrels: the corpus can be prepared and asked, not run'],
    })
  })

  test('other names of ids and texts are read, and told', async () => {
    const other = {
      'corpus.jsonl': lines({ id: 7, contents: 'x', year: 1 }),
      'queries.jsonl': lines({ qid: 'q', question: 'why' }),
      'qrels/test.tsv': 'q\t7\t1\n',
    }
    expect(await load('beir', other)).toEqual({
      documents: [['7', '', 'x', { year: 1 }]],
      queries: [['q', 'why']],
      qrels: [['q', '7', 1]],
      notices: ['corpus.jsonl: id=id, text=contents', 'queries.jsonl: id=qid, text=question'],
    })
    const ids = { ...set, 'corpus.jsonl': lines({ id: 'b', text: 'x' }, { _id: 'a', text: 'y' }) }
    expect(((await load('beir', ids)) as string[])[0]).toBe('corpus.jsonl:1: has no "_id"')
  })

  test('a message that many lines share is shown once, with their numbers', async () => {
    const wrong = Array.from({ length: 9 }, (_, index) =>
      index === 5 ? { _id: 'a', text: 'x' } : { text: 'x' },
    )
    const errors = async (records: readonly object[]) =>
      ((await load('beir', { ...set, 'corpus.jsonl': lines(...records) })) as string[]).filter((one) =>
        one.startsWith('corpus.jsonl'),
      )
    expect(await errors(wrong)).toEqual(['corpus.jsonl:1: has no "_id" (also lines 2 to 5, 7 to 9)'])
    expect(await errors(wrong.slice(0, 6))).toHaveLength(5)
    const asked = Array.from({ length: 8 }, (_, index) => ({ _id: `q${index}`, text: 'why' }))
    expect(await load('beir', { ...set, 'queries.jsonl': lines({ _id: 'q', text: 'x' }, ...asked) })).toEqual(
      [
        expect.stringMatching(/^queries\.jsonl:2: query "q0" has no label; .* \(also lines 3 to 9\)$/),
        expect.stringMatching(/^`missingGold: count`/),
      ],
    )
  })

  test('a file of labels beside the folder `qrels` is named', async () => {
    const { 'qrels/test.tsv': qrels, ...rest } = set
    expect(await load('beir', { ...rest, 'qrels.txt': qrels })).toEqual([
      'qrels/test.tsv: is missing; move qrels.txt there, with tabs between its columns',
    ])
  })

  test.each<[Files, object, string[]]>([
    [{ ...set, 'corpus.jsonl': '' }, {}, ['corpus.jsonl: holds no document: the file is empty']],
    [{ ...set, 'queries.jsonl': '' }, {}, ['queries.jsonl: holds no query: the file is empty']],
    [set, { split: 'tets' }, ['qrels/tets.tsv: is missing (did you mean "test"?); the folder has test']],
    [set, { judged: 'span' }, ['qrels/spans.tsv: is missing, and `judged: span` asks for it']],
    [
      { 'Corpus.json': '', 'queries.jsonl': set['queries.jsonl'] },
      {},
      [
        'corpus.jsonl: is missing; the folder has Corpus.json: give it this name, unpacked or as .gz',
        'qrels/test.tsv: is missing',
      ],
    ],
    [
      {
        ...set,
        'qrels/spans.tsv':
          'query\tdocument\tstart\tend\tgrade\nq\ta\t0\t1\tx\nq\ta\t0\t1\t-1\nq\ta\t-1\t1\t1\nq\ta\t0\t-1\t1\nq\n',
      },
      {},
      [
        'qrels/spans.tsv:2: the grade must be a whole number, not "x"',
        'qrels/spans.tsv:3: the grade must be a whole number, not "-1"',
        'qrels/spans.tsv:4: start and end must be whole numbers, not "-1" and "1"',
        'qrels/spans.tsv:5: start and end must be whole numbers, not "0" and "-1"',
        'qrels/spans.tsv:6: has 1 column separated by tabs, not query, document, start, end (and group)',
      ],
    ],
    [
      { ...set, 'qrels/spans.tsv': 'query\tstart\n' },
      {},
      ['qrels/spans.tsv:1: names no column document, end; its columns are query, start'],
    ],
  ])('%j with %j is refused', async (files, params, errors) => {
    expect(((await load('beir', files, params)) as string[]).slice(0, errors.length)).toEqual(errors)
  })
})

describe('musique', () => {
  const one = (id: string, more: object = {}) => ({
    id,
    question: 'Why?',
    paragraphs: [{ title: 'T', paragraph_text: 'x', is_supporting: true }],
    ...more,
  })

  test('takes an answer and its aliases once each, or none; twins are counted where there are any', async () => {
    const records = lines(one('2hop__1', { answer: 'A', answer_aliases: ['B', 'A'] }), one('3hop1__2'))
    const twin = lines(one('2hop__1', { answerable: false }))
    const found = await load('musique', { 'dev.jsonl': records }, {}, 'dev.jsonl')
    expect(found).toMatchObject({
      queries: [
        ['2hop__1', 'Why?', 'A', 'B'],
        ['3hop1__2', 'Why?'],
      ],
    })
    expect(JSON.stringify(found)).not.toContain('left out')
    expect(await load('musique', { 'dev.jsonl': records + twin }, {}, 'dev.jsonl')).toMatchObject({
      notices: expect.arrayContaining(['1 questions that their own paragraphs do not answer are left out']),
    })
  })
})

describe('folder', () => {
  const names = (...files: string[]) => Object.fromEntries(files.map((file) => [file, '']))

  test('counts what it leaves out, and names the first three of a reason', async () => {
    const noticesOf = async (files: Files) =>
      ((await load('folder', { 'a.md': 'Salt.', ...files })) as { notices: readonly string[] }).notices
    expect(await noticesOf(names('1.md'))).toEqual(['1 file left out, empty file: 1.md'])
    expect(await noticesOf(names('1.md', '2.md', '3.md'))).toEqual([
      '3 files left out, empty file: 1.md, 2.md, 3.md',
    ])
    expect(await noticesOf(names('1.md', '2.md', '3.md', '4.md', '5.md'))).toEqual([
      '5 files left out, empty file: 1.md, 2.md, 3.md and 2 more',
    ])
    expect(await noticesOf({ 'x.Q': '\0', 'y.q': '\0', 'z.p': '\0', w: '\0', v: '\0' })).toEqual([
      '5 files of other kinds left out: 2 .q, 2 no extension, 1 .p',
    ])
  })

  test('one file is a folder of this file alone', async () => {
    const files = { 'a.md': '# T\n\nSalt.', 'b.csv': 'id,text\n7,x\n8,y\n' }
    expect(await load('folder', files, {}, 'a.md')).toMatchObject({
      documents: [['a.md', 'T', expect.stringContaining('Salt.'), { path: 'a.md' }]],
    })
    expect(await load('folder', files, {}, 'b.csv')).toMatchObject({
      documents: [
        ['b.csv#7', expect.anything(), 'x', expect.anything()],
        ['b.csv#8', expect.anything(), 'y', expect.anything()],
      ],
    })
    const folder = temporaryFolder(files)
    expect(detectFormat(join(folder, 'a.md'))).toBe('folder')
    expect(() => detectFormat(join(folder, 'b.csv'))).toThrow(
      'If each record is a document: `dataset: {folder: {path: ...}}`',
    )
  })

  test('says why it holds no document', async () => {
    const problem = async (files: Files) => ((await load('folder', files)) as string[]).join()
    expect(await problem({ '.x': '' })).toMatch(/: holds no document that can be read: it holds no file$/)
    expect(await problem(names('a.md'))).toMatch(
      /: holds no document that can be read; of 1 file the first is a\.md, empty file$/,
    )
    expect(await problem({ 'a.q': '\0', 'b.q': '\0' })).toMatch(
      /: holds no document that can be read; of 2 files the first is a\.q$/,
    )
  })

  test('titles a file by its name where it has no title, or more than two files share one', () => {
    const read = (...files: (readonly [file: string, title: string, part?: string])[]) =>
      documentsOf(
        files.map(([file, title, part]) => ({
          file,
          documents: [{ title, text: 'x', metadata: { k: 1 }, ...(part !== undefined && { part }) }],
        })) as never,
      ).map(({ id, title }) => [id, title])
    expect(read(['a.md', 'T'], ['b.md', 'T'])).toEqual([
      ['a.md', 'T'],
      ['b.md', 'T'],
    ])
    expect(read(['a.md', 'T'], ['b.md', 'T'], ['c/d.md', 'T'], ['e.csv', 'T', '1'])).toEqual([
      ['a.md', 'a'],
      ['b.md', 'b'],
      ['c/d.md', 'd'],
      ['e.csv#1', 'T'],
    ])
    expect(
      read(['README.md', ''], ['docs/index.html', ''], ['a/b/Readme.txt', ''], ['a.tar.gz', '']),
    ).toEqual([
      ['README.md', 'README'],
      ['docs/index.html', 'docs'],
      ['a/b/Readme.txt', 'b'],
      ['a.tar.gz', 'a.tar'],
    ])
    const [document] = documentsOf([
      { file: 'f.md', documents: [{ title: 'T', text: ' x', metadata: { k: 1 } }] } as never,
    ])
    expect(document).toEqual({ id: 'f.md', title: 'T', text: ' x', metadata: { k: 1, path: 'f.md' } })
  })
})

describe('autorag', () => {
  const [qa, corpus] = ['qid,query,retrieval_gt\n', 'doc_id,contents\n']

  test.each<[Files, string[]]>([
    [
      { 'x.md': '' },
      [
        'qa.parquet: is missing from this AutoRAG folder',
        'corpus.parquet: is missing from this AutoRAG folder',
      ],
    ],
    [
      { 'qa.csv': qa, 'test.csv': qa, 'corpus.csv': corpus },
      ['test.csv: is a second qa.parquet, next to qa.csv; move one of them out of the folder'],
    ],
    [{ 'qa.csv': qa, 'corpus.csv': corpus }, ['corpus.csv: holds no document', 'qa.csv: holds no question']],
  ])('%j is refused', async (files, errors) => {
    expect(await load('autorag', files)).toEqual(errors)
  })
})

test('parallel lists of titles and texts must be lists', async () => {
  const one = { id: '1', question: 'Why?', answer: 'So', type: 'bridge', level: 'easy' }
  const facts = { supporting_facts: { title: ['T'], sent_id: [0] } }
  const read = (context: object) =>
    load('hotpotqa', { 'h.jsonl': lines({ ...one, ...facts, context }) }, {}, 'h.jsonl')
  expect(await read({ title: ['T'], sentences: [['x']] })).toMatchObject({ queries: [['1', 'Why?', 'So']] })
  for (const context of [
    { title: 'T', sentences: [['x']] },
    { title: ['T'], sentences: 'x' },
  ])
    expect((await read(context)) as string[]).toEqual([expect.stringMatching(/^h\.jsonl:1: .*context/)])
})

describe('ragas', () => {
  const read = (value: object) => load('ragas', { 'a.json': JSON.stringify(value) }, {}, 'a.json')
  const one = (query: unknown, ...contexts: string[]) => ({ user_input: query, reference_contexts: contexts })

  test.each<[string, object, string[][]]>([
    ['one record', one('Why?', 'x'), [['1', 'Why?']]],
    [
      'a table by columns',
      { user_input: { 0: 'Why?', 3: 'Who?' }, reference_contexts: { 0: ['x'], 3: ['y'] } },
      [
        ['1', 'Why?'],
        ['2', 'Who?'],
      ],
    ],
    [
      'what a user and a human ask in a chat',
      [
        one(
          [
            { role: 'user', content: 'Why?' },
            { role: 'assistant', content: 'So.' },
          ],
          'x',
        ),
        one(
          [
            { type: 'human', content: 'Who?' },
            { type: 'ai', content: 'I.' },
          ],
          'x',
        ),
      ],
      [
        ['1', 'Why?'],
        ['2', 'Who?'],
      ],
    ],
  ])('reads %s', async (_, value, queries) => {
    expect(await read(value)).toMatchObject({ queries })
  })

  test.each<[string, object, RegExp]>([
    [
      'keys that are no numbers',
      { user_input: { 0: 'Why?', x: 'Who?' }, reference_contexts: { 0: ['x'], x: ['y'] } },
      /./,
    ],
    [
      'a text beside columns',
      { ...one(['Why?', 'Who?'], 'x', 'y'), note: 'n' },
      /holds 2 questions in one field; write a record for each$/,
    ],
    ['an empty list', [], /a\.json: holds no question$/],
  ])('takes no table for %s', async (_, value, message) => {
    expect(((await read(value)) as string[]).join()).toMatch(message)
  })
})
