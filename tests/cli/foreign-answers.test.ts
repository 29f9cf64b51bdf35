import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parquetReadObjects } from 'hyparquet'
import { expect, test } from 'vitest'
import { textMatcher } from '../../src/corpus/match-texts.ts'
import type { AnswersSummary } from '../../src/results/answers.ts'
import { countTokens } from '../../src/text/tokens.ts'
import { setUp } from './set-up.ts'

const CONFIG = `dataset: towns
trials: [bm25]
measures: [recall@5]
answer: [extractive, {recorded: {path: theirs.jsonl}}]
`

const CRAFTS = ['weaving', 'glass', 'salt', 'ships', 'clocks', 'honey']
const town = (number: number) => `Town${String.fromCharCode(65 + number)}${number}`
const line = (number: number, answer: string, contexts?: string[]) =>
  JSON.stringify({ query: `What does ${town(number)} live by?`, answer, contexts })

test('answers of another system are a row beside ours, with the same measures', async () => {
  // Of 12 questions of the towns the file answers 4: two exactly, one in a sentence, one wrongly.
  const theirs = [
    line(0, CRAFTS[0], ['TownA0 lives by weaving.']),
    line(2, CRAFTS[2]),
    line(4, `It lives by ${CRAFTS[4]} [1]`, ['clocks, clocks']),
    line(6, 'tin'),
  ]
  const { folder, call } = setUp(CONFIG, { 'theirs.jsonl': `${theirs.join('\n')}\n` })
  const done = await call('run', 'a.yaml', '-o', 'out', '--workers', '1')
  expect(done.code).toBe(0)
  // The leaderboard ranks retrieval; rows of answers are elsewhere.
  expect(done.out).toContain('\nMeasures of the answers: section Answers of the report\n')
  const { answers }: { answers: AnswersSummary } = JSON.parse(
    readFileSync(join(folder, 'out/summary.json'), 'utf8'),
  )
  expect(answers.rows.map(({ trial, answerer }) => [trial?.name ?? null, answerer])).toEqual([
    [null, 'recorded(path=theirs.jsonl)'],
    ['bm25', 'extractive'],
  ])
  const bytes = readFileSync(join(folder, 'out/answers.parquet'))
  const rows = await parquetReadObjects({
    file: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer,
  })
  const own = rows.filter(({ answerer }) => String(answerer).startsWith('recorded'))
  const at = (answer: string) => own.find((row) => row.answer === answer) as Record<string, unknown>
  expect([at('weaving').answer_em, at('weaving').answer_f1, at('tin').answer_f1]).toEqual([1, 1, 0])
  // Citations are no words of the answer: 1 of 4 words is right.
  const sentence = at('It lives by clocks [1]')
  expect([sentence.answer_em, Number(sentence.answer_f1).toFixed(3), sentence.cited]).toEqual([
    0,
    '0.400',
    '1',
  ])
  // Tokens of the contexts that the file holds.
  expect([at('weaving').sent, at('salt').sent]).toEqual([countTokens('TownA0 lives by weaving.'), 0])
  // A question without an answer counts as a failure.
  const failed = own.filter(({ failure }) => String(failure) !== '')
  expect(failed).toHaveLength(own.length - 4)
  // Results have the same bytes wherever the file is.
  expect(failed[0].failure).toBe('theirs.jsonl holds no answer to this question')
})

