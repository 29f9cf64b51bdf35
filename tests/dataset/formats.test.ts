import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { zipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { datasetFormats } from '../../src/dataset/formats/index.ts'
import { detectFormat, loadDataset } from '../../src/dataset/load.ts'
import type { Dataset } from '../../src/dataset/types.ts'
import { temporaryFolder } from '../temporary.ts'

const openDetected = async (path: string) => loadDataset({ name: detectFormat(path), params: { path } }, '/')

const FIXTURES = join(dirname(fileURLToPath(import.meta.url)), '..', 'golden', 'formats')
const lines = (...items: unknown[]) => items.map((item) => `${JSON.stringify(item)}\n`).join('')

const LOMM = 'Lomm lies at the strait of Orr. It has a harbour.'
const TARN = 'Tarn lies inland near a lake.'
const VESK = 'Vesk is a city with many cranes.'

const trec = (...docs: [string, string][]) =>
  docs.map(([id, text]) => `<DOC>\n<DOCNO> ${id} </DOCNO>\n<TEXT>\n${text}\n</TEXT>\n</DOC>\n`).join('')
const hotpot = (more: object, sentences: string[]) => ({
  _id: 'h1',
  question: 'Where does Lomm lie?',
  answer: 'Orr',
  supporting_facts: [['Lomm', 0]],
  context: [
    ['Lomm', sentences],
    ['Tarn', [TARN]],
  ],
  ...more,
})
const SQUAD_ROW = {
  id: 's1',
  title: '',
  context: LOMM,
  question: 'Where?',
  answers: { text: ['Orr'], answer_start: [27] },
}
/** Gold of a question as texts, alternatives in brackets. */
function goldOf(dataset: Dataset, queryId: string): string[] {
  const textOf = (id: string) => dataset.documents.find((one) => one.id === id)?.text ?? `missing ${id}`
  const groups =
    dataset.groups.get(queryId) ??
    [...(dataset.qrels.get(queryId) ?? [])].filter(([, grade]) => grade > 0).map(([id]) => [id])
  return groups.map((group) => group.map(textOf).sort().join(' | ')).sort()
}

interface Case {
  readonly format: string
  readonly what: string
  /** Files by name, or a fixture's path. */
  readonly at: string | Readonly<Record<string, string | Uint8Array>>
  /** Path below the folder; the folder itself by default. */
  readonly path?: string
  readonly documents: number
  readonly gold?: Readonly<Record<string, readonly string[]>>
  readonly answers?: Readonly<Record<string, readonly string[]>>
  readonly notice?: string
  readonly params?: Readonly<Record<string, string>>
}

const CASES: Case[] = [
  {
    format: 'autorag',
    what: 'nested retrieval_gt',
    at: 'autorag',
    documents: 4,
    gold: { q1: [LOMM, 'Orr is a strait between two seas.'], q2: [`${TARN} | ${VESK}`] },
    notice: 'read as AutoRAG: qa.parquet, corpus.parquet; id=qid, query=query, gold=retrieval_gt',
  },
  {
    format: 'autorag',
    what: 'tables as CSV, lists as pandas prints them',
    documents: 4,
    at: {
      'qa.csv': [
        ',qid,query,retrieval_gt,generation_gt',
        `0,q1,Where?,"[['d0'], ['d3']]","['strait', ""it's Orr""]"`,
        `1,q2,Which?,"[array(['d2', 'd1'], dtype=object)]",Vesk`,
        `2,q3,Who?,"[[""d0""]]","[]"`,
        '',
      ].join('\r\n'),
      'corpus.csv': `\ufeffdoc_id,contents,metadata\nd0,${LOMM},{}\nd1,${TARN},{}\nd2,${VESK},{}\nd3,Orr is a strait.,{}\n`,
    },
    gold: { q1: [LOMM, 'Orr is a strait.'], q2: [`${TARN} | ${VESK}`], q3: [LOMM] },
    answers: { q1: ['strait', "it's Orr"], q2: ['Vesk'], q3: [] },
    notice: 'read as AutoRAG: qa.csv, corpus.csv; id=qid, query=query, gold=retrieval_gt',
  },
  ...['ragas.jsonl', 'ragas.csv', 'ragas-arrow'].map((at) => ({
    format: 'ragas',
    what: `as ${at}`,
    at,
    documents: 2,
    gold: { '1': [LOMM] },
    notice: 'query=user_input, contexts=reference_contexts, answer=reference',
  })),
  {
    format: 'ragas',
    what: 'names of 0.1',
    documents: 2,
    gold: { '2': [LOMM, TARN] },
    at: {
      'testset.csv':
        `question,contexts,ground_truth,evolution_type\nWhat is a lake?,"['It''s x']",x,simple\nWhere?,"['${LOMM}', ""${TARN}""]",there,multi_context\n`.replace(
          `['It''s x']`,
          `["${TARN}"]`.replaceAll('"', '""'),
        ),
    },
  },
  {
    format: 'graphrag-bench',
    what: 'its corpus beside it',
    documents: 1,
    gold: { n1: [LOMM] },
    path: 'medical_questions.json',
    answers: { n1: ['at the strait'] },
    at: {
      'medical.json': JSON.stringify({ corpus_name: 'Medical', context: LOMM }),
      'medical_questions.json': JSON.stringify([
        {
          id: 'n1',
          source: 'Medical',
          question: 'Where?',
          answer: 'at the strait',
          question_type: 'Fact Retrieval',
          evidence: 'Lomm lies there.',
          evidence_relations: '',
        },
      ]),
    },
    notice: 'one of 1, so every passage is gold',
  },
  {
    format: 'squad',
    what: '2.0',
    documents: 2,
    path: 'train-v2.0.json',
    gold: { s1: [LOMM], s2: [] },
    at: {
      'train-v2.0.json': JSON.stringify({
        version: 'v2.0',
        data: [
          {
            title: 'Lomm',
            paragraphs: [
              {
                context: LOMM,
                qas: [
                  {
                    id: 's1',
                    question: 'Where?',
                    answers: [{ text: 'Orr', answer_start: 27 }],
                    is_impossible: false,
                  },
                  { id: 's2', question: 'Who rules?', answers: [], is_impossible: true },
                ],
              },
              { context: TARN, qas: [] },
            ],
          },
        ],
      }),
      'README.txt': 'The folder as it was unpacked.',
    },
  },
  {
    format: 'squad',
    what: 'rows of Hugging Face',
    at: 'squad.parquet',
    documents: 1,
    gold: { s1: [LOMM], s2: [] },
  },
  {
    format: 'hotpotqa',
    what: 'rows of Hugging Face',
    at: 'hotpotqa.parquet',
    documents: 2,
    gold: { '5a': ['Lomm lies at Orr. It has a harbour.'] },
  },
  {
    format: 'hotpotqa',
    what: 'original JSON',
    documents: 2,
    gold: { h1: ['Lomm lies at Orr. It is.'] },
    at: {
      'x.json': JSON.stringify([hotpot({ type: 'bridge', level: 'easy' }, ['Lomm lies at Orr.', ' It is.'])]),
    },
  },
  {
    format: '2wiki',
    what: 'original JSON',
    documents: 2,
    gold: { h1: ['Lomm lies at Orr. It is.'] },
    at: {
      'x.json': JSON.stringify([
        hotpot({ type: 'compositional', evidences: [] }, ['Lomm lies at Orr.', 'It is.']),
      ]),
    },
  },
  {
    format: 'musique',
    what: 'original JSONL',
    documents: 1,
    gold: { '2hop__1_2': [LOMM] },
    at: {
      'm.jsonl': lines({
        id: '2hop__1_2',
        question: 'Where?',
        answer: 'Orr',
        answer_aliases: [],
        answerable: true,
        paragraphs: [{ idx: 0, title: 'Lomm', paragraph_text: LOMM, is_supporting: true }],
      }),
    },
  },
  {
    format: 'msmarco',
    what: 'passages',
    documents: 2,
    gold: { '7': [LOMM], '8': [TARN] },
    at: {
      'collection.tsv': `0\t${LOMM}\n1\t${TARN}\n`,
      'queries.dev.small.tsv': '7\tWhere does Lomm lie?\n8\tWhere is Tarn?\n',
      'qrels.dev.small.tsv': '7\t0\t0\t1\n8\t0\t1\t1\n',
    },
    notice: 'read as MS MARCO: collection.tsv, queries.dev.small.tsv, qrels.dev.small.tsv',
  },
  {
    format: 'msmarco',
    what: 'tables with a header',
    documents: 2,
    gold: { '7': [LOMM] },
    at: {
      'collection.tsv': `pid\tpassage\n0\t${LOMM}\n1\t${TARN}\n`,
      'queries.dev.small.tsv': 'qid\tquery\n7\tWhere does Lomm lie?\n',
      'qrels.dev.small.tsv': '7\t0\t0\t1\n',
    },
  },
  {
    format: 'ir-datasets',
    what: 'tables whose header has another name of the text',
    documents: 2,
    at: {
      'docs.tsv': `doc_id\twords\nd1\t${LOMM}\nd2\t${TARN}\n`,
      'queries.tsv': 'query_id\tquestion\nq1\tWhere does Lomm lie?\n',
      'qrels.txt': 'q1 0 d1 1\n',
    },
    gold: { q1: [LOMM] },
  },
  {
    format: 'msmarco',
    what: 'documents, a chosen split',
    documents: 1,
    params: { split: 'dev' },
    at: {
      'msmarco-docs.tsv': `D0\thttp://x\tLomm\t${LOMM}\n`,
      'msmarco-docdev-queries.tsv': '7\tWhere does Lomm lie?\n',
      'msmarco-docdev-qrels.tsv': '7 0 D0 1\n',
      'msmarco-doctrain-queries.tsv': '9\tWhere?\n',
      'msmarco-doctrain-qrels.tsv': '9 0 D0 1\n',
    },
    gold: { '7': [LOMM] },
  },
  {
    format: 'hf',
    what: 'configs of a dataset card, whole numbers as ids',
    at: 'hf',
    documents: 4,
    gold: { q1: [LOMM], q2: [VESK] },
    notice: '1 queries are judged only in another split and left out',
  },
  {
    format: 'trec',
    what: 'SGML and topics',
    documents: 2,
    gold: { '301': [LOMM] },
    at: {
      'docs/ft.sgml': trec(['FT-1', LOMM.replace('It', '<F P=100>It</F>')], ['FT-2', 'Tarn &amp; lake.']),
      topics:
        '<top>\n<num> Number: 301\n<title> Lomm\n<desc> Description:\nWhere does Lomm lie?\n<narr> Narrative:\nAny place.\n</top>\n',
      'qrels.txt': '301 0 FT-1 1\n301 0 FT-2 0\n',
    },
    notice: 'query=title, document=DOCNO',
  },
  {
    format: 'trec',
    what: 'entities by name and by number',
    documents: 2,
    gold: { '301': [`Orr's \u201ccaf\u00e9\u201d & \u00c9lan's <pier> - 5 \u2019s &bogus; \u{1f600} end`] },
    at: {
      'd.sgml': trec(
        [
          'FT-1',
          'Orr&#x27;s &ldquo;caf&eacute;&rdquo; &amp; &Eacute;lan&#39;s &LT;pier&gt; &hyph; 5&blank;&#146;s &bogus; &#x1F600;&#0;&#xD800;&#x1f;end',
        ],
        ['FT-2', TARN],
      ),
      topics: '<top>\n<num> Number: 301\n<title> Caf&#xE9;\n</top>\n',
      'qrels.txt': '301 0 FT-1 1\n301 0 FT-2 0\n',
    },
  },
  {
    format: 'promptfoo',
    what: 'a config with tests',
    documents: 1,
    gold: { '1': [LOMM] },
    at: {
      'promptfooconfig.yaml': `prompts: [x]\ntests:\n  - vars:\n      question: Where?\n      context: ${LOMM}\n    assert:\n      - type: icontains\n        value: Orr\n`,
    },
    notice: 'query=question, contexts=context, answer=expected',
  },
  {
    format: 'graphrag',
    what: 'names before 1.0',
    at: 'graphrag-v1',
    documents: 2,
    notice: 'create_final_text_units.parquet',
  },
  {
    format: 'graphrag',
    what: 'CSV',
    documents: 2,
    at: {
      'output/create_final_text_units.csv': `id,text,document_ids\nu1,${LOMM},['d']\nu2,${TARN},['d']\n`,
      'output/create_final_documents.csv': 'id,title,raw_content\nd,Towns,x\n',
      'output/create_final_entities.csv': 'id,title\ne,Lomm\n',
      'output/create_final_relationships.csv': 'id,source,target\nr,Lomm,Orr\n',
    },
    notice: 'of GraphRAG output in CSV the texts are read; its graph is read from Parquet',
  },
  {
    format: 'graphrag',
    what: 'a single unit',
    documents: 1,
    at: {
      'output/create_final_text_units.csv': `id,text,document_ids\nu1,${LOMM},['d']\n`,
      'output/create_final_documents.csv': 'id,title,raw_content\nd,Towns,x\n',
      'output/create_final_entities.csv': 'id,title\ne,Lomm\n',
      'output/create_final_relationships.csv': 'id,source,target\n',
    },
    notice: 'of GraphRAG output in CSV the texts are read; its graph is read from Parquet',
  },
  ...['lightrag', 'nano-graphrag'].map((at) => ({
    format: 'lightrag',
    what: `working folder of ${at}`,
    at,
    documents: 4,
    notice: 'kv_store_text_chunks.json; document=key, text=content',
  })),
  {
    format: 'ir-datasets',
    what: 'fields of MS MARCO documents and TREC topics',
    documents: 1,
    at: {
      'docs.jsonl': lines({ doc_id: 'D0', url: 'http://x', title: 'Lomm', body: LOMM }),
      'queries.jsonl': lines({ query_id: '7', title: 'Lomm', description: 'Where does Lomm lie?' }),
      qrels: '7 0 D0 1\n',
    },
    gold: { '7': [LOMM] },
    notice: 'docs.jsonl: text from `body`\nqueries.jsonl: text from `title`',
  },
  {
    format: 'ragas',
    what: 'a table by columns',
    documents: 2,
    gold: { '1': [LOMM], '2': [TARN] },
    at: {
      'a.json': JSON.stringify({
        user_input: ['Where?', 'What is Tarn?'],
        reference_contexts: [[LOMM], [TARN]],
        reference: ['Orr', 'x'],
      }),
    },
  },
  {
    format: 'ragas',
    what: 'JSON of pandas',
    documents: 1,
    gold: { '1': [LOMM] },
    at: {
      'a.json': JSON.stringify(
        { user_input: { 0: 'Where?' }, reference_contexts: { 0: [LOMM] }, reference: { 0: null } },
        null,
        2,
      ),
    },
  },
  {
    format: 'ragas',
    what: 'zipped CSV, lists as NumPy prints them',
    documents: 2,
    at: {
      'a.csv.gz': gzipSync(`\ufeffuser_input,reference_contexts\r\nWhere?,"['${LOMM}'\n '${TARN}']"\r\n`),
    },
    gold: { '1': [LOMM, TARN] },
  },
  {
    format: 'promptfoo',
    what: 'CSV of a spreadsheet',
    documents: 2,
    gold: { '1': [LOMM], '2': [TARN] },
    at: {
      'tests.csv': `question;context;__expected;__expected1;__description\r\nWhere?;${LOMM};icontains:Orr;regex:O.*;x\r\nTarn?;${TARN};note: inland;javascript:x;y\r\n`,
    },
    answers: { '1': ['Orr'], '2': ['note: inland'] },
    notice: 'query=question, contexts=context, answer=expected',
  },
  {
    format: 'hf',
    what: 'three files of JSONL',
    documents: 1,
    gold: { q1: [LOMM] },
    at: {
      'corpus.jsonl': lines({ _id: 'd1', text: LOMM }),
      'queries.jsonl': lines({ _id: 'q1', text: 'Where?' }),
      'qrels.jsonl': lines({ 'query-id': 'q1', 'corpus-id': 'd1', score: 1 }),
    },
  },
  {
    format: 'promptfoo',
    what: 'zipped YAML, vars of defaultTest',
    documents: 1,
    gold: { '1': [LOMM] },
    at: {
      'a.yaml.gz': gzipSync(
        `defaultTest:\n  vars:\n    context: ${LOMM}\ntests:\n  - vars:\n      question: Where?\n`,
      ),
    },
  },
  {
    format: 'promptfoo',
    what: 'JSONL',
    documents: 2,
    gold: { '2': [TARN] },
    at: {
      'a.jsonl': lines(
        { vars: { question: 'Where?', context: LOMM } },
        { vars: { question: 'Tarn?', context: TARN } },
      ),
    },
  },
  {
    format: 'trec',
    what: 'zipped topics',
    documents: 1,
    gold: { '301': [LOMM] },
    at: {
      'd.sgml': trec(['FT-1', LOMM]),
      'topics.gz': gzipSync('<top>\n<num> Number: 301\n<title> Lomm\n</top>\n'),
      'qrels.gz': gzipSync('301 0 FT-1 1\n'),
    },
  },
  ...(
    [
      { 'a.json': JSON.stringify([SQUAD_ROW]) },
      { 'a.json': JSON.stringify({ version: 'x', data: [SQUAD_ROW] }) },
      { 'a.json': lines(SQUAD_ROW, { ...SQUAD_ROW, id: 's2', answers: { text: [], answer_start: [] } }) },
      { 'a.tsv': `id\tcontext\tquestion\tanswers\ns1\t${LOMM}\tWhere?\t{"text": ["Orr"]}\n` },
    ] as Record<string, string>[]
  ).map((at) => ({
    format: 'squad',
    what: `rows in ${JSON.stringify(at).slice(0, 30)}`,
    at,
    documents: 1,
    gold: { s1: [LOMM] },
  })),
  ...[
    { context: { title: ['Lomm', 'Tarn'], content: [['Lomm lies.', 'It is.'], [TARN]] } },
    {
      context: JSON.stringify([
        ['Lomm', ['Lomm lies.', 'It is.']],
        ['Tarn', [TARN]],
      ]),
    },
    {
      context: [
        { title: 'Lomm', sentences: ['Lomm lies.', 'It is.'] },
        { title: 'Tarn', sentences: [TARN] },
      ],
    },
  ].map((more) => ({
    format: '2wiki',
    what: `context as ${JSON.stringify(more).slice(11, 30)}`,
    documents: 2,
    at: { 'a.jsonl': lines({ ...hotpot({ type: 'inference', evidences: [] }, []), ...more }) },
    gold: { h1: ['Lomm lies. It is.'] },
  })),
  {
    format: 'musique',
    what: 'empty optional fields',
    documents: 1,
    gold: { '2hop__1_2': [LOMM] },
    at: {
      'm.json': JSON.stringify([
        {
          id: '2hop__1_2',
          question: 'Where?',
          answer: 'Orr',
          answer_aliases: null,
          paragraphs: [{ title: null, paragraph_text: LOMM, is_supporting: true }],
        },
      ]),
    },
  },
  {
    format: 'ragas',
    what: 'names before 0.1',
    documents: 1,
    gold: { '1': [LOMM] },
    at: {
      'a.csv': `question,ground_truth_context,ground_truth,question_type,episode_done\nWhere?,"['${LOMM}']",['Orr'],simple,True\n`,
    },
  },
  {
    format: 'hf',
    what: 'JSONL of qrels',
    documents: 1,
    gold: { q: [LOMM] },
    at: {
      'corpus.jsonl': lines({ _id: 'd', text: LOMM }),
      'queries.jsonl': lines({ _id: 'q', text: 'Where?' }),
      'qrels/test.jsonl': lines({ 'query-id': 'q', 'corpus-id': 'd', score: 1 }),
    },
  },
  {
    format: 'hipporag',
    what: 'passages with titles',
    documents: 1,
    notice: 'read as HippoRAG',
    at: {
      'openie_results_ner_m.json': JSON.stringify({
        docs: [
          { idx: 'chunk-1', passage: `Lomm\n${LOMM}`, extracted_entities: ['Lomm'], extracted_triples: [] },
        ],
      }),
    },
  },
]

describe.each(CASES)(
  '$format: $what',
  ({ format, at, path, documents, gold = {}, answers = {}, notice, params }) => {
    test('is recognized and opened, and says how', async () => {
      const folder = typeof at === 'string' ? join(FIXTURES, at) : temporaryFolder(at)
      const whole = path === undefined ? folder : join(folder, path)
      expect(detectFormat(whole)).toBe(format)
      const dataset = await loadDataset({ name: format, params: { path: whole, ...params } }, '/')
      expect(dataset.documents.length).toBe(documents)
      for (const [query, texts] of Object.entries(gold))
        expect(goldOf(dataset, query)).toEqual([...texts].sort())
      for (const [query, right] of Object.entries(answers))
        expect(dataset.queries.find(({ id }) => id === query)?.answers).toEqual(right)
      if (Object.keys(gold).length === 0) expect(dataset.queries).toEqual([])
      if (notice !== undefined) expect(dataset.notices.join('\n')).toContain(notice)
      expect(dataset.documents.every(({ text }) => text !== '' && !text.startsWith('<'))).toBe(true)
    })
  },
)

test('every format has a case here or in load.test.ts', () => {
  const tested = [...CASES.map(({ format }) => format), 'beir', 'ir-datasets', 'mongoexport', 'folder']
  expect([...new Set(tested)].sort()).toEqual(datasetFormats.all.map(({ name }) => name).sort())
})

describe('`split: all` reads every split', () => {
  const corpus = lines({ _id: 'd1', text: LOMM }, { _id: 'd2', text: TARN })
  const [first, second] = [
    { _id: 'q1', text: 'Where?' },
    { _id: 'q2', text: 'What is Tarn?' },
  ]
  const load = (name: string, files: Record<string, string>) =>
    loadDataset({ name, params: { path: temporaryFolder(files), split: 'all' } }, '/')
  const beir = {
    'corpus.jsonl': corpus,
    'queries.jsonl': lines(first, second),
    'qrels/dev.tsv': 'q1\td1\t1\n',
    'qrels/test.tsv': 'q2\td2\t1\n',
  }
  const label = (query: string, document: string) =>
    lines({ 'query-id': query, 'corpus-id': document, score: 1 })
  const hf = {
    'corpus/corpus.jsonl': corpus,
    'queries/dev.jsonl': lines(first),
    'queries/test.jsonl': lines(first, second),
    'qrels/dev.jsonl': label('q1', 'd1'),
    'qrels/test.jsonl': label('q2', 'd2'),
  }

  test.each([
    ['beir', beir],
    ['hf', hf],
  ])('%s', async (name, files) => {
    const dataset = await load(name, files)
    expect([goldOf(dataset, 'q1'), goldOf(dataset, 'q2')]).toEqual([[LOMM], [TARN]])
    expect(dataset.queries.length).toBe(2)
  })

  test('one pair in two splits, and one id with two texts, are refused', async () => {
    await expect(load('beir', { ...beir, 'qrels/dev.tsv': 'q2\td2\t1\n' })).rejects.toThrow(/judged twice/)
    const other = lines({ ...first, text: 'Who?' }, second)
    await expect(load('hf', { ...hf, 'queries/test.jsonl': other })).rejects.toThrow(
      /duplicate query id "q1"/,
    )
  })
})

describe('columns beside a text are metadata of the document', () => {
  const first = { _id: 'd1', title: '', text: LOMM, year: 1911, tags: ['a'], emb: [0.5], note: null }
  const documents = lines({ ...first, metadata: { year: 1912, lang: 'en' } }, { _id: 'd2', text: TARN })
  const queries = lines({ _id: 'q1', text: 'Where?', answer: 'Orr', metadata: {} })
  const CORPORA: [string, Record<string, string>][] = [
    ['beir', { 'corpus.jsonl': documents, 'queries.jsonl': queries, 'qrels/test.tsv': 'q1\td1\t1\n' }],
    [
      'hf',
      {
        'corpus/test.jsonl': documents,
        'queries/test.jsonl': queries,
        'qrels/test.jsonl': lines({ 'query-id': 'q1', 'corpus-id': 'd1', score: 1 }),
      },
    ],
    [
      'ir-datasets',
      {
        'docs.jsonl': lines({ doc_id: 'd1', text: LOMM, year: 1912, tags: ['a'], lang: 'en', emb: [0.5] }),
        'queries.jsonl': lines({ query_id: 'q1', text: 'Where?', narrative: 'Orr' }),
        qrels: 'q1 0 d1 1\n',
      },
    ],
  ]
  test.each(CORPORA)('%s', async (format, files) => {
    const { documents, queries } = await loadDataset(
      { name: format, params: { path: temporaryFolder(files) } },
      '/',
    )
    expect(documents[0].metadata).toEqual({ year: 1912, tags: ['a'], lang: 'en' })
    expect(queries[0].metadata).toEqual({})
  })
})

test('questions with quotes are attached to a corpus of another system', async () => {
  const folder = temporaryFolder({
    'kv_store_text_chunks.json': JSON.stringify({
      'chunk-1': { content: LOMM },
      'chunk-2': { content: TARN },
    }),
    'questions.jsonl': lines({
      _id: 'q',
      text: 'Where?',
      gold: [{ file: 'chunk-1', quote: 'strait of Orr' }],
    }),
  })
  const dataset = await loadDataset(
    { name: 'lightrag', params: { path: folder, questions: 'questions.jsonl' } },
    folder,
  )
  expect(dataset.spans.get('q')).toEqual([{ documentId: 'chunk-1', start: 17, end: 30 }])
})

const BEIR = {
  'scifact/corpus.jsonl': lines({ _id: 'd0', title: 'Lomm', text: LOMM }),
  'scifact/queries.jsonl': lines({ _id: 'q1', text: 'Where does Lomm lie?' }),
  'scifact/qrels/test.tsv': 'query-id\tcorpus-id\tscore\nq1\td0\t1\n',
}
const bytesOf = (files: Record<string, string>) =>
  Object.fromEntries(Object.entries(files).map(([name, text]) => [name, new TextEncoder().encode(text)]))
/** Zip of one stored file, of which a byte is another one, or whose stated length is too short. */
function damagedZip(damage: string): Buffer {
  const bytes = Buffer.from(zipSync(bytesOf({ 'a.md': 'Lomm lies at the strait.' }), { level: 0 }))
  if (damage === 'flipped') bytes.write('N', bytes.indexOf('Lomm'))
  else for (const field of [20, 24]) bytes.writeUInt32LE(10, bytes.indexOf('PK\u0001\u0002') + field)
  return bytes
}

const zipped = (files: Record<string, string>) =>
  join(temporaryFolder({ 'x.zip': zipSync(bytesOf(files)) }), 'x.zip')

test('a zip opens as what is in it, and its errors name the file inside', async () => {
  const dataset = await openDetected(zipped({ ...BEIR, '__MACOSX/x': '' }))
  expect([dataset.documents.length, goldOf(dataset, 'q1')]).toEqual([1, [LOMM]])
  const wrong = zipped({ ...BEIR, 'scifact/qrels/test.tsv': 'q1\td9\t1\n' })
  await expect(openDetected(wrong)).rejects.toThrow(
    /x\.zip\/scifact\/qrels\/test\.tsv:1: unknown document "d9"/,
  )
})

test('a supporting fact of two passages with its title is told', async () => {
  const one = JSON.parse(JSON.stringify(hotpot({ type: 'bridge', level: 'easy' }, ['Lomm lies at Orr.'])))
  const [[title]] = one.supporting_facts
  one.context.push([title, ['Another text of that title.']])
  const folder = temporaryFolder({ 'x.json': JSON.stringify([one]) })
  const dataset = await openDetected(join(folder, 'x.json'))
  expect(goldOf(dataset, 'h1')).toHaveLength(2)
  expect(dataset.notices).toContain(
    'supporting facts whose title several passages of their question have, all taken for gold: 1',
  )
})

test('a graph in a zip is told once, as one that is not taken', async () => {
  const { notices } = await openDetected(
    zipped({
      'kv_store_text_chunks.json': '{"chunk-1": {"content": "Lomm lies by Tarn."}}',
      'graph_chunk_entity_relation.graphml': '<graphml/>',
    }),
  )
  expect(notices.filter((notice) => /its own|in a zip/.test(notice))).toEqual([
    'it holds its own graph, which is not taken from a zip: unpack it, and give the path of the folder',
  ])
})

test.each([
  [',', 'commas'],
  [';', 'semicolons'],
  [' ', 'spaces'],
])('qrels of BEIR between %j name the sign', async (sign, words) => {
  const rows = ['query-id,corpus-id,score', 'q1,d0,1'].map((row) => row.replaceAll(',', sign))
  const path = zipped({ ...BEIR, 'scifact/qrels/test.tsv': rows.join('\n') })
  await expect(openDetected(path)).rejects.toThrow(
    `test.tsv:1: has 1 column separated by tabs, not query, document, grade (and group); its columns are separated by ${words}: write tabs in their place`,
  )
})

describe('what is refused says why', () => {
  const whole = zipSync(bytesOf(BEIR))
  const REFUSED: [string, Record<string, string | Uint8Array>, string, RegExp][] = [
    [
      'a column twice, of which the last one counted',
      { 'a.csv': `id,context,question,answers,context\ns1,${LOMM},Where?,[],${TARN}\n` },
      'a.csv',
      /a\.csv:1: has the column `context` twice/,
    ],
    [
      'a TREC document that does not end',
      {
        'd.sgml': `<DOC>\n<DOCNO>d1</DOCNO>\n${LOMM}\n<DOC>\n<DOCNO>d2</DOCNO>\n${TARN}\n</DOC>\n`,
        topics: '<top>\n<num> Number: 1\n<title> Lomm\n</top>\n',
        qrels: '1 0 d1 1\n',
      },
      '.',
      /d\.sgml:4: begins a <DOC> within the <DOC> of line 1, which has no <\/DOC>/,
    ],
    [
      'two corpora of MS MARCO',
      {
        'collection.tsv': `0\t${LOMM}\n`,
        'msmarco-docs.tsv': `D0\thttp://x\tLomm\t${LOMM}\n`,
        'queries.dev.tsv': '7\tWhere?\n',
        'qrels.dev.tsv': '7 0 0 1\n',
      },
      '.',
      /msmarco-docs\.tsv: has the same role as collection\.tsv; move one of them out of the folder/,
    ],
    [
      'a header without a known name of the text',
      {
        'docs.tsv': `doc_id\tabout\twords\nd1\tLomm\t${LOMM}\n`,
        'queries.tsv': 'q1\tWhere?\n',
        'qrels.txt': 'q1 0 d1 1\n',
      },
      '.',
      /docs\.tsv:1: is a header without a column that is known as the text .*: doc_id, about, words; rename one/,
    ],
    [
      'a cut zip',
      { 'x.zip': whole.subarray(0, whole.length - 30) },
      'x.zip',
      /x\.zip: is no readable zip file .*cut off/,
    ],
    ...['flipped', 'short'].map((damage): [string, Record<string, Uint8Array>, string, RegExp] => [
      `a ${damage} file in a zip`,
      { 'x.zip': damagedZip(damage) },
      'x.zip',
      /x\.zip: is no readable zip file \(a\.md has not the stated checksum\)/,
    ]),
    [
      'a file in a zip with a name that is too long',
      { 'x.zip': zipSync(bytesOf({ ['x'.repeat(300)]: 'x' })) },
      'x.zip',
      /x\.zip: holds a file that cannot be created here \(ENAMETOOLONG\): "xxx/,
    ],
    [
      'a zip that leads out of its folder',
      { 'x.zip': zipSync(bytesOf({ '../../evil.jsonl': 'x' })) },
      'x.zip',
      /leads out of its folder: "\.\.\/\.\.\/evil\.jsonl"/,
    ],
    [
      'a zip bomb',
      { 'x.zip': zipSync({ 'corpus.jsonl': new Uint8Array(17 * 2 ** 20) }) },
      'x.zip',
      /unpacks to more than 17 MB/,
    ],
    [
      'an unknown JSON',
      { 'a.json': '{"colour": 1, "size": 2}' },
      'a.json',
      /looks like a JSON object with the keys "colour", "size".*reads beir.* If not, convert it to BEIR: corpus\.jsonl/,
    ],
    [
      'an unknown table',
      { 'a.csv': 'colour,size\n1,2\n' },
      'a.csv',
      /looks like a table with the columns "colour", "size"/,
    ],
    [
      'an unknown folder',
      { 'a/x.bin': '\0', 'b.png': '\0', 'c.png': '\0', 'd.png': '\0' },
      '.',
      /a folder with 3 \.png files, 1 \.bin file/,
    ],
    [
      'HotpotQA or 2Wiki',
      { 'x.json': JSON.stringify([hotpot({ type: 'bridge' }, ['Lomm.'])]) },
      'x.json',
      /can be read as hotpotqa or as 2wiki; say which: `dataset: \{hotpotqa: \{path: \.\.\.\}\}` \(import: --from hotpotqa\)/,
    ],
    [
      'several data sets in a folder',
      {
        'a.jsonl': lines({ user_input: 'x', reference_contexts: ['y'] }),
        'b.jsonl': lines({ user_input: 'x' }),
        'c.csv': 'a\n',
      },
      '.',
      /holds 2 data sets: a\.jsonl \(ragas\), b\.jsonl \(ragas\); give the path of one/,
    ],
    [
      'half a BEIR folder',
      { 'queries.jsonl': '{}\n', 'qrels/test.tsv': 'q\td\t1\n' },
      '.',
      /corpus\.jsonl: is missing/,
    ],
    [
      'half of MS MARCO',
      { 'collection.tsv': '0\tx\n', 'qrels.dev.tsv': '1\t0\t0\t1\n' },
      '.',
      /queries\.<split>\.tsv: is missing/,
    ],
    [
      'MS MARCO with two splits',
      {
        'collection.tsv': '0\tx\n',
        'queries.a.tsv': '1\tx\n',
        'qrels.a.tsv': '1\t0\t0\t1\n',
        'qrels.b.tsv': '1\t0\t0\t1\n',
      },
      '.',
      /any of several splits; say which with `split`: a, b/,
    ],
    [
      'a cut Parquet file',
      { 'x.parquet': 'PAR1 and no more' },
      'x.parquet',
      /is no readable Parquet file; is it cut off\?/,
    ],
    [
      'ragas without reference contexts',
      { 'a.jsonl': lines({ user_input: 'x', response: 'y' }) },
      'a.jsonl',
      /no contexts, so no gold \(its fields: user_input, response\).*columns: \{contexts: NAME\}/,
    ],
    [
      'ragas with contexts of a system',
      { 'a.jsonl': lines({ question: 'x', contexts: ['y'], ground_truth: 'z' }) },
      'a.jsonl',
      /what a system retrieved.*columns: \{contexts: contexts\}/,
    ],
    [
      'a list that is cut off',
      { 'a.csv': 'user_input,reference_contexts\nWhere?,"[\'It lies\', ...]"\n' },
      'a.csv',
      /a\.csv:2: the contexts are no readable list: "\['It lies', \.\.\.\]"; write them as a JSON list/,
    ],
    [
      'gold of AutoRAG that is cut off',
      {
        'qa.csv': 'qid,query,retrieval_gt\nq1,Where?,"[[\'d0\'], ...]"\n',
        'corpus.csv': 'doc_id,contents\nd0,x\n',
      },
      '.',
      /qa\.csv:2: retrieval_gt is no readable list: "\[\['d0'\], \.\.\.\]"/,
    ],
    [
      'vars that promptfoo multiplies',
      { 'a.yaml': `tests:\n  - vars:\n      question: [Where?, Who?]\n      context: ${LOMM}\n` },
      'a.yaml',
      /a\.yaml, test 1: holds 2 questions in one field; write a record for each/,
    ],
    [
      'one file of a LightRAG folder',
      { 'kv_store_text_chunks.json': '{"a": {"content": "x"}}' },
      'kv_store_text_chunks.json',
      /is one file of a data set \(lightrag\); give the path of its folder/,
    ],
    [
      'LoTTE, in a folder',
      { 'l/qas.search.jsonl': lines({ qid: 0, query: 'x', answer_pids: [1] }), 'l/collection.tsv': '0\tx\n' },
      'l',
      /looks like LoTTE as first published; Touchstone reads what ir_datasets exports/,
    ],
    ...(
      [
        [{ id: 1, claim: 'x', evidence: {} }, /looks like FEVER or SciFact.*`dataset: beir\/fever`/],
        [
          { query: 'x', gold_ids: ['d'], excluded_ids: [] },
          /looks like BRIGHT; .*`gold_ids` as qrels\/test\.tsv/,
        ],
        [{ question: 'x', positive_ctxs: [] }, /looks like training data of DPR; .*BEIR folder/],
      ] as const
    ).map(
      ([record, message]) =>
        [...([`${Object.keys(record)}`, { 'a.jsonl': lines(record) }, 'a.jsonl', message] as const)] as never,
    ),
    [
      'HotpotQA without gold',
      { 'a.json': JSON.stringify([{ _id: 'x', question: 'x', context: [] }]) },
      'a.json',
      /looks like a test set of HotpotQA or 2Wiki.*no gold/,
    ],
    [
      'SQuAD of another shape',
      { 'a.json': '{"data": [{"title": "x", "paragraphs": [{"qas": []}]}]}' },
      'a.json',
      /a\.json, article 1: .*context/,
    ],
    [
      'a cut TREC file',
      {
        'd.sgml': '<DOC>\n<DOCNO>x</DOCNO>\n<TEXT>a',
        topics: '<top><num> 1 <title> x</top>',
        qrels: '1 0 x 1\n',
      },
      '.',
      /d\.sgml:3: ends within the <DOC> that begins in line 1/,
    ],
    [
      'half a TREC folder: no qrels',
      { 'd.sgml': trec(['x', 'a']), topics: '<top><num> 1 <title> x</top>' },
      '.',
      /^[^\n]*holds no qrels[^\n]*$/,
    ],
    [
      'half a TREC folder: no topics',
      { 'd.sgml': trec(['x', 'a']), qrels: '1 0 x 1\n' },
      '.',
      /^[^\n]*holds no topics[^\n]*$/,
    ],
    [
      'a topic without the field',
      { 'd.sgml': trec(['x', 'a']), topics: '<top><num> 1 <desc> x <query></top>', qrels: '1 0 x 1\n' },
      '.',
      /topic 1 has no <title>/,
    ],
    [
      'promptfoo tests elsewhere',
      { 'p.yaml': 'tests: file://t.csv\ndefaultTest:\n  vars: {}\n' },
      'p.yaml',
      /names "file:\/\/t\.csv"; give the path of that file/,
    ],
    [
      'LightRAG without text',
      { 'kv_store_text_chunks.json': '{"a": {"x": 1}}' },
      '.',
      /the chunk "a" has no text "content"/,
    ],
    [
      'half an LightRAG folder',
      { 'kv_store_full_docs.json': '{}' },
      '.',
      /kv_store_text_chunks\.json: there is no such file/,
    ],
  ]
  test.each(REFUSED)('%s', async (_, files, path, message) => {
    await expect(openDetected(join(temporaryFolder(files), path))).rejects.toThrow(message)
    await expect(openDetected(join(temporaryFolder(files), path))).rejects.toHaveProperty('name', 'UserError')
  })

  test('an AutoRAG folder without its corpus', async () => {
    const { readFileSync } = await import('node:fs')
    const folder = temporaryFolder({ 'qa.parquet': readFileSync(join(FIXTURES, 'autorag/qa.parquet')) })
    await expect(openDetected(folder)).rejects.toThrow(/corpus\.parquet: is missing from this AutoRAG folder/)
  })
})