test('a file of other lines is refused with their numbers', async () => {
  const lines = `${line(0, 'a')}\n${line(0, 'b')}\n{"question": "c"}\nno json\n${'{}\n'.repeat(9)}`
  const { call } = setUp(CONFIG, { 'theirs.jsonl': lines })
  const refused = await call('check', 'a.yaml')
  expect(refused.code).toBe(2)
  expect(refused.err).toMatch(/theirs\.jsonl:2: repeats a query above/)
  expect(refused.err).toMatch(/theirs\.jsonl:3: has `question` and lacks `answer`; a record is \{"query"/)
  expect(refused.err).toMatch(/theirs\.jsonl:4: /)
  expect(refused.err).toMatch(/theirs\.jsonl: 4 more like these/)
})

test.each([
  ['latency_ms', 1900, 'latency` is a number of seconds'],
  ['latencySeconds', 1.9, 'latency` is a number of seconds'],
  ['cost_usd', 0.1, 'cost` is a number of dollars'],
  ['total_tokens', 812, 'tokens` is {"input": WHOLE NUMBER, "output": WHOLE NUMBER}'],
  ['llm_calls', 2, 'calls` is a whole number'],
  ['Contexts', ['x'], 'contexts` is a list of texts'],
  ['retrievedContexts', ['x'], 'contexts` is a list of texts'],
  ['contxts', ['x'], 'contexts` is a list of texts'],
])(
  'a field %s, which would be passed over, is refused with the name that is read',
  async (name, value, known) => {
    const record = { query: `What does ${town(0)} live by?`, answer: 'a', [name]: value }
    const { call } = setUp(CONFIG, { 'theirs.jsonl': JSON.stringify(record) })
    const refused = await call('check', 'a.yaml')
    expect([refused.code, refused.err]).toEqual([
      2,
      expect.stringContaining(`theirs.jsonl:1: has the field \`${name}\`, which is not read; \`${known}`),
    ])
  },
)

test('fields of other meanings are passed over, and near ones beside those that are read', async () => {
  const more = { id: 1, mode: 'local', reference: 'x', reference_contexts: ['x'], answer_relevancy: 0.4 }
  const costs = { latency: 1.9, latency_ms: 1900, context_precision: 0.5, usage: null, timestamp: 'now' }
  const record = { query: `What does ${town(0)} live by?`, answer: 'a', ...more, ...costs }
  const { call } = setUp(CONFIG, { 'theirs.jsonl': JSON.stringify(record) })
  expect(await call('check', 'a.yaml')).toMatchObject({ code: 0 })
})

const chunk = (at: number) =>
  `${town(at)} lives by ${CRAFTS[at % 6]}. Its road leads to ${town((at + 5) % 12)}, and its fair is held in week ${at}.`

test('a run of texts in place of ids is matched by text, and texts of no chunk are counted', async () => {
  const records = [
    // Exact; the same words; a part of the text; a text of no chunk; a text of two documents.
    { query: `What does ${town(0)} live by?`, contexts: ['glacier', chunk(0)] },
    { question: `What does ${town(2)} live by?`, retrieved_contexts: [{ text: chunk(2).toUpperCase() }] },
    { query: `What does ${town(4)} live by?`, contexts: [`see: ${chunk(4).slice(0, 60)}`, 'tundra'] },
    { query: `What does ${town(6)} live by?`, contexts: ['One text of two documents, held twice.', 'fjord'] },
    { query: 'Who sells tundra?', contexts: [chunk(8), 'steppe'] },
  ]
  const config = `dataset: towns
trials: [bm25]
measures: [recall@1]
runs: [theirs.jsonl]
`
  const { folder, call } = setUp(config, {
    'theirs.jsonl': records.map((one) => JSON.stringify(one)).join('\n'),
  })
  const twins = ['da', 'db'].map((_id) =>
    JSON.stringify({ _id, title: '', text: 'One text of two documents, held twice.' }),
  )
  appendFileSync(join(folder, 'towns/corpus.jsonl'), `${twins.join('\n')}\n`)
  const unmatched = 'theirs.jsonl: 5 of 9 texts match no chunk and are left out of the rankings'
  expect((await call('check', 'a.yaml')).code).toBe(0)
  const ran = await call('run', 'a.yaml', '-o', 'out', '--workers', '1')
  expect([ran.code, ran.err]).toEqual([0, expect.stringContaining(`warning: ${unmatched}\n`)])
  const summary = JSON.parse(readFileSync(join(folder, 'out/summary.json'), 'utf8'))
  expect(summary.unread).toEqual([unmatched])
  // Three of twelve answerable questions have their gold first: towns 0, 2 and 4.
  const row = summary.trials.find(({ name }: { name: string }) => name === 'theirs')
  expect([row.measures['recall@1'].mean * 12, row.perQuery.unanswered * 13]).toEqual([3, 10])
})

test.each([
  [
    'Chinese',
    [
      '阿尔法镇位于湖边，镇上的人靠织布为生，集市在第三周。',
      '贝塔镇在山上，那里的人靠采盐为生，道路通往北方。',
    ],
  ],
  [
    'Japanese',
    [
      'アルファ町は湖のほとりにあり、町の人は織物で暮らしている。',
      'ベータ町は山の上にあり、人々は塩を採って暮らす。',
    ],
  ],
  ['Thai', ['เมืองอัลฟาตั้งอยู่ริมทะเลสาบ ชาวเมืองทอผ้าเลี้ยงชีพ', 'เมืองเบตาอยู่บนภูเขา ผู้คนที่นั่นทำนาเกลือเป็นอาชีพ']],
])('a part of a text in %s, which has no spaces, matches its chunk', (_language, texts) => {
  const match = textMatcher(texts.map((text, at) => ({ documentId: `d${at}`, position: 0, title: '', text })))
  const [part, broken] = [texts[1].slice(4, 20), `${texts[0].slice(0, 9)}\n${texts[0].slice(9)}`]
  expect([match(part), match(broken), match('一二三四五六七八九十')]).toEqual([[1], [0], []])
})

test('costs that another system recorded are in its row, and its passages count for citations', async () => {
  const theirs = [
    {
      query: `What does ${town(0)} live by?`,
      answer: `${CRAFTS[0]} [2]`,
      contexts: ['glacier', chunk(0)],
      tokens: { input: 900, output: 24 },
      calls: 2,
      cost: 0.25,
      latency: 1.5,
      model: 'theirs',
    },
    { query: 'Who sells tundra?', answer: 'nobody' },
  ]
  const { folder, call } = setUp(CONFIG, { 'theirs.jsonl': JSON.stringify(theirs) })
  expect((await call('check', 'a.yaml')).code).toBe(0)
  expect((await call('run', 'a.yaml', '-o', 'out', '--workers', '1')).code).toBe(0)
  const { answers }: { answers: AnswersSummary } = JSON.parse(
    readFileSync(join(folder, 'out/summary.json'), 'utf8'),
  )
  const [own, ours] = answers.rows
  expect([own.dollars, own.seconds, ours.dollars, ours.seconds]).toEqual([0.25 / 13, 1.5, 0, undefined])
  expect(own.perQuery.modelCalls * 13).toBe(2)
  expect([own.perQuery.inputTokens * 13, own.perQuery.outputTokens * 13]).toEqual([900, 24])
  expect([own.measures.citation_precision, own.measures.citation_recall]).toMatchObject([
    { mean: 1, n: 1 },
    { mean: 1, n: 1 },
  ])
})

test('answers and runs of another dataset, and costs that are no numbers, are refused', async () => {
  const other = JSON.stringify({ query: 'Who sells tundra?', answer: 'nobody', contexts: ['tundra'] })
  const { call } = setUp(`${CONFIG}runs: [theirs.jsonl]\n`, { 'theirs.jsonl': other })
  const refused = await call('check', 'a.yaml')
  expect(refused.code).toBe(2)
  expect(refused.err).toContain(
    'theirs.jsonl: holds none of the queries of towns: are the texts of the questions the same?',
  )
  const columns = setUp(
    'dataset: towns\ntrials: [bm25]\nruns: [{path: theirs.jsonl, columns: {document: 2}}]\n',
    { 'theirs.jsonl': JSON.stringify({ query: `What does ${town(0)} live by?`, contexts: [chunk(0)] }) },
  )
  expect((await columns.call('check', 'a.yaml')).err).toContain(
    'theirs.jsonl: holds texts in place of ids and has no columns; leave out `columns`',
  )
  // Lines without texts are told as such, also the first.
  const none = setUp('dataset: towns\ntrials: [bm25]\nruns: [theirs.jsonl]\n', {
    'theirs.jsonl': `${JSON.stringify({ query: 'a', contexts: null })}\n${other}\n`,
  })
  expect((await none.call('check', 'a.yaml')).err).toContain(
    'theirs.jsonl:1: has `query` and lacks `contexts`; a record is {"query": "...", "contexts": ["..."]}',
  )
  const unreadable = setUp(CONFIG, {
    'theirs.jsonl': JSON.stringify({ query: 'a', answer: 'b', cost: 'cheap' }),
  })
  const wrong = await unreadable.call('check', 'a.yaml')
  expect([wrong.code, wrong.err]).toEqual([
    2,
    expect.stringContaining('theirs.jsonl:1: `cost` is not a number of dollars'),
  ])
  const answered = setUp(CONFIG, { 'theirs.jsonl': other })
  expect((await answered.call('check', 'a.yaml')).err).toContain(
    'theirs.jsonl: holds none of the questions of towns',
  )
})

test('answers without their reasoning count; reasoning alone and an empty answer are failures', async () => {
  const written = ['<think>glass?</think>\nweaving', '<think>salt', '', 'tin</think>clocks']
  const theirs = written.map((answer, index) => line(2 * index, answer))
  const { folder, call } = setUp(CONFIG, { 'theirs.jsonl': `${theirs.join('\n')}\n` })
  expect((await call('run', 'a.yaml', '-o', 'out', '--workers', '1')).code).toBe(0)
  const bytes = readFileSync(join(folder, 'out/answers.parquet'))
  const rows = await parquetReadObjects({
    file: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer,
  })
  const own = rows
    .filter(({ answerer, failure }) => /^recorded/.test(answerer) && !/holds no answer/.test(failure))
    .map(({ answer, failure }) => [answer, failure])
  expect(own.sort()).toEqual([
    ['', 'the answer in theirs.jsonl ends in its reasoning'],
    ['', 'the answer in theirs.jsonl is empty'],
    ['clocks', ''],
    ['weaving', ''],
  ])
})

test.each([
  [
    { answer: 'weaving', response: 'tin' },
    "has `answer` and `response`, which differ; keep the one that is the system's answer",
  ],
  [
    { answer: 'weaving', contexts: ['a'], retrieved_contexts: ['b'] },
    "has `contexts` and `retrieved_contexts`, which differ; keep the one that is the system's contexts",
  ],
  [
    { answer: 'weaving', contexts: "['a', 'b']" },
    '`contexts` is a list written as one text; write a JSON list of texts',
  ],
  [{ answer: ['weaving'] }, '`answer` is not a text'],
  [
    { answer: 'weaving', contexts: [null, 'a'] },
    '`contexts` is not a list of texts, or of objects with `text`',
  ],
  [
    { answer: null },
    'has `query` and lacks `answer`; a record is {"query": "...", "answer": "...", "contexts": ["..."]}',
  ],
  [
    { anwser: 'weaving' },
    'has `query`, `anwser` and lacks `answer`; a record is {"query": "...", "answer": "...", "contexts": ["..."]}',
  ],
])('a record that can be read in two ways or not at all is refused: %j', async (fields, message) => {
  const query = `What does ${town(0)} live by?`
  const { call } = setUp(CONFIG, {
    'theirs.jsonl': `${line(2, 'salt')}\n${JSON.stringify({ query, ...fields })}\n`,
  })
  const { code, err } = await call('check', 'a.yaml')
  expect(code).toBe(2)
  expect(err).toContain(`theirs.jsonl:2: ${message}\n`)
})

test('one value under two names is one value', async () => {
  const query = `What does ${town(0)} live by?`
  const { call } = setUp(CONFIG, {
    'theirs.jsonl': JSON.stringify({ query, user_input: query, answer: 'weaving', response: 'weaving\n' }),
  })
  expect((await call('check', 'a.yaml')).code).toBe(0)
})
